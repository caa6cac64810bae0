package scenario

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestDesiredGoesUpAndDown(t *testing.T) {
	for _, c := range []struct {
		min, max int32
		want     []int32
	}{
		{5, 7, []int32{5, 6, 7, 6, 5, 6, 7}},
		{0, 1, []int32{0, 1, 0, 1}},
		{4, 4, []int32{4, 4, 4}},
	} {
		var got []int32
		for n := range c.want {
			got = append(got, Autoscaler{Min: c.min, Max: c.max}.desired(int64(n)))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d to %d: %v, want %v", c.min, c.max, got, c.want)
		}
	}
}

func TestOffbeat(t *testing.T) {
	if got := everySeconds(6).offbeat(); got.first.Seconds() != 3 || got.every.Seconds() != 6 {
		t.Errorf("%+v", got)
	}
}

func TestWhoMakesTheDeployment(t *testing.T) {
	here, there := Target{"a", "one"}, Target{"a", "two"}
	spec := Spec{Actors: []Actor{{Autoscaler: &Autoscaler{Target: there}}, {GitOps: &GitOps{Target: here}}}}
	if !spec.applies(here) || spec.applies(there) {
		t.Error("the one that gitops applies, and no other")
	}
	if spec := (Spec{Actors: []Actor{{Legacy: &Legacy{Target: there}}}}); !spec.applies(there) {
		t.Error("the one that legacy applies")
	}
}

func TestAManifestWithoutReplicasLeavesThemToOthers(t *testing.T) {
	three := int64(3)
	target := Target{"contest", "contested"}
	if n, found, err := unstructured.NestedInt64(target.manifest("s", &three).Object, "spec", "replicas"); n != 3 || !found || err != nil {
		t.Errorf("%d %t %v", n, found, err)
	}
	if _, found, _ := unstructured.NestedInt64(target.manifest("s", nil).Object, "spec", "replicas"); found {
		t.Error("it says something about replicas")
	}
}

// patched is what legacy would send for an object that it applied before with other replicas.
func patched(t *testing.T, before, now *int64, change func(*unstructured.Unstructured)) map[string]any {
	t.Helper()
	target := Target{"a", "old"}
	current, err := annotated(target.manifest("s", before))
	if err != nil {
		t.Fatal(err)
	}
	change(current)
	manifest, err := annotated(target.manifest("s", now))
	if err != nil {
		t.Fatal(err)
	}
	patch, err := threeWay(manifest, current)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(patch, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestApplyAsOfOldSendsTheDifference(t *testing.T) {
	two, nine := int64(2), int64(9)
	asItIs := func(*unstructured.Unstructured) {}
	scaled := func(o *unstructured.Unstructured) {
		_ = unstructured.SetNestedField(o.Object, nine, "spec", "replicas")
	}
	if got := patched(t, &two, &two, asItIs); len(got) != 0 {
		t.Errorf("nothing differs: %v", got)
	}
	if got := patched(t, &two, &two, scaled); got["spec"].(map[string]any)["replicas"] != float64(2) || got["metadata"] != nil {
		t.Errorf("somebody scaled it: %v", got)
	}
	got := patched(t, &two, nil, scaled)
	if value, said := got["spec"].(map[string]any)["replicas"]; !said || value != nil {
		t.Errorf("what was applied before and is no longer is taken away: %v", got)
	}
	if got := patched(t, nil, nil, scaled); len(got) != 0 {
		t.Errorf("what was never applied is nobody's business: %v", got)
	}
}

func TestTheBundleComesIntoEveryWebhook(t *testing.T) {
	configuration := Injector{Kind: Validating, Name: "never"}.configuration("s")
	if err := setBundle(configuration, []byte("PEM")); err != nil {
		t.Fatal(err)
	}
	webhooks, _, _ := unstructured.NestedSlice(configuration.Object, "webhooks")
	bundle, _, _ := unstructured.NestedString(webhooks[0].(map[string]any), "clientConfig", "caBundle")
	if bundle != base64.StdEncoding.EncodeToString([]byte("PEM")) {
		t.Errorf("%q", bundle)
	}
	if got := webhooksOf(Mutating).Resource; got != "mutatingwebhookconfigurations" {
		t.Error(got)
	}
}
