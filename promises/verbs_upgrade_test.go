package promises

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/upgrade"
)

// widgets is a definition with two versions. The name of its group is the test's own.
const widgets = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.GROUP}
spec:
  group: GROUP
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}
`

// widgetsOf makes the definition of a namespace's own, until the test ends.
func widgetsOf(t *testing.T, namespace string) (group string) {
	t.Helper()
	group = namespace + ".example.com"
	kubectl(t, strings.ReplaceAll(widgets, "GROUP", group), "apply", "-f", "-")
	t.Cleanup(func() { kubectl(t, "", "delete", "crd", "widgets."+group, "--wait=false") })
	kubectl(t, "", "wait", "--for=condition=Established", "crd/widgets."+group)
	return group
}

// applyWidget applies a widget in a version as a manager, and returns what kubectl says.
func applyWidget(group, version, namespace, manager, spec string) (string, error) {
	return said("apiVersion: "+group+"/"+version+"\nkind: Widget\nmetadata: {name: w, namespace: "+namespace+"}\nspec: {"+spec+"}\n",
		"apply", "--server-side", "--field-manager="+manager, "-f", "-")
}

// unappliable is what the verb says about the widgets of a namespace.
func unappliable(t *testing.T, namespace, group string, more ...string) (code int, c upgrade.BlockedCluster) {
	t.Helper()
	code, out, errs := onPractice(t, "", append([]string{"unappliable", "-n", namespace, "-o", "json"}, more...)...)
	var r upgrade.BlockedReport
	if err := json.Unmarshal([]byte(out), &r); err != nil || errs != "" || len(r.Clusters) != 1 {
		t.Fatal(code, err, out, errs)
	}
	c = r.Clusters[0]
	c.Objects = slices.DeleteFunc(c.Objects, func(o upgrade.Record) bool { return o.Type != "widgets."+group })
	c.Findings = slices.DeleteFunc(c.Findings, func(f upgrade.Finding) bool { return f.Type != "widgets."+group })
	return code, c
}

const dropped = `[{"op":"remove","path":"/spec/versions/1"}]`

// dropVersion drops v1beta1, and waits until the server refuses applies.
func dropVersion(t *testing.T, group, namespace string) {
	t.Helper()
	kubectl(t, "", "patch", "crd", "widgets."+group, "--type=json", "-p", dropped)
	until(t, "the apply is refused", func() bool {
		out, err := applyWidget(group, "v1", namespace, "new", "b: 1")
		return err != nil && strings.Contains(out, "request to convert CR to an invalid group/version: "+group+"/v1beta1")
	})
}

// wayOf is a way out by its name.
func wayOf(t *testing.T, ways []check.Way, name string) check.Way {
	t.Helper()
	at := slices.IndexFunc(ways, func(w check.Way) bool { return w.Way == name })
	if at < 0 || ways[at].NotTried {
		t.Fatalf("%s isn't offered, or wasn't tried: %+v", name, ways)
	}
	return ways[at]
}

// A definition drops a version. unappliable says so before, and after. Each way out is tried as a dry run, and then taken for real, and then the
// server accepts an apply.
func TestWaysOutOfADroppedVersion(t *testing.T) {
	namespace := space(t)
	group := widgetsOf(t, namespace)
	until(t, "both versions are served", func() bool {
		_, err := applyWidget(group, "v1beta1", namespace, "old", "a: 1")
		return err == nil
	})
	if out, err := applyWidget(group, "v1", namespace, "new", "b: 1"); err != nil {
		t.Fatal(out)
	}
	code, c := unappliable(t, namespace, group)
	if code != 0 || len(c.Objects) != 0 || len(c.Findings) != 1 || c.Findings[0].Kind != upgrade.Fading || c.Findings[0].Manager.Name != "old" {
		t.Fatalf("%d %+v", code, c)
	}
	dropVersion(t, group, namespace)
	for _, name := range []string{upgrade.WayServe, upgrade.WayRewrite, upgrade.WayClear} {
		code, c := unappliable(t, namespace, group, "--ways")
		if code != 1 || len(c.Objects) != 1 || c.Objects[0].Managers[0].Name != "old" || len(c.Findings) != 1 || c.Findings[0].Kind != upgrade.Unappliable {
			t.Fatalf("%s: %d %+v", name, code, c)
		}
		ways := c.Objects[0].Ways
		if name == upgrade.WayServe {
			ways = c.Findings[0].Ways
		}
		must(t, t.TempDir(), namespace, wayOf(t, ways, name).Text)
		until(t, "an apply passes after "+name, func() bool {
			_, err := applyWidget(group, "v1", namespace, "new", "b: 1")
			return err == nil
		})
		owns, _ := said("", "get", "widgets."+group, "w", "-n", namespace, "--show-managed-fields", "-o", "jsonpath={.metadata.managedFields[*].manager}")
		if got := strings.Contains(owns, "old"); got != (name != upgrade.WayClear) {
			t.Errorf("%s: the owners are %s", name, owns)
		}
		if name == upgrade.WayClear {
			return
		}
		if name == upgrade.WayRewrite { // the version comes back, so that there is an entry to clear
			kubectl(t, "", "patch", "crd", "widgets."+group, "--type=json", "-p", `[{"op":"copy","from":"/spec/versions/0","path":"/spec/versions/-"},{"op":"replace","path":"/spec/versions/1/name","value":"v1beta1"},{"op":"replace","path":"/spec/versions/1/storage","value":false}]`)
			until(t, "the version is served again", func() bool {
				_, err := applyWidget(group, "v1beta1", namespace, "old", "a: 1")
				return err == nil
			})
		}
		dropVersion(t, group, namespace)
	}
}

// What a viewer may not read is said, and a target that the table doesn't know fails the check.
func TestUpgradeCheckOnAPracticeCluster(t *testing.T) {
	code, out, errs := onKubeconfig(t, severalContexts(t), "upgrade-check", "--to", "1.45", "--contexts", "practice-viewer,several-dead", "-o", "json")
	var r upgrade.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != 2 || len(r.Clusters) != 2 || !strings.Contains(errs, "several-dead") {
		t.Fatal(code, err, out, errs)
	}
	viewer, gone := r.Clusters[0], r.Clusters[1]
	if viewer.Counts[upgrade.Target] != 1 || viewer.Server == "" || gone.Problem == "" || r.MadeFor != "1.37" {
		t.Errorf("%+v", r)
	}
	secrets := slices.ContainsFunc(viewer.Findings, func(f upgrade.Finding) bool { return f.Kind == upgrade.Unread && f.Type == "secrets" })
	metrics := slices.ContainsFunc(viewer.Findings, func(f upgrade.Finding) bool { return f.Kind == upgrade.Unread && strings.Contains(f.Name, "metrics") })
	if !secrets || !metrics {
		t.Errorf("what the viewer may not read isn't said: %+v", viewer.Findings)
	}
	if code, out, errs = onPractice(t, "", "unappliable", "--as", "nobody"); code != 2 || !strings.Contains(errs, "cannot list resource") || !strings.Contains(out, "could not be read") {
		t.Error("without definitions, nobody can tell:", code, out, errs)
	}
	if code, out, errs = onPractice(t, "", "upgrade-check", "--to", "1.45", "--fail-on", "stored"); code != 0 || errs != "" || !strings.Contains(out, "made for Kubernetes 1.37") {
		t.Error(code, out, errs)
	}
}
