package act

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// parsed is the object that a manifest describes.
func parsed(t testing.TB, manifest string) object.Object {
	t.Helper()
	read := source.Parse(manifest)
	if len(read.Documents) != 1 || read.Documents[0].Broken {
		t.Fatalf("not one document: %+v\n%s", read.Problems, manifest)
	}
	data, err := read.Documents[0].JSON()
	if err != nil {
		t.Fatal(err)
	}
	o, err := object.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// all are the objects that manifests describe.
func all(t testing.TB, manifests ...string) Result {
	t.Helper()
	var r Result
	for _, m := range manifests {
		r.Objects = append(r.Objects, parsed(t, m))
	}
	return r
}

var (
	writable    = []string{"get", "list", "watch", "create", "update", "patch", "delete"}
	scaleSub    = discovery.Subresource{Name: "scale", Kind: "Scale", Group: "autoscaling", Version: "v1", Verbs: []string{"get", "patch", "update"}}
	deployments = discovery.Type{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Namespaced: true, Verbs: writable, Subresources: []discovery.Subresource{scaleSub}}
	custom      = discovery.Type{Group: "example.com", Version: "v1", Resource: "farms", Kind: "Farm", Namespaced: true, Verbs: writable, Subresources: []discovery.Subresource{scaleSub}}
)

// subject is the object that a manifest describes, as a subject. It is in the namespace shop if its type is in namespaces.
func subject(t testing.TB, of discovery.Type, manifest string) Subject {
	t.Helper()
	o := parsed(t, manifest)
	namespace := ""
	if of.Namespaced {
		namespace = "shop"
	}
	return Subject{Type: of, Path: apipath.Object(of.Group, of.Version, namespace, of.Resource, o.Meta("name")), Object: o, Now: noon}
}

// planned is the plan of an act.
func planned(t testing.TB, name string, s Subject, found Found, chosen Chosen) Plan {
	t.Helper()
	a, ok := Find(s.Type, name)
	if !ok {
		t.Fatalf("%s has no act %s", s.Type.Resource, name)
	}
	return a.Plan(s, found, chosen)
}

// say are the texts of a plan's notes.
func (p Plan) say() string {
	var b strings.Builder
	for _, n := range p.Notes {
		b.WriteString(string(n.Tone) + ": " + n.Text + "\n")
	}
	return b.String()
}

// only is the only step of a plan, with its body.
func only(t testing.TB, p Plan) (Step, map[string]any) {
	t.Helper()
	if len(p.Steps) != 1 {
		t.Fatalf("%d steps, nothing: %q, wrong: %v", len(p.Steps), p.Nothing, p.Wrong)
	}
	return p.Steps[0], body(t, p.Steps[0])
}

func body(t testing.TB, s Step) map[string]any {
	t.Helper()
	o, err := object.Parse(s.Request.Body)
	if err != nil {
		t.Fatal(err)
	}
	return o.Fields
}

// losers are the managers that lose a field, with ! if they are likely to write it again.
func losers(p Plan, path string) []string {
	var names []string
	for _, touch := range p.Touches {
		if touch.Path != path {
			continue
		}
		for _, h := range touch.Loses {
			name := h.Name
			if h.Returns {
				name += "!"
			}
			names = append(names, name)
		}
	}
	return names
}

func contains(t testing.TB, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%q is missing in:\n%s", w, got)
		}
	}
}

func TestActsFollowFromTheType(t *testing.T) {
	names := func(of discovery.Type) string {
		var all []string
		for _, a := range Of(of) {
			all = append(all, a.Name)
		}
		return strings.Join(all, " ")
	}
	if got := names(custom); !strings.HasPrefix(got, "scale") {
		t.Errorf("a custom resource with the subresource scale: %s", got)
	}
	readOnly := custom
	readOnly.Verbs, readOnly.Subresources = []string{"get", "list"}, []discovery.Subresource{{Name: "scale", Verbs: []string{"get"}}}
	if got := names(readOnly); got != "" {
		t.Errorf("a type that can only be read: %s", got)
	}
}

func TestARequiredReadIsWaitedFor(t *testing.T) {
	read := Read{Name: "pods", What: "the Pods of the node", Required: true}
	a := Act{
		reads: func(Subject) []Read { return []Read{read} },
		plan:  func(p *planner) { p.Steps = []Step{{Title: "go"}} },
	}
	s := subject(t, deployments, web)
	if p := a.Plan(s, nil, nil); !p.Waits || len(p.Steps) > 0 {
		t.Errorf("%+v", p)
	}
	refused := Found{"pods": {No: &status.Status{Code: 403, Message: "pods is forbidden"}}}
	if p := a.Plan(s, refused, nil); p.Waits || len(p.Steps) > 0 || p.Nothing != "The plan needs the Pods of the node, and the API server refused the request: pods is forbidden" {
		t.Errorf("%+v", p)
	}
	if p := a.Plan(s, Found{"pods": {}}, nil); len(p.Steps) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestAResultIsAnObjectOrAList(t *testing.T) {
	list, err := ReadResult([]byte(`{"metadata":{"continue":"x"},"items":[{"kind":"Pod"},{"kind":"Pod"},"no object"]}`))
	if err != nil || len(list.Objects) != 2 || !list.More {
		t.Errorf("%+v, %v", list, err)
	}
	one, err := ReadResult([]byte(`{"kind":"Pod"}`))
	if err != nil || len(one.Objects) != 1 || one.More {
		t.Errorf("%+v, %v", one, err)
	}
	if _, err := ReadResult([]byte(`[]`)); err == nil {
		t.Error("a list is no object")
	}
	data, _ := json.Marshal(list)
	var again Result
	if err := json.Unmarshal(data, &again); err != nil || !slices.EqualFunc(list.Objects, again.Objects, func(a, b object.Object) bool { return a.Kind() == b.Kind() }) {
		t.Errorf("%+v, %v", again, err)
	}
}
