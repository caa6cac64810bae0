package inquiry

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

const (
	immutableText = `The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"a":"new"}}: field is immutable`
	immutableFile = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  selector:\n    matchLabels:\n      a: new\n"
	immutableLive = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"},"spec":{"selector":{"matchLabels":{"a":"old"}}}}`
	deployments   = "/apis/apps/v1/namespaces/shop/deployments"
)

// With a manifest and a cluster, explain offers the ways out of an invalid object that a dry run proved, and no other.
func TestWaysOutAreTried(t *testing.T) {
	refusedAll := map[string]status.Status{deployments + "/web?dryRun": {Code: 422, Reason: "Invalid", Message: "no"}, deployments + "?dryRun": {Code: 422, Reason: "Invalid", Message: "no"}}
	for name, c := range map[string]struct {
		refuses map[string]status.Status
		ways    []string // beginnings
		tried   bool
	}{
		"both succeed": {nil, []string{"share: --- web.yaml", "recreate: # This deletes"}, true},
		"both fail":    {refusedAll, nil, true},
		"no permission": {
			map[string]status.Status{deployments + "/web?dryRun": {Code: 403, Reason: "Forbidden", Message: `deployments.apps "web" is forbidden: User "eve" cannot patch resource "deployments" in API group "apps" in the namespace "shop"`}},
			[]string{"share: --- web.yaml", "recreate: # This deletes"},
			false,
		},
	} {
		s := &server{objects: []string{immutableLive}, refuses: c.refuses}
		e := explained(t, immutableText, s, Options{Namespace: "shop", Documents: documentsOf(immutableFile)}).Explanations[0]
		got := ways(e)
		if len(got) != len(c.ways) {
			t.Fatalf("%s: %q", name, got)
		}
		for i, begin := range c.ways {
			if !strings.HasPrefix(got[i], begin) || e.Ways[i].Way == "share" && e.Ways[i].NotTried == c.tried {
				t.Errorf("%s: %+v, want %s", name, e.Ways[i], begin)
			}
		}
		if want := []string{
			"PATCH " + deployments + `/web?dryRun=All&fieldManager=kubectl&force=true {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"a":"old"}}}}`,
			"POST " + deployments + `?dryRun=All {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"generateName":"fieldmark-"},"spec":{"selector":{"matchLabels":{"a":"new"}}}}`,
		}; !slices.Equal(s.tried, want) {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(s.tried, "\n"), strings.Join(want, "\n"))
		}
	}
	s := &server{objects: []string{immutableLive}}
	for _, w := range explained(t, immutableText, s, Options{Namespace: "shop"}).Explanations[0].Ways {
		if !w.NotTried || len(s.tried) > 0 {
			t.Errorf("without a manifest: %+v", w)
		}
	}
}

// A manifest that somebody exported is refused on every run. No way out deletes the object, or forces anything.
func TestExportedManifests(t *testing.T) {
	for name, c := range map[string]struct{ text, path string }{
		"managedFields":        {"Error from server (BadRequest): metadata.managedFields must be nil", ".metadata.managedFields"},
		"another uid":          {`The Deployment "web" is invalid: metadata.uid: Invalid value: "old": field is immutable`, ".metadata.uid"},
		"the uid of a deleted": {`Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "web": uid mismatch: the provided object specified uid old, and no existing object was found`, ".metadata.uid"},
		"an old uid":           {`Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "web": Precondition failed: UID in precondition: old, UID in object meta: u`, ".metadata.uid"},
	} {
		e := explained(t, c.text, nil, Options{}).Explanations[0]
		if len(e.Fields) != 1 || e.Fields[0].Path != c.path || !strings.Contains(e.Fields[0].Why, "refuses the apply on every run. Delete this line.") || !strings.Contains(e.What, "fields that only the server writes") {
			t.Errorf("%s: %+v", name, e)
		}
		if got := ways(e); len(got) != 1 || got[0] != "give-up: delete "+c.path || !e.Ways[0].NotTried {
			t.Errorf("%s: %q", name, got)
		}
	}
	const version = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  resourceVersion: '5'\nspec:\n  replicas: 3\n"
	modified := `Error from server (Conflict): Operation cannot be fulfilled on deployments.apps "web": the object has been modified; please apply your changes to the latest version and try again`
	s := &server{objects: []string{deployment("web", "kubectl", replicas)}}
	e := explained(t, modified, s, Options{Namespace: "shop", Documents: documentsOf(version)}).Explanations[0]
	if got := ways(e); len(got) != 1 || !strings.HasPrefix(got[0], "give-up: --- web.yaml") || e.Ways[0].NotTried || len(s.tried) != 1 {
		t.Errorf("%q %q", got, s.tried)
	}
}
