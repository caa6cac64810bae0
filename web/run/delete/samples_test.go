package deletion

import (
	"testing"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples, dooms) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	pages := map[string]page.Page{}
	ref := dependents.Ref{Kind: s.String(), APIVersion: s.String(), Namespace: s.String(), Name: s.String(), Href: "/c/practice", Blocks: true, Others: 1, Created: pagetest.Now}
	held := s.Owned()
	metadata, _ := held.Fields["metadata"].(map[string]any)
	metadata["finalizers"], metadata["ownerReferences"] = []any{s.String(), s.String() + "/too"}, []any{map[string]any{"kind": s.String(), "name": s.String(), "controller": true}}
	for name, options := range map[string]Options{
		"": {Propagation: Background}, ", with all chosen": {Propagation: Foreground, Grace: s.String(), OnlyIf: Whatever},
	} {
		pages["in a deletion"+name] = Model{
			Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Path: apipath.Object("", "v1", s.String(), "pods", s.String()), Type: s.PodType(), Object: held, Options: options, Now: pagetest.Now,
			Owned: []dependents.Ref{ref}, Search: dependents.Search{Where: s.String(), LeftOut: []string{s.String()}},
		}
	}
	return pages
}

// dooms are pages on which a namespace is deleted, with all that is in it.
func dooms(s pagetest.Text) map[string]page.Page {
	frame := s.Shell(apipath.Path{})
	frame.ReadOnly = false
	search := dependents.Search{Types: 61, Objects: 4812, Where: "in the namespace " + s.String(), At: pagetest.Now, Finished: true, LeftOut: []string{s.String()}}
	m := Model{
		Frame: page.Frame{Kind: Kind, Shell: frame}, Path: apipath.Object("", "v1", "", "namespaces", s.String()), Now: pagetest.Now, Options: Options{Propagation: Background, OnlyIf: SameVersion},
		Type: discovery.Type{Version: "v1", Resource: "namespaces", Kind: "Namespace", Verbs: []string{"get", "list", "watch", "delete"}},
		Object: object.Object{Fields: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.String(), "uid": "8f0c2b1e-52a4-4c1b-9a52-0c3f6f2f1a77", "resourceVersion": "48120"},
			"spec": map[string]any{"finalizers": []any{"kubernetes"}},
		}},
		Search: search,
		Doom: &Doom{
			Types: []DoomedType{
				{Name: "pods", Href: "/c/practice", Objects: 1200}, {Name: "configmaps", Href: "/c/practice", Objects: 96}, {Name: s.String() + ".practice.fieldmark.dev", Href: "/c/practice", Objects: 1},
			},
			Finalizers: []HeldBy{
				{Name: "kubernetes.io/pvc-protection", Objects: 2, First: []apipath.Path{apipath.Object("", "v1", s.String(), "persistentvolumeclaims", "data-0")}},
				{Name: "practice.fieldmark.dev/" + s.String(), Objects: 1, First: []apipath.Path{apipath.Object("practice.fieldmark.dev", "v1", s.String(), "scenarios", s.String())}},
			},
			Volumes: []Volume{
				{Name: "pvc-8f0c2b1e-52a4-4c1b-9a52-0c3f6f2f1a77", Claim: s.String(), Policy: "Delete", Size: "20Gi"}, {Name: s.String(), Claim: "data-0", Policy: "Retain", Size: "1Ti"},
			},
			Search: search,
		},
	}
	dry := page.Response{ID: "dry 1", Status: 200, Body: []byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":` + s.Quoted() + `},"spec":{"finalizers":["kubernetes"]}}`)}
	return map[string]page.Page{"in a deletion of a namespace": m, "in a deletion of a namespace, alive": pagetest.Live(m), "in a deletion of a namespace, tried": pagetest.Live(m, dry)}
}
