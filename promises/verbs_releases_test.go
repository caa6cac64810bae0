package promises

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
)

const (
	tillSpec = "metadata: {name: till}\nspec:\n  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: till}\n  minReplicas: 1\n  maxReplicas: 5\n"
	tillV1   = "apiVersion: autoscaling/v1\nkind: HorizontalPodAutoscaler\n" + tillSpec + "  targetCPUUtilizationPercentage: 70\n"
	tillV2   = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\n" + tillSpec +
		"  metrics:\n  - type: Resource\n    resource: {name: cpu, target: {type: Utilization, averageUtilization: 55}}\n"
	broken = "apiVersion: v1\nkind: Event\nmetadata: {name: broke}\nmessage: it broke\nreason: Broke\ntype: Warning\n" +
		"involvedObject: {apiVersion: v1, kind: ConfigMap, name: a, namespace: NAMESPACE}\nsource: {component: a}\nreportingComponent: a\n"
)

// A manager applies one version, and Fieldmark reads another. Parts of a field that is atomic in the first one have its owner.
func TestBlameOfAnotherVersionOnAPracticeCluster(t *testing.T) {
	folder, namespace := t.TempDir(), space(t)
	write(t, filepath.Join(folder, "before.yaml"), tillV1+"---\n"+strings.Replace(broken, "NAMESPACE", namespace, 1))
	must(t, folder, namespace, "kubectl apply --server-side --field-manager=legacy -f before.yaml")
	const elsewhere = "claimed by legacy in "
	for _, c := range []struct{ object, field, want string }{
		{"hpa/till", ".spec.scaleTargetRef.kind", "legacy (Apply) "},
		{"hpa/till", ".spec.metrics", "nobody owns the field as a whole; owners of its parts: " + elsewhere + "autoscaling/v1, "},
		{"hpa/till", ".spec.metrics[0].resource.target.averageUtilization", elsewhere + "autoscaling/v1, "},
		{"events.events.k8s.io/broke", ".note", elsewhere + "v1, "},
		{"events.events.k8s.io/broke", ".regarding.name", elsewhere + "v1, "},
		{"events.events.k8s.io/broke", ".deprecatedSource.component", elsewhere + "v1, "},
		{"events.events.k8s.io/broke", ".reason", "legacy (Apply) "},
	} {
		code, out, errs := onPractice(t, "", "blame", c.object, "-n", namespace, "--field", c.field)
		if _, said, _ := strings.Cut(out, c.field+": "); code != 0 || errs != "" || !strings.HasPrefix(said, c.want) {
			t.Errorf("%s %s: %d %s%s", c.object, c.field, code, out, errs)
		}
	}
}

// The former owner keeps everything that it doesn't hand over, in whatever version it applied.
func TestAHandOverBetweenVersionsOnAPracticeCluster(t *testing.T) {
	folder, namespace := t.TempDir(), space(t)
	write(t, filepath.Join(folder, "before.yaml"), tillV1)
	must(t, folder, namespace, "kubectl apply --server-side --field-manager=legacy -f before.yaml")
	conflicts := func() []check.Finding {
		_, out, errs := onPractice(t, tillV2, "check", "-f", "-", "-n", namespace, "--manager", "modern", "-o", "json")
		var report struct{ Findings []check.Finding }
		if err := json.Unmarshal([]byte(out), &report); err != nil {
			t.Fatal(err, out, errs)
		}
		return slices.DeleteFunc(report.Findings, func(f check.Finding) bool { return f.Kind != check.Conflict })
	}
	found := conflicts()
	if len(found) != 1 || found[0].Path != ".spec.metrics" || found[0].Owners[0].Name != "legacy" {
		t.Fatalf("%+v", found)
	}
	var steps []string
	for _, w := range found[0].Ways {
		if w.Way == check.WayHandOver {
			steps = append(steps, w.Text)
		}
	}
	must(t, folder, namespace, strings.Join(steps, "\n"))
	if again := conflicts(); len(again) != 0 {
		t.Errorf("%+v", again)
	}
	for field, want := range map[string]string{".spec.scaleTargetRef.kind": "legacy (Apply) ", ".spec.maxReplicas": "legacy (Apply) ", ".spec.metrics[0].type": "modern (Apply) "} {
		if _, out, errs := onPractice(t, "", "blame", "hpa/till", "-n", namespace, "--field", field); !strings.Contains(out, field+": "+want) {
			t.Errorf("%s%s", out, errs)
		}
	}
}
