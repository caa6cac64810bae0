package promises

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// scenario is a Scenario with one line of spec.
func scenario(name, spec string) string {
	return fmt.Sprintf("apiVersion: practice.fieldmark.dev/v1alpha1\nkind: Scenario\nmetadata: {name: %s}\nspec: %s\n", name, spec)
}

func (p *program) apply(t *testing.T, name, spec string) {
	t.Helper()
	eventually(t, "the Scenario is applied", func() error { // one that takes the API server down may do so before kubectl has its answer
		if out, err := p.kubectl(t, scenario(name, spec), "apply", "--server-side", "--filename=-"); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
		return nil
	})
}

// remove deletes a Scenario, which takes until all is cleaned up.
func (p *program) remove(t *testing.T, name string) {
	t.Helper()
	p.mustKubectl(t, "", "delete", "scenario", name, "--timeout=90s")
}

func (p *program) mustBeGone(t *testing.T, namespace string) {
	t.Helper()
	if got := p.get(t, admin, "/api/v1/namespaces/"+namespace); got.code != http.StatusNotFound {
		t.Errorf("namespace %s: %d", namespace, got.code)
	}
}

func (p *program) count(t *testing.T, path string) int {
	t.Helper()
	items, _ := p.get(t, admin, path).object(t)["items"].([]any)
	return len(items)
}

func TestFillWithPods(t *testing.T) {
	p := sharedCluster(t)
	const pods = "/api/v1/namespaces/filled/pods"
	p.apply(t, "pods", "{faults: [{name: few, fill: {namespace: filled, count: 300}}]}")
	p.holds(t, "pods")
	if got := p.count(t, pods); got != 300 {
		t.Errorf("%d pods, want 300", got)
	}
	if got := p.get(t, admin, pods+"/few-00300"); got.code != http.StatusOK {
		t.Errorf("the last one: %d", got.code)
	}
	p.apply(t, "pods", "{faults: [{name: few, fill: {namespace: filled, count: 120}}]}")
	p.holds(t, "pods")
	if got := p.count(t, pods); got != 120 {
		t.Errorf("%d pods, want 120", got)
	}
	p.remove(t, "pods")
	p.mustBeGone(t, "filled")
}

func TestFillWithRunningPods(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "running", "{faults: [{name: busy, fill: {namespace: busy, count: 25, running: true}}]}")
	p.holds(t, "running")
	if got := p.count(t, "/api/v1/namespaces/busy/pods?fieldSelector=status.phase=Running"); got != 25 {
		t.Errorf("%d pods run, want 25", got)
	}
	p.remove(t, "running")
	p.mustBeGone(t, "busy")
}

func TestFillWithConfigMapsLeavesTheNamespaceOfOthers(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "maps", "{faults: [{name: map, fill: {namespace: platform, kind: ConfigMap, count: 400}}]}")
	status := p.holds(t, "maps")
	if present := status["faults"].([]any)[0].(map[string]any)["present"]; present != float64(400) {
		t.Errorf("status says %v", present)
	}
	const ours = "/api/v1/namespaces/platform/configmaps?labelSelector=practice.fieldmark.dev/scenario=maps"
	if got := p.count(t, ours); got != 400 {
		t.Errorf("%d, want 400", got)
	}
	p.remove(t, "maps")
	if got := p.count(t, ours); got != 0 {
		t.Errorf("%d are left", got)
	}
	if got := p.get(t, admin, "/api/v1/namespaces/platform/configmaps/untrusted-text"); got.code != http.StatusOK {
		t.Errorf("what others made there: %d", got.code)
	}
}

func TestFillWithManagersStoresCopies(t *testing.T) {
	p := sharedCluster(t)
	const spec, path = "{faults: [{name: copy, fill: {namespace: copied, kind: ConfigMap, count: %d, managers: [one, two, three]}}]}", "/api/v1/namespaces/copied/configmaps"
	for _, count := range []int{5, 230} {
		p.apply(t, "copies", fmt.Sprintf(spec, count))
		p.holds(t, "copies")
	}
	if got := p.count(t, path+"?labelSelector=practice.fieldmark.dev/scenario=copies"); got != 230 {
		t.Errorf("%d, want 230", got)
	}
	maps := p.client(t, admin).CoreV1().ConfigMaps("copied")
	first, err := maps.Get(t.Context(), "copy-00001", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	last, err := maps.Get(t.Context(), "copy-00230", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if first.UID == last.UID || last.Data["number"] != "230" || first.Data["number"] != "1" {
		t.Errorf("%s %v and %s %v", first.UID, first.Data, last.UID, last.Data)
	}
	var entries []string
	for _, e := range last.ManagedFields {
		entries = append(entries, e.Manager+" "+string(e.Operation))
	}
	if got := strings.Join(entries, ", "); got != "one Apply, two Update, three Update" && got != "one Apply, three Update, two Update" {
		t.Errorf("managers: %s", got)
	}
	out, err := p.kubectl(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: copy-00230, namespace: copied}\ndata: {two-1: other}\n", "apply", "--server-side", "--field-manager=one", "--filename=-")
	if err == nil || !strings.Contains(out, `conflict with "two"`) {
		t.Errorf("an apply of a field of two: %v, %s", err, out)
	}
	p.remove(t, "copies")
	p.mustBeGone(t, "copied")
}

func TestChurn(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "noise", "{actors: [{name: hum, churn: {namespace: noisy, objects: 5, perSecond: 100}}]}")
	p.holds(t, "noise")
	const path = "/apis/practice.fieldmark.dev/v1alpha1/scenarios/noise"
	eventually(t, "it creates, updates and deletes", func() error {
		status, _ := p.get(t, admin, path).object(t)["status"].(map[string]any)
		hum := status["actors"].([]any)[0].(map[string]any)
		for _, what := range []string{"created", "updated", "deleted"} {
			if n, _ := hum[what].(float64); n < 5 {
				return fmt.Errorf("%v", hum)
			}
		}
		return nil
	})
	p.remove(t, "noise")
	p.mustBeGone(t, "noisy")
}

// TestStorm: what changes nothing makes new versions all the same, and whoever writes meanwhile loses nothing.
func TestStorm(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "gale", "{actors: [{name: wind, storm: {namespace: windy, objects: 5, perSecond: 500}}]}")
	p.holds(t, "gale")
	const one = "/api/v1/namespaces/windy/configmaps/wind-00003"
	versions := map[any]bool{}
	eventually(t, "versions come and go", func() error {
		metadata := p.get(t, admin, one).object(t)["metadata"].(map[string]any)
		versions[metadata["resourceVersion"]] = true
		if len(versions) < 5 {
			return fmt.Errorf("%d versions", len(versions))
		}
		return nil
	})
	eventually(t, "another's write", func() error {
		object := p.get(t, admin, one).object(t)
		object["data"] = map[string]any{"mine": "stays"}
		delete(object["metadata"].(map[string]any), "resourceVersion")
		text, err := json.Marshal(object)
		if err != nil {
			return err
		}
		answer, err := p.request(t, admin, http.MethodPut, one, "application/json", string(text))
		if err == nil && answer.code != http.StatusOK {
			err = fmt.Errorf("%d", answer.code)
		}
		return err
	})
	for range 5 {
		data, _ := p.get(t, admin, one).object(t)["data"].(map[string]any)
		if data["mine"] != "stays" {
			t.Fatalf("it was lost: %v", data)
		}
	}
	p.remove(t, "gale")
	p.mustBeGone(t, "windy")
}

func TestChurnEndsInTime(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "brief", "{actors: [{name: hum, churn: {namespace: briefly, kind: Pod, objects: 3, perSecond: 20, seconds: 2}}]}")
	eventually(t, "it has finished", func() error {
		got := p.get(t, admin, "/apis/practice.fieldmark.dev/v1alpha1/scenarios/brief")
		if !strings.Contains(string(got.body), `"state":"Finished"`) {
			return fmt.Errorf("%s", got.body)
		}
		return nil
	})
	p.remove(t, "brief")
	p.mustBeGone(t, "briefly")
}

// TestCompact is about what learners see: tokens and versions from before
// answer 410.
func TestCompact(t *testing.T) {
	p := sharedCluster(t)
	for mode, watchExpires := range map[string]bool{"Forget": true, "Keep": false} {
		before, err := p.client(t, admin).CoreV1().Pods("shop").List(t.Context(), metav1.ListOptions{Limit: 2})
		if err != nil {
			t.Fatal(err)
		}
		name := "compact-" + strings.ToLower(mode)
		p.apply(t, name, fmt.Sprintf("{faults: [{name: forget, compact: {watchCache: %s}}]}", mode))
		p.holds(t, name)
		eventually(t, "the continue token has expired", func() error {
			got, err := p.request(t, admin, http.MethodGet, "/api/v1/namespaces/shop/pods?limit=2&continue="+before.Continue, "application/json", "")
			if err == nil && got.code != http.StatusGone {
				err = fmt.Errorf("%d", got.code)
			}
			return err
		})
		watch := p.get(t, admin, "/api/v1/namespaces/shop/pods?watch=1&timeoutSeconds=1&resourceVersion="+before.ResourceVersion)
		if expired := strings.Contains(string(watch.body), `"code":410`); expired != watchExpires {
			t.Errorf("%s: watch from before expired: %t", mode, expired)
		}
		p.remove(t, name)
	}
}

func TestRestart(t *testing.T) {
	p := sharedCluster(t)
	before := componentOf(t, p.dir, "kube-apiserver")
	host := p.config(t, admin).Host
	p.apply(t, "outage", "{faults: [{name: down, restart: {downSeconds: 2}}]}")
	eventually(t, "the API server is down", func() error {
		if _, err := p.request(t, admin, http.MethodGet, "/readyz", "application/json", ""); err == nil {
			return fmt.Errorf("it answers")
		}
		return nil
	})
	p.holds(t, "outage")
	if after := componentOf(t, p.dir, "kube-apiserver"); after == before {
		t.Error("it is the same process")
	}
	if now := p.config(t, admin).Host; now != host {
		t.Errorf("it was at %s and is at %s", host, now)
	}
	// The others find it again: a new deployment comes to life.
	p.mustKubectl(t, "", "create", "deployment", "after-outage", "--image=registry.example.com/a", "--replicas=2")
	p.mustKubectl(t, "", "rollout", "status", "deployment", "after-outage", "--timeout=90s")
	p.mustKubectl(t, "", "delete", "deployment", "after-outage")
	p.remove(t, "outage")
}

func TestARestartHappensAgainWhenAskedFor(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "again", "{faults: [{name: down, restart: {downSeconds: 0}}]}")
	p.holds(t, "again")
	first := componentOf(t, p.dir, "kube-apiserver")
	p.mustKubectl(t, "", "label", "scenario", "again", "note=nothing-to-do")
	p.apply(t, "again", "{faults: [{name: down, run: 2, restart: {downSeconds: 0}}]}")
	p.holds(t, "again")
	if componentOf(t, p.dir, "kube-apiserver") == first {
		t.Error("it was not restarted again")
	}
	p.remove(t, "again")
}

// TestCorrupt: what was made unreadable goes when the API server is told to lose it, else with the Scenario; and what
// was made under its name since stays.
func TestCorrupt(t *testing.T) {
	p := sharedCluster(t)
	const broken, whole = "/api/v1/namespaces/rotten/configmaps/broken", "/api/v1/namespaces/rotten/configmaps/whole"
	p.mustKubectl(t, "", "create", "namespace", "rotten")
	for _, name := range []string{"broken", "whole"} {
		p.mustKubectl(t, "", "create", "configmap", name, "--namespace=rotten", "--from-literal=is=well")
	}
	p.apply(t, "rot", "{faults: [{name: one, corrupt: {namespace: rotten, name: broken}}, {name: other, corrupt: {namespace: rotten-too, kind: Secret, name: broken}}]}")
	p.holds(t, "rot")
	for path, code := range map[string]int{
		broken: http.StatusInternalServerError,
		whole:  http.StatusOK,
		"/api/v1/namespaces/rotten-too/secrets/broken": http.StatusInternalServerError,
	} {
		if got := p.get(t, admin, path); got.code != code {
			t.Errorf("%s: %d %s", path, got.code, got.body)
		}
	}
	eventually(t, "nobody can list them", func() error {
		if got := p.get(t, admin, "/api/v1/configmaps?limit=500"); !strings.Contains(string(got.body), `"reason":"StorageReadError"`) {
			return fmt.Errorf("%d", got.code)
		}
		return nil
	})
	got, err := p.request(t, admin, http.MethodDelete, broken, "application/json", `{"ignoreStoreReadErrorWithClusterBreakingPotential":true}`)
	if err != nil || got.code != http.StatusOK {
		t.Fatalf("%d %s %v", got.code, got.body, err)
	}
	p.mustKubectl(t, "", "create", "configmap", "broken", "--namespace=rotten", "--from-literal=is=new")
	p.remove(t, "rot")
	if got := p.get(t, admin, broken); got.code != http.StatusOK {
		t.Errorf("what was made since: %d %s", got.code, got.body)
	}
	p.mustBeGone(t, "rotten-too")
	eventually(t, "they can be listed again", func() error {
		for _, path := range []string{"/api/v1/configmaps", "/api/v1/secrets"} {
			if got := p.get(t, admin, path); got.code != http.StatusOK {
				return fmt.Errorf("%s: %d", path, got.code)
			}
		}
		return nil
	})
	p.mustKubectl(t, "", "delete", "namespace", "rotten")
}

// TestCrashes: each Deployment fails in its way, and the one with two containers only by the second one.
func TestCrashes(t *testing.T) {
	p := sharedCluster(t)
	p.apply(t, "crashes", "{faults: [{name: all, crashes: {namespace: crashed, afterSeconds: 1}}]}")
	p.holds(t, "crashes")
	for app, want := range map[string]string{
		"crashing":         "1 Error",
		"out-of-memory":    "137 OOMKilled",
		"sidecar-crashing": "1 Error",
		"image-missing":    "ImagePullBackOff",
		"config-missing":   "CreateContainerConfigError",
	} {
		const of = "{.items[*].status.containerStatuses[*]"
		got := p.mustKubectl(t, "", "get", "pods", "--namespace=crashed", "--selector=app="+app, "--output=jsonpath="+
			of+".lastState.terminated.exitCode} "+of+".lastState.terminated.reason} "+of+".state.waiting.reason}")
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", app, got, want)
		}
	}
	app := p.mustKubectl(t, "", "get", "pods", "--namespace=crashed", "--selector=app=sidecar-crashing", "--output=jsonpath={.items[*].status.containerStatuses[?(@.name==\"app\")].restartCount}")
	if app != "0" {
		t.Errorf("the container beside the one that crashes was restarted %s times", app)
	}
	p.remove(t, "crashes")
	p.mustBeGone(t, "crashed")
}

func TestScenariosThatMakeNoSenseAreRefused(t *testing.T) {
	p := sharedCluster(t)
	for name, spec := range map[string]string{
		"two kinds at once":     "{faults: [{name: a, compact: {}, restart: {}}]}",
		"no kind":               "{faults: [{name: a}]}",
		"too many pods":         "{faults: [{name: a, fill: {namespace: a, count: 10001}}]}",
		"too many config maps":  "{faults: [{name: a, fill: {namespace: a, kind: ConfigMap, count: 100001}}]}",
		"running config maps":   "{faults: [{name: a, fill: {namespace: a, kind: ConfigMap, count: 1, running: true}}]}",
		"pods with managers":    "{faults: [{name: a, fill: {namespace: a, count: 1, managers: [a]}}]}",
		"a manager twice":       "{faults: [{name: a, fill: {namespace: a, kind: ConfigMap, count: 1, managers: [a, a]}}]}",
		"the same name twice":   "{faults: [{name: a, compact: {}}, {name: a, compact: {}}]}",
		"a corrupt pod":         "{faults: [{name: a, corrupt: {namespace: a, kind: Pod, name: a}}]}",
		"a path, not a name":    "{faults: [{name: a, corrupt: {namespace: a, name: ../a}}]}",
		"an idle actor":         "{actors: [{name: a}]}",
		"an actor of two minds": "{actors: [{name: a, churn: {namespace: a}, gitops: {namespace: a, name: a}}]}",
		"min above max":         "{actors: [{name: a, autoscaler: {namespace: a, name: a, min: 3, max: 2}}]}",
		"no such webhooks":      "{actors: [{name: a, injector: {name: a, kind: Webhook}}]}",
		"a nameless target":     "{actors: [{name: a, legacy: {namespace: a}}]}",
		"a writer of nothing":   "{actors: [{name: a, writer: {namespace: a, name: a, serviceAccount: a}}]}",
		"a report of a path":    "{actors: [{name: a, reporter: {namespace: a, name: a/b}}]}",
	} {
		if out, err := p.kubectl(t, scenario("senseless", spec), "apply", "--server-side", "--filename=-"); err == nil {
			t.Errorf("%s: %s", name, out)
			p.remove(t, "senseless")
		}
	}
}

func TestAFailureIsToldAndTriedAgain(t *testing.T) {
	p := sharedCluster(t)
	namespaces := p.client(t, admin).CoreV1().Namespaces()
	p.mustKubectl(t, "", "create", "quota", "tight", "--namespace=default", "--hard=count/configmaps=1")
	eventually(t, "the quota counts", func() error { // it refuses nothing before its controller has counted
		if out, err := p.kubectl(t, "", "create", "configmap", "probe", "--namespace=default", "--dry-run=server"); err == nil || !strings.Contains(out, "exceeded quota") {
			return fmt.Errorf("%s", out)
		}
		return nil
	})
	p.apply(t, "tight", "{faults: [{name: map, fill: {namespace: default, kind: ConfigMap, count: 9}}]}")
	eventually(t, "the failure is told", func() error {
		got := p.get(t, admin, "/apis/practice.fieldmark.dev/v1alpha1/scenarios/tight")
		if !strings.Contains(string(got.body), "exceeded quota") {
			return fmt.Errorf("%s", got.body)
		}
		return nil
	})
	p.mustKubectl(t, "", "delete", "quota", "tight", "--namespace=default")
	p.holds(t, "tight")
	p.remove(t, "tight")
	if _, err := namespaces.Get(t.Context(), "default", metav1.GetOptions{}); apierrors.IsNotFound(err) {
		t.Error("the default namespace is gone")
	}
}
