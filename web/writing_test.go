package web_test

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/refusal"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	checkpage "github.com/fieldmark/fieldmark/web/write/check"
	deletion "github.com/fieldmark/fieldmark/web/write/delete"
	explainpage "github.com/fieldmark/fieldmark/web/write/explain"
)

// shares is an object of which 40 owners have one field each, so that their parts are narrow.
func (s sample) shares() object.Object {
	labels, entries := map[string]any{}, []any{}
	for i := range 40 {
		key := "l-" + strconv.Itoa(i+1)
		labels[key] = s.text()
		entries = append(entries, applied(s.text()+"-"+strconv.Itoa(i+1), "apps/v1", map[string]any{"f:selector": map[string]any{"f:matchLabels": map[string]any{"f:" + key: map[string]any{}}}}))
	}
	return object.Object{Fields: map[string]any{
		"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": map[string]any{"name": s.text(), "managedFields": entries},
		"spec": map[string]any{"selector": map[string]any{"matchLabels": labels}, "replicas": json.Number("3")},
	}}
}

// dooms are pages on which a namespace is deleted, with all that is in it.
func (s sample) dooms() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.ReadOnly = false
	search := dependents.Search{Types: 61, Objects: 4812, Where: "in the namespace " + s.text(), At: now, Finished: true, LeftOut: []string{s.text()}}
	m := deletion.Model{
		Frame: page.Frame{Shell: frame}, Path: apipath.Object("", "v1", "", "namespaces", s.text()), Now: now, Options: deletion.Options{Propagation: deletion.Background, OnlyIf: deletion.SameVersion},
		Type: discovery.Type{Version: "v1", Resource: "namespaces", Kind: "Namespace", Verbs: []string{"get", "list", "watch", "delete"}},
		Object: object.Object{Fields: map[string]any{
			"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": s.text(), "uid": "8f0c2b1e-52a4-4c1b-9a52-0c3f6f2f1a77", "resourceVersion": "48120"},
			"spec": map[string]any{"finalizers": []any{"kubernetes"}},
		}},
		Search: search,
		Doom: &deletion.Doom{
			Types: []deletion.DoomedType{
				{Name: "pods", Href: "/c/practice", Objects: 1200}, {Name: "configmaps", Href: "/c/practice", Objects: 96}, {Name: s.text() + ".practice.fieldmark.dev", Href: "/c/practice", Objects: 1},
			},
			Finalizers: []deletion.HeldBy{{Name: "kubernetes.io/pvc-protection", Objects: 2}, {Name: "practice.fieldmark.dev/" + s.text(), Objects: 1}},
			Volumes: []deletion.Volume{
				{Name: "pvc-8f0c2b1e-52a4-4c1b-9a52-0c3f6f2f1a77", Claim: s.text(), Policy: "Delete", Size: "20Gi"}, {Name: s.text(), Claim: "data-0", Policy: "Retain", Size: "1Ti"},
			},
			Search: search,
		},
	}
	dry := page.Response{ID: "dry 1", Status: 200, Body: []byte(`{"kind":"Namespace","apiVersion":"v1","metadata":{"name":` + s.quoted() + `},"spec":{"finalizers":["kubernetes"]}}`)}
	return map[string]templ.Component{"in a deletion of a namespace": page.View(m), "in a deletion of a namespace, alive": page.View(s.live(m)), "in a deletion of a namespace, tried": page.View(s.live(m, dry))}
}

// undelivered are pages of checks that find values that won't arrive.
func (s sample) undelivered() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.Tool = web.Check
	about := check.Object{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: s.text()}
	lost := func(line int, path, live, stated, why string) check.Finding {
		f := check.Finding{Kind: check.Server, Object: about, Path: path, File: checkpage.Pasted, Line: line, Stated: []byte(stated), Why: "The value of the manifest won't arrive. " + why}
		if live != "" {
			f.Live = []byte(live)
		}
		return f
	}
	m := checkpage.Model{Frame: page.Frame{Shell: frame}, Now: now, Text: "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n  labels:\n    zone: west\nspec:\n  replicas: null\n", Judged: [][]check.Finding{{
		lost(6, ".metadata.labels.zone", `"east"`, `"west"`, "A policy of the cluster sets east."),
		lost(8, ".spec.replicas", "1", "null", "The API server sets its default instead. That is the default. Without the field, the manifest means the same and doesn't own the field."),
		lost(8, `.spec.template.spec.containers[name="`+s.text()+`"].env`, "", "null", "The API server ignores the null, and yet counts the field as yours."),
		{Kind: check.Conflict, Object: about, Path: ".spec.template.spec.containers[name=\"web\"].image", File: checkpage.Pasted, Line: 7, Live: []byte(`"registry.example/shop/web:1.27.4"`), Stated: []byte(`"registry.example/shop/web:1.28.0"`), Why: s.text()},
	}}}
	return map[string]templ.Component{"in a check, undelivered": page.View(s.live(m)), "in a check, undelivered, opened": page.View(s.live(m, page.Pressed{Key: "j"}))}
}

// refused are texts with several refusals, as tools print them, without a cluster that was asked.
const refused = `error: Apply failed with 2 conflicts: conflicts with "helm" using apps/v1 at 2026-11-21T11:00:00Z:
- .spec.replicas
- .spec.template.spec.containers[name="web"].image
Please review the fields above--they currently have other managers.
The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable
Error from server (Forbidden): error when creating "role.yaml": roles.rbac.authorization.k8s.io is forbidden: User "jane" cannot create resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "shop"
Error from server (AlreadyExists): configmaps "settings" already exists
error: resource mapping not found for name: "main" namespace: "" from "crd.yaml": no matches for kind "Gateway" in version "gateway.networking.k8s.io/v1"
ensure CRDs are installed first
`

// refusals is the page that explains several refusals.
func (s sample) refusals() map[string]templ.Component {
	frame := s.shell(apipath.Path{})
	frame.Tool = web.Explain
	answer := inquiry.New(refusal.Read(context.Background(), refused), inquiry.Options{Namespace: "shop"}).Answer()
	return map[string]templ.Component{"in an explanation, several": page.View(explainpage.Model{Frame: page.Frame{Shell: frame}, Text: refused, Namespace: "shop", Answer: &answer, Now: now})}
}
