package promises

import (
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/explain"
)

// onPractice runs the program's own verbs on the practice cluster.
func onPractice(t *testing.T, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	return onInput(t, stdin, practiceKubeconfig(t), args...)
}

func TestBlameOnAPracticeCluster(t *testing.T) {
	code, out, errs := onPractice(t, "", "blame", "deployment/storefront", "-n", "shop", "-o", "json")
	var d blame.Document
	if err := json.Unmarshal([]byte(out), &d); code != 0 || err != nil || errs != "" {
		t.Fatal(code, err, out, errs)
	}
	owners := map[string]string{}
	for _, l := range d.Lines {
		for _, o := range l.Owners {
			owners[l.Path] += o.Name + " " + o.Operation + ";"
		}
	}
	for path, want := range map[string]string{
		".spec.replicas": "argocd-controller Apply;",
		".metadata.annotations.release.example.com/approved-by":                  "release-bot Apply;",
		`.spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt`:  "kubectl-rollout Update;",
		`.spec.template.spec.containers[name="app"].env[name="LOG_LEVEL"].value`: "argocd-controller Apply;",
		".metadata.uid": "",
	} {
		if owners[path] != want {
			t.Errorf("%s is owned by %q, want %q", path, owners[path], want)
		}
	}
	if code, out, errs := onPractice(t, "", "blame", "deploy", "storefront", "-n", "shop", "--field", ".spec.replicas"); code != 0 || errs != "" ||
		!strings.HasPrefix(out, "Deployment shop/storefront .spec.replicas: argocd-controller (Apply) ") || strings.Count(out, "\n") != 1 {
		t.Error(code, out, errs)
	}
}

// What was read before is told the same without a cluster.
func TestBlameOfWhatWasReadBefore(t *testing.T) {
	practiceKubeconfig(t)
	read, err := exec.CommandContext(t.Context(), os.Getenv(kubectlEnv), "--kubeconfig", os.Getenv(practiceEnv), "get", "configmaps,secrets", "-n", "shop", "-o", "yaml", "--show-managed-fields").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, live, _ := onPractice(t, "", "blame", "configmaps,secrets", "-n", "shop", "-o", "json")
	code, out, errs := onPractice(t, string(read), "blame", "-f", "-", "-o", "json", "-s", "http://127.0.0.1:1")
	var from, of blame.List
	if err := json.Unmarshal([]byte(out), &from); code != 0 || err != nil || errs != "" {
		t.Fatal(code, err, out, errs)
	}
	if err := json.Unmarshal([]byte(live), &of); err != nil || len(of.Items) != len(from.Items) || len(of.Items) < 3 {
		t.Fatal(err, len(of.Items), len(from.Items))
	}
	for i := range of.Items {
		if !slices.EqualFunc(of.Items[i].Lines, from.Items[i].Lines, func(a, b blame.DocumentLine) bool { return a.Text == b.Text && slices.Equal(a.Owners, b.Owners) }) {
			t.Errorf("%+v\nis told as\n%+v", of.Items[i], from.Items[i])
		}
	}
}

func TestRefusalsAreOneLine(t *testing.T) {
	for what, c := range map[string]struct {
		args []string
		says string
	}{
		"no such context":     {[]string{"blame", "pods/a", "--context", "nowhere"}, `the kubeconfig has no context "nowhere"; it has practice, practice-viewer`},
		"no such object":      {[]string{"blame", "configmap/nosuch", "-n", "shop"}, `configmaps "nosuch" not found`},
		"no such type":        {[]string{"blame", "nosuches/a"}, `the server doesn't have a resource type "nosuches". kubectl api-resources lists the types`},
		"a type with a typo":  {[]string{"blame", "deploymnet/a"}, `the server doesn't have a resource type "deploymnet". Did you mean deployment?`},
		"a field with a typo": {[]string{"blame", "deployment/storefront", "-n", "shop", "--field", "spec.replicsa"}, `Deployment shop/storefront has no field .spec.replicsa. Did you mean .spec.replicas?`},
		"not allowed":         {[]string{"blame", "secrets", "-n", "shop", "--as", "nobody-at-all"}, "forbidden"},
		"a dead server":       {[]string{"blame", "pods/a", "-s", "https://127.0.0.1:1"}, "connection refused"},
		"none":                {[]string{"blame", "configmaps", "-n", "shop", "-l", "no=such"}, "no objects were found"},
	} {
		code, out, errs := onPractice(t, "", c.args...)
		if code != 2 || out != "" || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d\n%s\n%s", what, code, out, errs)
		}
	}
}

func TestNamesAreCompleted(t *testing.T) {
	for begun, want := range map[string]string{"deployments/storef": "deployments/storefront\n", "replicationc": "replicationcontrollers\n"} {
		code, out, _ := onPractice(t, "", "__complete", "-n", "shop", "blame", begun)
		if code != 0 || !strings.HasPrefix(out, want) {
			t.Errorf("%s: %d %q", begun, code, out)
		}
	}
}

const manifests = `apiVersion: apps/v1
kind: Deployment
metadata: {name: storefront, namespace: shop}
spec:
  replicas: 5
  selector: {matchLabels: {app: storefront}}
  template:
    metadata: {labels: {app: storefront}}
    spec:
      containers:
      - name: app
        image: registry.example.com/shop/storefront:9
---
apiVersion: v1
kind: ConfigMap
metadata: {name: brand-new, namespace: shop}
data: {a: b}
---
apiVersion: nosuch.example.com/v1
kind: Thing
metadata: {name: x}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: broken
`

func TestCheckOnAPracticeCluster(t *testing.T) {
	code, out, errs := onPractice(t, manifests, "check", "-f", "-", "--manager", "helm", "-o", "json")
	var r check.Report
	if err := json.Unmarshal([]byte(out), &r); code != 1 || err != nil || errs != "" {
		t.Fatal(code, err, out, errs)
	}
	if r.APIVersion != "fieldmark.dev/v1" || r.Kind != "Check" || r.Manager != "helm" || r.Documents != 4 {
		t.Errorf("%+v", r)
	}
	found := map[string]check.Finding{}
	for _, f := range r.Findings {
		found[string(f.Kind)+" "+f.Object.Name+f.Path] = f
	}
	for _, want := range []struct {
		finding string
		line    int
		owner   string
	}{
		{"conflict storefront.spec.replicas", 5, "argocd-controller"},
		{`conflict storefront.spec.template.spec.containers[name="app"].image`, 12, "argocd-controller"},
		{"extra storefront.metadata.annotations.release.example.com/approved-by", 3, "release-bot"},
		{"created brand-new", 15, ""},
		{"unserved x", 20, ""},
		{"invalid ", 25, ""},
	} {
		f, ok := found[want.finding]
		if !ok || f.File != "-" || f.Line != want.line || want.owner != "" && (len(f.Owners) == 0 || f.Owners[0].Name != want.owner) {
			t.Errorf("%s: %v %+v", want.finding, ok, f)
		}
	}
	// It was a dry run.
	if code, _, errs := onPractice(t, "", "blame", "configmap/brand-new", "-n", "shop"); code != 2 || !strings.Contains(errs, "not found") {
		t.Errorf("what was checked is there: %d %s", code, errs)
	}
}

func TestWhatFailsACheck(t *testing.T) {
	_, created, _ := strings.Cut(manifests, "---\n")
	created, _, _ = strings.Cut(created, "---\n")
	for args, want := range map[string]int{"": 0, "--fail-on created": 1, "--fail-on conflict": 0, "--fail-on created -o markdown": 1, "--fail-on nosuch": 2, "-o sarif9": 2} {
		code, out, errs := onPractice(t, created, append([]string{"check", "-f", "-"}, strings.Fields(args)...)...)
		if code != want || (code == 2) != (errs != "") || (code == 2) != (out == "") {
			t.Errorf("check %s: %d, want %d\n%s\n%s", args, code, want, out, errs)
		}
	}
	// These can only be created. Asked of the server: an apply gets a 404 without a Status, and client-side apply creates the TokenReview each time.
	for kind, review := range map[string]string{
		"TokenReview":             "apiVersion: authentication.k8s.io/v1\nkind: TokenReview\nmetadata:\n  name: some\nspec:\n  token: x\n",
		"SelfSubjectAccessReview": "apiVersion: authorization.k8s.io/v1\nkind: SelfSubjectAccessReview\nmetadata:\n  name: some\nspec:\n  resourceAttributes: {verb: get, resource: pods}\n",
	} {
		want := "doesn't offer the verb patch for " + kind + ", so it refuses each server-side apply. Leave the document out, and send it with kubectl create."
		if code, out, _ := onPractice(t, review, "check", "-f", "-"); code != 1 || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("%s, which can only be created: %d\n%s", kind, code, out)
		}
	}
	if code, out, _ := onPractice(t, created, "check", "-f", "-", "--as", "nobody-at-all"); code != 0 || !strings.Contains(out, "unknown") {
		t.Errorf("without any right: %d\n%s", code, out)
	}
	// No server patches this type, so each run would be refused.
	if code, out, _ := onPractice(t, "apiVersion: v1\nkind: ComponentStatus\nmetadata:\n  name: etcd-0\n", "check", "-f", "-"); code != 1 || !strings.Contains(out, "doesn't offer the verb patch for ComponentStatus") {
		t.Errorf("a type that can't be patched: %d\n%s", code, out)
	}
	if code, _, errs := onPractice(t, created, "check", "-f", "-", "-s", "https://127.0.0.1:1"); code != 2 || !strings.Contains(errs, "connection refused") {
		t.Errorf("a dead server: %d %s", code, errs)
	}
}

const contested = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: explained}
spec:
  replicas: REPLICAS
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: registry.example.com/web:1}
`

func TestExplainOnAPracticeCluster(t *testing.T) {
	practiceKubeconfig(t)
	kubectl(t, "", "create", "namespace", "explained")
	t.Cleanup(func() { kubectl(t, "", "delete", "namespace", "explained", "--wait=false") })
	web := func(replicas string) string { return strings.Replace(contested, "REPLICAS", replicas, 1) }
	kubectl(t, web("1"), "apply", "--server-side", "--field-manager=ci-pipeline", "-f", "-")
	kubectl(t, "", "scale", "-n", "explained", "deployment/web", "--replicas=3")
	kubectl(t, "", "set", "image", "-n", "explained", "deployment/web", "app=registry.example.com/web:2")
	refused, err := said(web("2"), "apply", "--server-side", "--field-manager=ci-pipeline", "-f", "-")
	if err == nil {
		t.Fatal("there is no conflict")
	}
	file := t.TempDir() + "/web.yaml"
	if err := os.WriteFile(file, []byte(web("2")), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, args := range map[string][]string{"the text alone": nil, "with the manifest": {"-f", file}} {
		code, out, errs := onPractice(t, refused, append([]string{"explain", "-o", "json"}, args...)...)
		var e explain.Explanation
		if err := json.Unmarshal([]byte(out), &e); code != 0 || err != nil || errs != "" {
			t.Fatalf("%s: %d %v\n%s\n%s\n%s", what, code, err, refused, out, errs)
		}
		if len(e.Objects) != 1 || !e.Objects[0].Sure || e.Objects[0].Object != (check.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "explained", Name: "web"}) {
			t.Fatalf("%s: %+v\n%s", what, e.Objects, strings.Join(e.Notes, "\n"))
		}
		if e.Manager != "ci-pipeline" || !e.Assumed {
			t.Errorf("%s: as %s", what, e.Manager)
		}
		f := e.Fields[0]
		if len(e.Fields) != 2 || f.Path != ".spec.replicas" || string(f.Live) != "3" || len(f.Owners) != 1 || f.Owners[0].Words() != "kubectl (Update, scale)" {
			t.Errorf("%s: %+v", what, e.Fields)
		}
		if image := e.Fields[1]; string(image.Live) != `"registry.example.com/web:2"` || len(image.Owners) != 1 || image.Owners[0].Name != "kubectl-set" || image.Owners[0].Written().IsZero() {
			t.Errorf("%s: %+v", what, image)
		}
		if want := map[bool]string{true: "2"}[args != nil]; string(f.Stated) != want {
			t.Errorf("%s: states %s", what, f.Stated)
		}
		for _, way := range []string{check.WayGiveUp, check.WayShare, check.WayOverwrite, check.WayHandOver, check.WayRule} {
			if !slices.ContainsFunc(e.Ways, func(w check.Way) bool { return w.Way == way && w.Text != "" }) && way != check.WayHandOver {
				t.Errorf("%s: no way to %s in %+v", what, way, e.Ways)
			}
		}
	}
}

func TestExplainSaysWhatItCouldNotAsk(t *testing.T) {
	const conflict = `Apply failed with 1 conflict: conflict with "nosuch" using apps/v1: .spec.replicas`
	if code, out, errs := onPractice(t, conflict, "explain", "--as", "nobody-at-all"); code != 0 || errs != "" || !strings.Contains(out, "Left out: ") {
		t.Errorf("without any right: %d\n%s\n%s", code, out, errs)
	}
	if code, out, errs := onPractice(t, conflict, "explain"); code != 0 || errs != "" || !strings.Contains(out, "No object has all of these") {
		t.Errorf("a manager that owns nothing: %d\n%s\n%s", code, out, errs)
	}
	code, out, errs := onPractice(t, conflict, "explain", "-s", "https://127.0.0.1:1")
	if code != 0 || !strings.Contains(out, "Conflict (409)") || !strings.Contains(errs, "only the text is explained") || strings.Count(errs, "\n") != 1 {
		t.Errorf("a dead server: %d\n%s\n%s", code, out, errs)
	}
	if code, _, errs := onPractice(t, conflict, "explain", "--context", "nowhere"); code != 2 || !strings.Contains(errs, "no context") {
		t.Errorf("no such context: %d %s", code, errs)
	}
}
