package promises

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
)

const (
	template   = "  selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n      - name: app\n        image: x\n"
	rollout    = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n"
	set        = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: web\nspec:\n  serviceName: web\n"
	pod        = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n  - name: app\n    image: x\n    resources:\n      requests:\n        cpu: 100m\n"
	runs       = `{"status":{"containerStatuses":[{"name":"app","image":"x","imageID":"x","ready":true,"restartCount":0,"state":{"running":{"startedAt":"2026-11-28T00:00:00Z"}},"resources":{"requests":{"cpu":"100m"}}}]}}`
	resizing   = `{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"200m"}}}]}}`
	applying   = "kubectl apply --server-side --field-manager=me -f "
	resizedPod = applying + "before.yaml && kubectl patch pod web --subresource=status --type=merge -p '" + runs + "' && kubectl patch pod web --subresource=resize -p '" + resizing + "'"
)

// refusedOne is a manifest that the server refuses.
type refusedOne struct {
	steps  string // commands that make what is there before; they can read before.yaml
	before string
	now    string   // the manifest; if empty, a command made web.yaml
	find   string   // a finding, as "kind path"; older servers can say another one after " or "
	ways   []string // each leads out of the refusal
}

var refusedOnes = map[string]refusedOne{
	"a default of another strategy":       {applying + "before.yaml", rollout + template, rollout + "  strategy:\n    type: Recreate\n" + template, "invalid .spec.strategy.rollingUpdate", []string{"correct", "correct"}},
	"a default of another kind of update": {applying + "before.yaml", set + template, set + "  updateStrategy:\n    type: OnDelete\n" + template, "invalid .spec.updateStrategy.rollingUpdate", []string{"correct", "correct"}},
	"a field that can't be changed":       {applying + "before.yaml", set + template, strings.Replace(set, "serviceName: web", "serviceName: other", 1) + template, "invalid .spec.serviceName or invalid .spec", []string{"share"}},
	"a Pod that was resized":              {resizedPod, pod, pod, `conflict .spec.containers[name="app"].resources.requests.cpu`, []string{"give-up", "share", "correct", "rule"}},
	"an exported manifest":                {applying + "before.yaml && kubectl get deployment web -o yaml --show-managed-fields > web.yaml && kubectl label deployment web a=b", rollout + template, "", "invalid .metadata.managedFields", []string{"give-up"}},
}

// sh runs commands in a folder, with kubectl for a namespace.
func sh(t *testing.T, folder, namespace, commands string) (string, error) {
	t.Helper()
	c := exec.CommandContext(context.WithoutCancel(t.Context()), "bash", "-c", `kubectl() { "$KUBECTL" -n "$NAMESPACE" "$@"; }; set -e; `+commands)
	c.Dir = folder
	c.Env = append(os.Environ(), "KUBECTL="+os.Getenv(kubectlEnv), "KUBECONFIG="+os.Getenv(practiceEnv), "NAMESPACE="+namespace)
	out, err := c.CombinedOutput()
	return string(out), err
}

// must runs commands that have to succeed.
func must(t *testing.T, folder, namespace, commands string) {
	t.Helper()
	if out, err := sh(t, folder, namespace, commands); err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, out)
	}
}

// Each way out that check offers for a refused manifest is taken for real, and then the server accepts the apply.
func TestWaysOutOfRefusalsLeadOut(t *testing.T) {
	practiceKubeconfig(t)
	for name, c := range refusedOnes {
		t.Run(name, func(t *testing.T) {
			if c.steps == resizedPod && !servesResize(t) {
				t.Skip("the API server has no pods/resize")
			}
			for i := range c.ways {
				folder, namespace := refusedIn(t, c)
				f := findingOf(t, namespace, c.find)
				var kinds []string
				for _, w := range f.Ways {
					kinds = append(kinds, w.Words())
				}
				if got := strings.Join(kinds, " "); got != strings.Join(c.ways, " ") {
					t.Fatalf("%s, want %s\n%+v", got, c.ways, f)
				}
				if c.ways[i] == check.WayRule {
					continue
				}
				take(t, folder, namespace, f, i)
				must(t, folder, namespace, applying+"web.yaml")
			}
		})
	}
}

// servesResize tells whether Pods can be resized, as since 1.33 by default.
func servesResize(t *testing.T) bool {
	t.Helper()
	types, err := said("", "get", "--raw", "/api/v1")
	fine(t, err)
	return strings.Contains(types, `"pods/resize"`)
}

// refusedIn makes the manifest in a new folder, and what is there before in a new namespace.
func refusedIn(t *testing.T, c refusedOne) (folder, namespace string) {
	t.Helper()
	kubectl, err := filepath.Abs(os.Getenv(kubectlEnv))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("FIELDMARK_KUBECTL", kubectl)
	folder, namespace = t.TempDir(), "ways-"+strconv.FormatInt(time.Now().UnixNano(), 36)
	must(t, folder, namespace, `"$KUBECTL" create namespace "$NAMESPACE"`)
	t.Cleanup(func() { _, _ = sh(t, folder, namespace, `"$KUBECTL" delete namespace "$NAMESPACE" --wait=false`) })
	write(t, filepath.Join(folder, "before.yaml"), c.before)
	write(t, filepath.Join(folder, "web.yaml"), c.now)
	must(t, folder, namespace, c.steps)
	t.Chdir(folder)
	return folder, namespace
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// findingOf is the finding of a check of web.yaml.
func findingOf(t *testing.T, namespace, find string) check.Finding {
	t.Helper()
	_, out, errs := onPractice(t, "", "check", "-f", "web.yaml", "-n", namespace, "--manager", "me", "-o", "json")
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || errs != "" {
		t.Fatal(err, out, errs)
	}
	for _, f := range r.Findings {
		if slices.Contains(strings.Split(find, " or "), string(f.Kind)+" "+f.Path) {
			return f
		}
	}
	t.Fatalf("no %s in\n%s", find, out)
	return check.Finding{}
}

// take takes one way out of a finding. Of several patches of the manifest, it takes the others, too, because the server refuses all these fields.
func take(t *testing.T, folder, namespace string, f check.Finding, way int) {
	t.Helper()
	for text := f.Ways[way].Text; ; {
		if !strings.HasPrefix(text, "--- ") {
			must(t, folder, namespace, text)
			return
		}
		write(t, filepath.Join(folder, "patch"), text)
		must(t, folder, namespace, "patch -p0 < patch")
		_, out, _ := onPractice(t, "", "check", "-f", "web.yaml", "-n", namespace, "--manager", "me", "-o", "json")
		var r check.Report
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err, out)
		}
		if len(r.Findings) == 0 || r.Findings[0].Kind != check.Invalid || len(r.Findings[0].Ways) == 0 {
			return
		}
		text = r.Findings[0].Ways[0].Text
	}
}

// explain tries the ways out, too, if it has the manifest and a cluster.
func TestExplainTriesWaysOut(t *testing.T) {
	practiceKubeconfig(t)
	folder, namespace := refusedIn(t, refusedOnes["a field that can't be changed"])
	said, err := sh(t, folder, namespace, applying+"web.yaml")
	if err == nil {
		t.Fatal("the server accepts the manifest")
	}
	_, out, errs := onPractice(t, said, "explain", "-f", "web.yaml", "-n", namespace, "-o", "json")
	var e explain.Explanation
	if err := json.Unmarshal([]byte(out), &e); err != nil || errs != "" {
		t.Fatal(err, out, errs)
	}
	if len(e.Ways) != 2 || e.Ways[0].Way != check.WayShare || e.Ways[1].Way != explain.WayRecreate || e.Ways[0].NotTried || e.Ways[1].NotTried {
		t.Errorf("%+v", e.Ways)
	}
	_, out, _ = onPractice(t, said, "explain", "-n", namespace)
	if !strings.Contains(out, "share (not tried):") || !strings.Contains(out, "recreate (not tried):") {
		t.Error(out)
	}
}
