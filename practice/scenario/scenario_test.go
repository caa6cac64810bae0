package scenario

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

func TestTheDefinitionMatchesTheTypes(t *testing.T) {
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(definition, &crd); err != nil {
		t.Fatal(err)
	}
	if crd.Name != Resource.Resource+"."+Resource.Group || crd.Spec.Versions[0].Name != Resource.Version {
		t.Errorf("it defines %s %s", crd.Name, crd.Spec.Versions[0].Name)
	}
	schema := crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties
	for _, part := range []struct {
		schema apiextensionsv1.JSONSchemaProps
		value  any
	}{
		{schema["spec"].Properties["faults"].Items.Schema.Properties["fill"], Fill{}},
		{schema["spec"].Properties["faults"].Items.Schema.Properties["compact"], Compact{}},
		{schema["spec"].Properties["faults"].Items.Schema.Properties["restart"], Restart{}},
		{schema["spec"].Properties["faults"].Items.Schema.Properties["corrupt"], Corrupt{}},
		{*schema["spec"].Properties["actors"].Items.Schema, Actor{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["churn"], Churn{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["gitops"], GitOps{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["autoscaler"], Autoscaler{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["injector"], Injector{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["legacy"], Legacy{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["storm"], Storm{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["reporter"], Reporter{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["follower"], Follower{}},
		{schema["spec"].Properties["actors"].Items.Schema.Properties["writer"], Writer{}},
		{schema["status"], Status{}},
		{*schema["status"].Properties["actors"].Items.Schema, ActorStatus{Message: "m"}},
		{*schema["status"].Properties["faults"].Items.Schema, FaultStatus{Message: "m", Run: 1, Present: 1, ResourceVersion: "1"}},
	} {
		for _, name := range fieldsOf(t, part.value) {
			if _, ok := part.schema.Properties[name]; !ok {
				t.Errorf("%T has %q, the definition does not", part.value, name)
			}
		}
	}
}

func fieldsOf(t *testing.T, value any) []string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]any{}
	if err := json.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	var names []string
	for name := range fields {
		names = append(names, name)
	}
	return names
}

func TestWhatIsDue(t *testing.T) {
	fill, compact := Fault{Run: 1, Fill: &Fill{}}, Fault{Run: 1, Compact: &Compact{}}
	again := Fault{Run: 2, Restart: &Restart{}}
	for _, c := range []struct {
		name  string
		fault Fault
		done  FaultStatus
		due   bool
	}{
		{"a fill that was never done", fill, FaultStatus{}, true},
		{"a fill is looked at again", fill, FaultStatus{State: Holding, Run: 1}, true},
		{"a compaction that was never done", compact, FaultStatus{}, true},
		{"a compaction that was done", compact, FaultStatus{State: Holding, Run: 1}, false},
		{"a compaction that failed", compact, FaultStatus{State: Failed}, true},
		{"a corruption that was done", Fault{Run: 1, Corrupt: &Corrupt{}}, FaultStatus{State: Holding, Run: 1}, false},
		{"a restart that is asked for again", again, FaultStatus{State: Holding, Run: 1}, true},
	} {
		if got := c.fault.due(c.done); got != c.due {
			t.Errorf("%s: due %t, want %t", c.name, got, c.due)
		}
	}
}

func condition(s Status) metav1.Condition { return *meta.FindStatusCondition(s.Conditions, Holds) }

func TestBeginKeepsWhatWasDoneAndForgetsWhatIsNotAskedFor(t *testing.T) {
	scenario := &Scenario{
		ObjectMeta: metav1.ObjectMeta{Generation: 3},
		Spec: Spec{
			Faults: []Fault{{Name: "forget", Run: 1, Compact: &Compact{}}, {Name: "pods", Run: 1, Fill: &Fill{}}},
			Actors: []Actor{{Name: "noise", Churn: &Churn{}}},
		},
		Status: Status{
			ObservedGeneration: 2,
			Faults: []FaultStatus{
				{Name: "gone", State: Holding, Run: 1}, {Name: "forget", State: Holding, Run: 1, ResourceVersion: "7"},
			},
			Actors: []ActorStatus{{Name: "noise", State: Finished, Created: 5}},
		},
	}
	got := initialStatus(scenario)
	if len(got.Faults) != 2 || got.Faults[0].State != Holding || got.Faults[0].ResourceVersion != "7" || got.Faults[1].State != Waiting {
		t.Errorf("faults: %+v", got.Faults)
	}
	if len(got.Actors) != 1 || got.Actors[0].State != Waiting || got.Actors[0].Created != 5 {
		t.Errorf("actors: %+v", got.Actors)
	}
	if got.ObservedGeneration != 3 || condition(got).Status != metav1.ConditionFalse {
		t.Errorf("status: %+v", got)
	}
	scenario.Generation = 2 // as after a restart of the program
	if again := initialStatus(scenario); again.Actors[0].State != Finished {
		t.Errorf("an actor that had finished starts again: %+v", again.Actors)
	}
}

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name   string
		status Status
		holds  metav1.ConditionStatus
		reason string
		words  string
	}{
		{"nothing asked for", Status{}, metav1.ConditionTrue, "AllHolds", "everything"},
		{
			"all well",
			Status{Faults: []FaultStatus{{State: Holding}}, Actors: []ActorStatus{{State: Running}, {State: Finished}}},
			metav1.ConditionTrue, "AllHolds", "everything",
		},
		{
			"the first unmet one is named",
			Status{Faults: []FaultStatus{{Name: "a", State: Working, Message: "3 of 9"}, {Name: "b", State: Waiting}}},
			metav1.ConditionFalse, Working, "a: 3 of 9",
		},
		{"failure", Status{Faults: []FaultStatus{{Name: "a", State: Failed, Message: "no"}}}, metav1.ConditionFalse, Failed, "a: no"},
		{"an actor that waits", Status{Actors: []ActorStatus{{Name: "n", State: Waiting}}}, metav1.ConditionFalse, Working, "n: not yet"},
	} {
		c.status.judge()
		got := condition(c.status)
		if got.Status != c.holds || got.Reason != c.reason || !strings.Contains(got.Message, c.words) {
			t.Errorf("%s: got %s %s %q", c.name, got.Status, got.Reason, got.Message)
		}
	}
}

func TestDifference(t *testing.T) {
	missing, surplus := difference("p", 4, map[string]bool{"p-00002": true, "p-00005": true, "p-00007": true})
	slices.Sort(surplus)
	if !slices.Equal(missing, []int{1, 3, 4}) || !slices.Equal(surplus, []string{"p-00005", "p-00007"}) {
		t.Errorf("missing %v, surplus %v", missing, surplus)
	}
}

func TestChurnCreatesChangesAndDeletes(t *testing.T) {
	const objects = 5
	present := map[int]bool{}
	counts := map[act]int{}
	for n := range int64(40 * objects) {
		what, object := churnAct(n, objects)
		if n >= 4*objects { // after the first rounds, what is asked for fits what is there
			if what == creation && present[object] || what != creation && !present[object] {
				t.Fatalf("write %d: act %d, object there: %t", n, what, present[object])
			}
		}
		present[object] = what != deletion
		counts[what]++
	}
	if counts[creation] < 30 || counts[change] < 60 || counts[deletion] < 30 {
		t.Errorf("not a mixture: %v", counts)
	}
}
