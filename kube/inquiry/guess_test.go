package inquiry

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// services is a catalog with two kinds Service, of which only that of Knative has spec.template.
func services(t *testing.T) Options {
	t.Helper()
	all := catalog()
	fields := map[string]string{"": "ports", "serving.knative.dev": "template"}
	all.Groups[0].Versions[0].Types = append(all.Groups[0].Versions[0].Types, discovery.Type{Version: "v1", Resource: "services", Kind: "Service", Namespaced: true, Verbs: verbs})
	all.Groups = append(all.Groups, discovery.Group{Name: "serving.knative.dev", Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{
		{Group: "serving.knative.dev", Version: "v1", Resource: "services", Kind: "Service", Namespaced: true, Verbs: verbs},
	}}}})
	return Options{Catalog: all, Namespace: "shop", Schema: func(of discovery.Type) *schema.Schema {
		d, err := schema.Parse(fmt.Appendf(nil, `{"components":{"schemas":{"d":{"type":"object","x-kubernetes-group-version-kind":[{"group":%q,"version":"v1","kind":%q}],`+
			`"properties":{"spec":{"type":"object","properties":{%q:{"type":"object","additionalProperties":{"type":"string"}}}}}}}}}`, of.Group, of.Kind, fields[of.Group]))
		if err != nil {
			t.Fatal(err)
		}
		s, ok := d.Schema(schema.Kind{Group: of.Group, Version: "v1", Kind: of.Kind})
		if !ok {
			return nil
		}
		return &s
	}}
}

// Of several types with the same kind, only those that have the field are probable.
func TestOnlyTypesWithTheFieldAreProbable(t *testing.T) {
	for text, want := range map[string]string{
		`The Service "web" is invalid: spec.template.a.b/c: Invalid value: "x": no`: "serving.knative.dev/v1",
		`The Service "web" is invalid: spec.ports.x: Required value`:                "v1",
		`The Service "web" is invalid: spec.nothing: Required value`:                "v1", // neither has it: the core group comes first, as a guess
	} {
		s := &server{}
		e := explained(t, text, s, services(t)).Explanations[0]
		if len(e.Objects) != 1 || e.Objects[0].APIVersion != want {
			t.Errorf("%s: %+v", text, e.Objects)
		}
		if guess := strings.Contains(strings.Join(e.Notes, " "), "The object is a guess: Service in v1 doesn't have all fields"); guess != strings.Contains(text, "nothing") {
			t.Errorf("%s: %q", text, e.Notes)
		}
	}
}

// The namespace in a controller's own log line is a guess, and the explanation says so.
func TestTheNamespaceOfAControllersLogLine(t *testing.T) {
	const line = `E1128 05:00:00.000000       1 controller.go:474] "Reconciler error" err="Operation cannot be fulfilled on deployments.apps \"web\": the object has been modified; please apply your changes to the latest version and try again" controller="web" namespace="shop" name="web"`
	s := &server{objects: []string{deployment("web", "kubectl", replicas)}}
	e := explained(t, line, s, Options{Namespace: "default"}).Explanations[0]
	if len(e.Objects) != 1 || e.Objects[0].Namespace != "shop" || e.Objects[0].Sure || e.Heading() != "Probable object" {
		t.Errorf("%+v", e.Objects)
	}
	if !slices.Contains(e.Notes, "The text names no namespace. Fieldmark guesses the namespace shop, because the controller's log line is about it.") {
		t.Errorf("%q", e.Notes)
	}
}
