package promises

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// hookScene is a namespace with objects of several managers.
type hookScene struct {
	*testing.T
	folder, namespace string
}

const hookDeployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {team: shop}}
spec:
  replicas: 0
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: registry.example/app:1, env: [{name: LEVEL, value: info}]}
`

// newHookScene makes a namespace with a Deployment of argocd-controller and hpa, and a ConfigMap of three managers.
func newHookScene(t *testing.T, name string) hookScene {
	t.Helper()
	s := hookScene{t, t.TempDir(), "hook-" + name}
	if err := os.Symlink(os.Getenv(kubectlEnv), filepath.Join(s.folder, "kubectl")); err != nil {
		t.Fatal(err)
	}
	s.file("web.yaml", hookDeployment)
	s.file("web2.yaml", strings.NewReplacer("replicas: 0", "replicas: 1", "app:1", "app:2").Replace(hookDeployment))
	s.file("settings.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: green, size: small}\n")
	s.file("settings2.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: red}\n")
	s.run("kubectl create namespace " + s.namespace)
	t.Cleanup(func() {
		c := s.command("kubectl delete namespace " + s.namespace + " --wait=false")
		_, _ = c.CombinedOutput()
	})
	n := " -n " + s.namespace
	s.run("kubectl apply --server-side --field-manager argocd-controller -f web.yaml" + n)
	s.run("kubectl apply --server-side --field-manager argocd-controller -f settings.yaml" + n)
	s.run("kubectl scale deployment/web --replicas 2" + n)
	s.run(`kubectl patch configmap settings --field-manager release-bot --type merge -p '{"data":{"shape":"round"},"metadata":{"labels":{"stage":"test"},"annotations":{"note":"x"}}}'` + n)
	return s
}

func (s hookScene) file(name, text string) {
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
}

func (s hookScene) command(line string) *exec.Cmd {
	c := exec.CommandContext(context.WithoutCancel(s.Context()), "bash", "-c", line)
	c.Dir = s.folder
	c.Env = append(os.Environ(), "PATH="+s.folder+":"+os.Getenv("PATH"), "KUBECONFIG="+os.Getenv(practiceEnv), "HOME="+s.folder)
	return c
}

func (s hookScene) run(line string) string {
	s.Helper()
	out, err := s.command(line).CombinedOutput()
	if err != nil {
		s.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// hook is the decision about a line, and its reason.
func (s hookScene) hook(line string, more ...string) (decision, why string) {
	s.Helper()
	return hookOn(s.T, os.Getenv(practiceEnv), s.folder, line, more...)
}

func hookOn(t *testing.T, kubeconfig, folder, line string, more ...string) (decision, why string) {
	t.Helper()
	call, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "tool_name": "Bash", "cwd": folder, "tool_input": map[string]any{"command": line}})
	code, out, errs := onInput(t, string(call), kubeconfig, append([]string{"hook", "--for", "claude-code", "--within", "2m"}, more...)...)
	if code != 0 || errs != "" {
		t.Fatal(code, out, errs)
	}
	if out == "" {
		return "", ""
	}
	var answer struct {
		Out struct {
			Decision string `json:"permissionDecision"`
			Why      string `json:"permissionDecisionReason"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatal(err, out)
	}
	return answer.Out.Decision, answer.Out.Why
}

// owned are the fields of the scene's objects with their managers, as managedFields has them: "ConfigMap .data.color argocd-controller (Apply)".
func (s hookScene) owned() map[string]bool {
	s.Helper()
	var list struct {
		Items []struct {
			Kind     string
			Metadata struct {
				ManagedFields []struct {
					Manager, Operation, Subresource string
					FieldsV1                        map[string]any
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(s.run("kubectl get deployments,configmaps -l '!skip' -o json --show-managed-fields -n "+s.namespace)), &list); err != nil {
		s.Fatal(err)
	}
	all := map[string]bool{}
	for _, item := range list.Items {
		for _, m := range item.Metadata.ManagedFields {
			how := m.Operation
			if m.Subresource != "" {
				how += ", " + m.Subresource
			}
			leaves(m.FieldsV1, "", func(path string) { all[item.Kind+" "+path+" "+m.Manager+" ("+how+")"] = true })
		}
	}
	return all
}

// leaves visits the fields that a claim names and that have no fields of their own.
func leaves(claim map[string]any, path string, visit func(string)) {
	if len(claim) == 0 || len(claim) == 1 && claim["."] != nil {
		visit(path)
		return
	}
	for key, below := range claim {
		var step string
		switch {
		case strings.HasPrefix(key, "f:"):
			step = "." + key[2:]
		case strings.HasPrefix(key, "k:"):
			var fields map[string]any
			_ = json.Unmarshal([]byte(key[2:]), &fields)
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(fields)) {
				value, _ := json.Marshal(fields[name])
				parts = append(parts, name+"="+string(value))
			}
			step = "[" + strings.Join(parts, ",") + "]"
		default:
			continue
		}
		fields, _ := below.(map[string]any)
		leaves(fields, path+step, visit)
	}
}

// revised waits until the Deployment has two revisions.
func (s hookScene) revised() {
	s.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); {
		revisions := s.run(`kubectl get deployments,replicasets -o jsonpath='{.items[*].metadata.annotations.deployment\.kubernetes\.io/revision}' -n ` + s.namespace)
		seen := s.run(`kubectl get deployment web -o jsonpath='{.metadata.generation} {.status.observedGeneration}' -n ` + s.namespace)
		all, generations := strings.Fields(revisions), strings.Fields(seen)
		if len(all) == 3 && all[0] == "2" && all[1] != all[2] && len(generations) == 2 && generations[0] == generations[1] {
			return
		}
		time.Sleep(100 * time.Millisecond) // between two looks; the loop waits for the condition
	}
	s.Fatal("the Deployment has no second revision after two minutes")
}

// lost are the claims of the objects before that are gone, without those of a writer and of controllers.
func (s hookScene) lost(before map[string]bool, as string) (all []string) {
	s.Helper()
	after := s.owned()
	for claim := range before {
		if !after[claim] && !strings.HasSuffix(claim, " "+as) && !strings.Contains(claim, "kube-controller-manager") {
			all = append(all, claim)
		}
	}
	slices.Sort(all)
	return all
}

// named fails unless an answer names each claim in a line of its own.
func (s hookScene) named(lost []string, why string) {
	s.Helper()
	for _, claim := range lost {
		kind, rest, _ := strings.Cut(claim, " ")
		path, manager, _ := strings.Cut(rest, " ")
		if !slices.ContainsFunc(strings.Split(why, "\n"), func(l string) bool {
			return strings.HasPrefix(l, "- "+kind+" ") && strings.Contains(l, path) && strings.Contains(l, manager)
		}) {
			s.Errorf("%s is lost, and the answer doesn’t say so: %s", claim, why)
		}
	}
}

// Each line is judged, and then run by a real kubectl. The answer names exactly the fields that other managers own before and not after it.
func TestHookIsTrueToWhatKubectlTakes(t *testing.T) {
	practiceKubeconfig(t)
	for name, c := range map[string]struct{ line, as, first string }{
		"undo":           {"kubectl rollout undo deploy/web", "kubectl (Update)", "kubectl set image deploy/web app=registry.example/app:5 --field-manager release-bot"},
		"undo-to":        {"kubectl rollout undo deploy/web --to-revision=1", "kubectl (Update)", "kubectl set image deploy/web app=registry.example/app:5 --field-manager release-bot"},
		"pause":          {"kubectl rollout pause deploy/web", "kubectl-rollout (Update)", ""},
		"resume":         {"kubectl rollout resume deploy/web", "kubectl-rollout (Update)", `kubectl patch deploy web --field-manager release-bot -p '{"spec":{"paused":true}}'`},
		"annotate-over":  {"kubectl annotate cm settings note=y --overwrite", "kubectl-annotate (Update)", ""},
		"patch-own-name": {`kubectl patch cm settings --type merge --field-manager argocd-controller -p '{"data":{"color":"blue"}}'`, "argocd-controller (Update)", ""},
		"force":          {"kubectl apply --server-side --force-conflicts --field-manager agent/test -f web2.yaml", "agent/test (Apply)", ""},
		"force-heredoc":  {"cat <<'EOF' | kubectl apply --server-side --force-conflicts -f -\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: blue, shape: flat}\nEOF", "kubectl (Apply)", ""},
		"no-force":       {"kubectl apply --server-side -f web2.yaml || true", "kubectl (Apply)", ""},
		"client-side":    {"kubectl apply -f web2.yaml", "kubectl-client-side-apply (Update)", ""},
		"client-again":   {"kubectl apply -f settings.yaml", "kubectl-client-side-apply (Update)", ""},
		"replace":        {"kubectl replace -f settings2.yaml", "kubectl-replace (Update)", ""},
		"patch-merge":    {`kubectl patch cm settings --type merge -p '{"data":{"color":"blue","shape":null}}'`, "kubectl-patch (Update)", ""},
		"patch-json":     {`kubectl patch cm settings --type json -p '[{"op":"remove","path":"/data/color"}]'`, "kubectl-patch (Update)", ""},
		"patch-yaml":     {"kubectl patch deploy web -p 'spec: {replicas: 5, template: {spec: {containers: [{name: app, image: other}]}}}'", "kubectl-patch (Update)", ""},
		"same":           {`kubectl patch cm settings --type merge -p '{"data":{"color":"green"}}'`, "kubectl-patch (Update)", ""},
		"scale":          {"kubectl scale deploy/web --replicas=7", "kubectl (Update, scale)", ""},
		"label":          {"kubectl label cm/settings stage=prod --overwrite", "kubectl-label (Update)", ""},
		"label-refused":  {"kubectl label cm/settings stage=prod || true", "kubectl-label (Update)", ""},
		"label-selector": {"kubectl label cm -l stage=test stage-", "kubectl-label (Update)", ""},
		"annotate":       {"kubectl annotate cm settings note-", "kubectl-annotate (Update)", ""},
		"image":          {"kubectl set image deployment/web app=registry.example/app:9", "kubectl-set (Update)", ""},
		"image-all":      {"kubectl set image deployment/web '*=registry.example/app:9'", "kubectl-set (Update)", ""},
		"restart":        {"kubectl rollout restart deploy/web", "kubectl-rollout (Update)", ""},
		"new":            {"kubectl apply -f - <<< '{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"new\"}}'", "kubectl-client-side-apply (Update)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHookScene(t, name)
			of := strings.NewReplacer("kubectl ", "kubectl -n "+s.namespace+" ")
			line := of.Replace(c.line)
			if c.first != "" {
				s.run(of.Replace(c.first))
			}
			if strings.Contains(line, " undo ") {
				s.revised()
			}
			decision, why := s.hook(line)
			before := s.owned()
			s.run(line)
			lost := s.lost(before, c.as)
			s.named(lost, why)
			if said := strings.Count(why, "\n- "); said > len(lost) || (decision == "") != (len(lost) == 0) {
				t.Errorf("lost are %q, said is %s %s", lost, decision, why)
			}
		})
	}
}

// A write of the object can't take a field of the status, and a write of the subresource can.
func TestHookBeforeAChangeOfTheStatus(t *testing.T) {
	practiceKubeconfig(t)
	s := newHookScene(t, "status")
	n := " -n " + s.namespace
	s.file("svc.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}]}\n")
	s.run("kubectl apply --server-side --field-manager me -f svc.yaml" + n)
	status := func(ip string) string { return `'{"status":{"loadBalancer":{"ingress":[{"ip":"` + ip + `"}]}}}'` }
	s.run("kubectl patch service web --subresource=status --field-manager balancer --type=merge -p " + status("192.0.2.1") + n)
	decision, why := s.hook("kubectl patch service web --subresource=status --type=merge -p " + status("192.0.2.2") + n)
	if decision != "ask" || !strings.Contains(why, ".status.loadBalancer") || !strings.Contains(why, "balancer (Update, status)") {
		t.Errorf("%s %s", decision, why)
	}
	if decision, why := s.hook("kubectl patch service web --type=merge -p " + status("192.0.2.2") + n); decision != "" {
		t.Errorf("a write of the object: %s %s", decision, why)
	}
}

func TestHookBeforeADeletion(t *testing.T) {
	practiceKubeconfig(t)
	s := newHookScene(t, "delete")
	n := " -n " + s.namespace
	for line, says := range map[string]string{
		"kubectl delete deploy web" + n:                  "Deployment " + s.namespace + "/web is deleted. Its fields belong to argocd-controller (Apply)",
		"kubectl delete -f settings.yaml" + n:            "ConfigMap " + s.namespace + "/settings is deleted.",
		"kubectl delete cm --all" + n:                    "/settings is deleted.",
		"kubectl replace --force -f web.yaml" + n:        "/web is deleted.",
		"kubectl delete deploy web --cascade=orphan" + n: "Deployment " + s.namespace + "/web is deleted.",
		"kubectl delete ns " + s.namespace:               "Namespace " + s.namespace + " is deleted.",
		"kubectl delete cm nosuch" + n:                   "",
		"kubectl delete cm -l a=nosuch" + n:              "",
	} {
		decision, why := s.hook(line)
		if !strings.Contains(why, says) || (decision == "ask") != (says != "") {
			t.Errorf("%s: %s %s", line, decision, why)
		}
	}
	if decision, _ := s.hook("kubectl delete deploy web"+n, "--on-loss", "deny"); decision != "deny" {
		t.Error(decision)
	}
	if decision, why := s.hook("kubectl delete deploy web"+n, "--on-loss", "allow"); decision != "allow" || !strings.Contains(why, "argocd-controller") {
		t.Error(decision, why)
	}
	if decision, why := s.hook("./x.sh; kubectl delete deploy web"+n, "--on-loss", "allow"); decision != "ask" || !strings.Contains(why, "/web is deleted") {
		t.Error(decision, why)
	}
	s.run("kubectl get deployment/web configmap/settings" + n) // nothing was deleted
}

// store stores a release as Helm does, with one revision.
func (s hookScene) store(name, manifest string) {
	s.Helper()
	text, err := json.Marshal(map[string]any{"name": name, "namespace": s.namespace, "version": 3, "manifest": manifest, "info": map[string]any{"status": "deployed"}})
	if err != nil {
		s.Fatal(err)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(text); err != nil || zip.Close() != nil {
		s.Fatal(err)
	}
	secret, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Secret", "type": "helm.sh/release.v1", "stringData": map[string]any{"release": base64.StdEncoding.EncodeToString(packed.Bytes())},
		"metadata": map[string]any{"name": "sh.helm.release.v1." + name + ".v3", "labels": map[string]any{"owner": "helm", "name": name, "status": "deployed", "version": "3"}},
	})
	if err != nil {
		s.Fatal(err)
	}
	s.file("release.json", string(secret))
	s.run("kubectl create -f release.json -n " + s.namespace)
}

// Helm's commands are always ask, because no chart is rendered. The answer names what others own of the stored manifest: exactly what Helm takes if it
// applies the same manifest again with force.
func TestHookBeforeHelm(t *testing.T) {
	practiceKubeconfig(t)
	s := newHookScene(t, "helm")
	n := " -n " + s.namespace
	s.store("web", hookDeployment+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, annotations: {helm.sh/resource-policy: keep}}\ndata: {color: blue, size: small}\n")
	force, forced := s.hook("helm upgrade web ./chart --force-conflicts --server-side=true --set a=b -i" + n)
	for line, says := range map[string]string{
		"helm upgrade web ./chart" + n:                          "- Deployment " + s.namespace + "/web: kubectl (Update, scale)",
		"helm rollback web 3" + n:                               "comes back",
		"helm rollback web 2" + n:                               "no stored revision 2",
		"helm uninstall web" + n:                                "- Deployment " + s.namespace + "/web is deleted. Its fields belong to argocd-controller (Apply)",
		"helm upgrade other ./chart" + n:                        "Helm has stored no such release",
		"helm upgrade $X ./chart" + n:                           "Fieldmark renders no charts",
		"helm upgrade web ./chart --nosuch" + n:                 "Fieldmark renders no charts",
		"helm --kube-context nowhere list":                      "Fieldmark renders no charts",
		"KUBECONFIG=x helm upgrade web c" + n:                   "Fieldmark renders no charts",
		"helm upgrade web c --kube-context nowhere" + n:         `no context "nowhere"`,
		"helm upgrade web c --kube-context practice-viewer" + n: "refuses to list the Secrets",
	} {
		decision, why := s.hook(line)
		if decision != "ask" || !strings.Contains(why, says) {
			t.Errorf("%s: %s %s", line, decision, why)
		}
		if strings.HasPrefix(line, "helm uninstall") && strings.Contains(why, "ConfigMap") {
			t.Errorf("%s: an object that Helm keeps is said to be deleted: %s", line, why)
		}
	}
	if decision, why := s.hook("helm uninstall web"+n, "--on-loss", "deny"); decision != "deny" {
		t.Error(decision, why)
	}
	before := s.owned()
	s.file("same.yaml", "apiVersion: apps/v1\n"+strings.TrimPrefix(hookDeployment, "apiVersion: apps/v1\n")+"---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: blue, size: small}\n")
	s.run("kubectl apply --server-side --force-conflicts --field-manager helm -f same.yaml" + n)
	lost := s.lost(before, "helm (Apply)")
	s.named(lost, forced)
	_, list, _ := strings.Cut(forced, "Others own these fields")
	if said := strings.Count(list, "\n- "); force != "ask" || len(lost) == 0 || said != len(lost) {
		t.Errorf("lost are %q, said is %s %s", lost, force, forced)
	}
}

// What can't be asked is ask.
func TestHookThatCannotAsk(t *testing.T) {
	practiceKubeconfig(t)
	s := newHookScene(t, "trouble")
	for line, says := range map[string]string{
		"kubectl --context nowhere delete cm settings":                              `no context "nowhere"`,
		"kubectl --context practice-viewer patch cm settings -p '{}' -n kube-x":     "",
		"kubectl --context practice-viewer label cm settings a=b -n " + s.namespace: "forbidden",
		"kubectl apply -f https://example.com/x.yaml":                               "reads no URLs",
		"kubectl apply -f nosuch.yaml":                                              "does not exist",
		"kubectl apply -f -":                                                        "standard input",
		"kubectl apply --prune -l a=b -f web.yaml":                                  "--prune",
		"kubectl delete widgets.example.com x":                                      "doesn't have a resource type",
	} {
		if decision, why := s.hook(line); !strings.Contains(why, says) || decision != "ask" && says != "" {
			t.Errorf("%s: %q %s", line, decision, why)
		}
	}
	release := make(chan struct{})
	silent := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent.Listener = listener
	silent.Start()
	defer silent.Close()
	defer close(release)
	config := filepath.Join(s.folder, "silent")
	s.file("silent", `{"apiVersion":"v1","kind":"Config","current-context":"x","contexts":[{"name":"x","context":{"cluster":"x"}}],"clusters":[{"name":"x","cluster":{"server":"`+silent.URL+`"}}]}`)
	if decision, why := hookOn(t, config, s.folder, "kubectl delete cm settings", "--within", "300ms"); decision != "ask" || !strings.Contains(why, "did not respond within 300ms") {
		t.Error(decision, why)
	}
}

// Each configuration of docs/hook.md is read, and its command is run with a call of that assistant.
func TestHookIsConfiguredAsTheDocsSay(t *testing.T) {
	program := os.Getenv(fieldmarkEnv)
	practiceKubeconfig(t)
	text, err := os.ReadFile("../docs/hook.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(program, filepath.Join(folder, "fieldmark")); err != nil {
		t.Fatal(err)
	}
	type command struct{ Type, Command, Matcher string }
	for name, c := range map[string]struct{ event, call, asks string }{
		"claude-code": {"PreToolUse", `{"hook_event_name":"PreToolUse","tool_name":"Bash","cwd":"/","tool_input":{"command":"./x.sh"}}`, `"permissionDecision":"ask"`},
		"codex":       {"PreToolUse", `{"hook_event_name":"PreToolUse","turn_id":"1","tool_name":"Bash","cwd":"/","tool_input":{"command":"./x.sh"}}`, `"permissionDecision":"deny"`},
		"cursor":      {"beforeShellExecution", `{"hook_event_name":"beforeShellExecution","command":"./x.sh","cwd":"/"}`, `"permission":"ask"`},
	} {
		_, rest, _ := strings.Cut(string(text), "```json "+name+"\n")
		block, _, _ := strings.Cut(rest, "```")
		var config struct {
			Hooks map[string][]struct {
				command
				Hooks []command
			}
		}
		if err := json.Unmarshal([]byte(block), &config); err != nil {
			t.Fatalf("%s: %v in\n%s", name, err, block)
		}
		for _, group := range config.Hooks[c.event] {
			for _, hook := range append(group.Hooks, group.command) {
				if hook.Command == "" {
					continue
				}
				run := exec.CommandContext(t.Context(), "sh", "-c", hook.Command+" --within 1m")
				run.Env = append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "KUBECONFIG="+os.Getenv(practiceEnv))
				run.Stdin = strings.NewReader(c.call)
				if out, err := run.Output(); err != nil || !strings.Contains(string(out), c.asks) {
					t.Errorf("%s: %v %s", name, err, out)
				}
				c.asks = ""
			}
		}
		if c.asks != "" {
			t.Errorf("docs/hook.md has no configuration for %s", name)
		}
	}
}
