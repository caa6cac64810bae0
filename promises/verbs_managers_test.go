package promises

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager/writer"
)

// TestManagersOfAPracticeCluster counts a namespace in which somebody changes by hand what a GitOps tool applies.
func TestManagersOfAPracticeCluster(t *testing.T) {
	namespace := space(t)
	kubectl(t, configMap(namespace, "settings", "data: {a: one, b: one}\n"), "apply", "--server-side", "--field-manager", "kustomize-controller", "-f", "-")
	kubectl(t, "", "patch", "configmap", "settings", "-n", namespace, "--field-manager", "kubectl-edit", "-p", `{"data":{"a":"two"}}`)
	code, out, errs := onPractice(t, "", "managers", "-n", namespace, "-o", "json")
	r, err := report.ReadExport(strings.NewReader(out))
	if code != 0 || err != nil || errs != "" || r.Phase != report.Done || len(r.Namespaces) != 1 {
		t.Fatal(code, err, out, errs)
	}
	at := slices.IndexFunc(r.Managers, func(m report.Manager) bool { return m.Name == "kubectl-edit" })
	if at < 0 || r.Managers[at].Writer != writer.Person || r.Managers[at].Fields != 1 || r.Managers[at].Last.IsZero() {
		t.Errorf("%+v", r.Managers)
	}
	i := slices.IndexFunc(r.Findings, func(f report.Finding) bool { return f.Problem == report.Person })
	if i < 0 || r.Findings[i].Other != "kustomize-controller" || r.Findings[i].Samples[0].Fields[0] != ".data.a" || !strings.HasSuffix(r.Findings[i].Samples[0].Path, "/configmaps/settings") {
		t.Errorf("%+v", r.Findings)
	}
	if code, _, _ := onPractice(t, "", "managers", "-n", namespace, "--fail-on", "person"); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	file := filepath.Join(t.TempDir(), "earlier.json")
	if err := os.WriteFile(file, []byte(out), 0o600); err != nil {
		t.Fatal(err)
	}
	kubectl(t, configMap(namespace, "more", "data: {a: one}\n"), "apply", "--server-side", "--field-manager", "newcomer", "-f", "-")
	if code, out, errs := onPractice(t, "", "managers", "-n", namespace, "--compare", file); code != 0 || errs != "" || !strings.Contains(out, "new   newcomer owns 1 field") {
		t.Error(code, out, errs)
	}
}

func TestManagersOfSeveralClusters(t *testing.T) {
	code, out, errs := onKubeconfig(t, severalContexts(t), "managers", "-n", "shop", "--contexts", "practice,several-dead", "-o", "csv")
	if lines, err := csv.NewReader(strings.NewReader(out)).ReadAll(); err != nil || code != 2 || len(lines) < 2 || lines[1][0] != "practice" || !strings.Contains(errs, "several-dead") {
		t.Errorf("%d %v %s %s", code, err, out, errs)
	}
	code, out, errs = onPractice(t, "", "managers", "--fail-on", "")
	if code != 0 || errs != "" || !strings.Contains(out, "component of Kubernetes") {
		t.Error(code, out, errs)
	}
}
