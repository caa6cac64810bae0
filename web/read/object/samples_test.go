package object

import (
	"encoding/json"
	"maps"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/apipath"
	scan "github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/kube/schema"
	history "github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/read/object/fields"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/related"
	"github.com/fieldmark/fieldmark/web/read/object/secrets"
	"github.com/fieldmark/fieldmark/web/read/timeline"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	ref := dependents.Ref{Kind: s.String(), APIVersion: s.String(), Namespace: s.String(), Name: s.String(), Href: "/c/practice", Controller: true, Blocks: true, Created: pagetest.Now, Depth: 9}
	unserved := ref
	unserved.Href = ""
	pages := claims(s)
	add := func(name string, change func(*Model)) {
		m := sample(s)
		change(&m)
		pages["in an object"+name] = m
	}
	add("", func(*Model) {})
	add(", fields", func(m *Model) { m.Tab = Fields })
	add(", fields, a look", func(m *Model) {
		m.Tab, m.Outline, m.Object = Fields, schemaIn(s), s.Owned()
		m.Fields.Reading = fields.Reading{Field: ".spec." + s.String(), Managers: []string{s.String()}, Only: fields.Shared}
	})
	add(", fields, a field there is not", func(m *Model) {
		m.Tab, m.Object, m.Fields.Untold, m.Fields.Reading = Fields, s.Owned(), s.String(), fields.Reading{Field: s.String(), Filter: "nothing holds this" + s.String()}
	})
	add(", JSON", func(m *Model) { m.Tab = JSON })
	add(", managed", func(m *Model) { m.Managed = true })
	add(", secret", func(m *Model) {
		m.Secrets.Values = []object.SecretValue{{Key: s.String(), Bytes: 3}, {Key: "other", Bytes: 1}}
		m.Secrets.Reveal = &secrets.Revealed{Key: s.String(), Text: s.String(), Data: true}
	})
	add(", events", func(m *Model) { m.Tab, m.Events.Table = Events, s.Table() })
	add(", no events", func(m *Model) { m.Tab = Events })
	add(", owners", func(m *Model) {
		m.Tab, m.Owners.Owners, m.Owners.Owned = Related, []dependents.Ref{ref, unserved}, []dependents.Ref{ref, unserved}
		m.Owners.Search = dependents.Search{Types: 3, Objects: 40, Where: "in all namespaces", LeftOut: []string{s.String()}}
		m.Owners.State = dependents.State{Words: s.String(), Ready: s.String(), Tone: components.Bad}
		m.Owners.Groups = []related.Group{
			{ID: "refers-to", Title: "Refers to", Refs: []dependents.Ref{ref, unserved}, Notes: []string{s.String()}, Searched: []string{s.String()}, All: "/c/practice"},
			{ID: "endpoints", Title: "Endpoints", Endpoints: []related.Endpoint{{Endpoint: reference.Endpoint{Address: s.String(), Target: s.String(), Node: s.String()}, Href: "/c/practice"}}},
		}
	})
	add(", no owners", func(m *Model) {
		m.Tab, m.Owners.Search = Related, dependents.Search{Finished: true}
	})
	add(", schema", func(m *Model) { m.Tab, m.Outline = Schema, schemaIn(s) })
	add(", schema, nowhere", func(m *Model) {
		m.Tab, m.Outline = Schema, outline.New(schemaIn(s).Schema, url.Values{"field": {s.String()}, "open": {"none"}})
	})
	add(", schema, nothing told", func(m *Model) { m.Tab, m.Outline = Schema, &outline.Outline{} })
	add(", problem", func(m *Model) { m.Tab, m.Problem = Events, &notice })
	add(", watched", func(m *Model) {
		m.Type.Verbs = append(m.Type.Verbs, "watch")
		m.Watched = &scan.Watched{Object: scan.Object{Path: s.String()}, Began: pagetest.Now, Ends: pagetest.Now.Add(time.Hour), State: scan.Troubled, Why: s.String()}
		rec := history.NewRecording(history.Limits{Versions: 9, Bytes: 1 << 20})
		rec.Add(m.Object, pagetest.Now)
		m.Tab, m.Kept = Timeline, timeline.KeptOf(rec)
	})
	maps.Copy(pages, recordings(s))
	add(", subresource", func(m *Model) { m.Shell.Path = apipath.SubresourceOf(m.Shell.Path, "status") })
	return pages
}

// recordings are pages with a fight, versions that changed only status, and a server's recording that didn't arrive: alive, and without scripts.
func recordings(s pagetest.Text) map[string]page.Page {
	m := sample(s)
	m.Type.Verbs, m.Tab = append(m.Type.Verbs, "watch"), Timeline
	alive := pagetest.Live(m).(Model)
	rec := history.NewRecording(history.Limits{Versions: 40, Bytes: 1 << 20})
	for i := range 16 {
		who, spec, part := s.String(), i/4%2, "spec"
		if i%4 > 0 {
			who, part = s.String()+"-controller", "status"
		} else if spec == 1 {
			who = "autoscaler"
		}
		o := object.Object{Fields: map[string]any{
			"kind": "Pod", "spec": map[string]any{"replicas": spec}, "status": map[string]any{"replicas": i},
			"metadata": map[string]any{"uid": "u", "resourceVersion": strconv.Itoa(i), "managedFields": []any{map[string]any{
				"manager": who, "operation": "Update", "time": pagetest.Now.Add(time.Duration(i) * time.Second).Format(time.RFC3339),
				"fieldsV1": map[string]any{"f:" + part: map[string]any{"f:replicas": map[string]any{}}},
			}}},
		}}
		at := pagetest.Now.Add(time.Duration(i) * time.Second)
		rec.Add(o, at)
		alive.live.timeline.Add(o, nil, at)
	}
	alive.live.timeline.CatchUp()
	alive.live.timeline.Recalled(page.Response{})
	m.Kept = timeline.KeptOf(rec)
	m.Watched = &scan.Watched{Object: scan.Object{Path: s.String()}, Began: pagetest.Now}
	return map[string]page.Page{"in an object, timeline, alive": alive, "in an object, timeline, kept": m}
}

func sample(s pagetest.Text) Model {
	return Model{
		Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Object("", "v1", s.String(), "pods", s.String()))}, Type: s.PodType(), Tab: YAML, Now: pagetest.Now,
		Object: object.Object{Fields: map[string]any{
			"apiVersion": s.String(), "kind": s.String(),
			"metadata": map[string]any{
				"name": s.String(), "resourceVersion": s.String(), "creationTimestamp": "2026-11-21T10:00:00Z", "deletionTimestamp": "2026-11-21T11:00:00Z",
				"finalizers": []any{s.String()}, "managedFields": []any{map[string]any{"manager": s.String()}}, "annotations": map[string]any{"a": s.String()},
			},
			"status": map[string]any{"conditions": []any{map[string]any{"type": s.String(), "status": s.String(), "reason": s.String(), "message": s.String()}}},
		}},
	}
}

// claims are pages of fields that are claimed in another version, and by many managers: with a field chosen, and alive, where fields fold.
func claims(s pagetest.Text) map[string]page.Page {
	pages := map[string]page.Page{}
	for field, o := range map[string]object.Object{".spec.metrics": scaler(s), ".spec.replicas": crowded(s), ".spec.selector": shares(s)} {
		m := sample(s)
		m.Tab, m.Object = Fields, o
		pages["in an object, fields, alive, of a "+o.Kind()] = pagetest.Live(m)
		m.Fields.Reading = fields.Reading{Field: field}
		pages["in an object, fields, "+field+" of a "+o.Kind()] = m
	}
	return pages
}

// applied is an entry of managedFields that a manager applied in a version.
func applied(by, version string, spec map[string]any) any {
	return map[string]any{
		"manager": by, "operation": "Apply", "apiVersion": version, "time": "2026-11-21T11:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": spec},
	}
}

// scaler is an autoscaler of autoscaling/v2 that two managers applied as autoscaling/v1, where its metrics have another name and form.
func scaler(s pagetest.Text) object.Object {
	own := map[string]any{"f:maxReplicas": map[string]any{}, "f:scaleTargetRef": map[string]any{}, "f:targetCPUUtilizationPercentage": map[string]any{}}
	return object.Object{Fields: map[string]any{
		"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler",
		"metadata": map[string]any{"name": s.String(), "managedFields": []any{applied(s.String(), "autoscaling/v1", own), applied(s.String()+"-too", "autoscaling/v1", own)}},
		"spec": map[string]any{
			"maxReplicas": json.Number("9"), "minReplicas": json.Number("1"), "scaleTargetRef": map[string]any{"apiVersion": "apps/v1", "kind": "Deployment", "name": s.String()},
			"metrics": []any{map[string]any{"type": "Resource", "resource": map[string]any{"name": "cpu", "target": map[string]any{"type": "Utilization", "averageUtilization": json.Number("70")}}}},
		},
	}}
}

// crowded is an object of 120 owners, who share one field.
func crowded(s pagetest.Text) object.Object {
	var entries []any
	for i := range 120 {
		entries = append(entries, applied(s.String()+"-"+strconv.Itoa(i+1), "apps/v1", map[string]any{"f:replicas": map[string]any{}}))
	}
	return object.Object{Fields: map[string]any{
		"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": s.String(), "managedFields": entries},
		"spec": map[string]any{"replicas": json.Number("3"), "paused": true},
	}}
}

// shares is an object of which 40 owners have one field each, so that their parts are narrow.
func shares(s pagetest.Text) object.Object {
	labels, entries := map[string]any{}, []any{}
	for i := range 40 {
		key := "l-" + strconv.Itoa(i+1)
		labels[key] = s.String()
		entries = append(entries, applied(s.String()+"-"+strconv.Itoa(i+1), "apps/v1", map[string]any{"f:selector": map[string]any{"f:matchLabels": map[string]any{"f:" + key: map[string]any{}}}}))
	}
	return object.Object{Fields: map[string]any{
		"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": map[string]any{"name": s.String(), "managedFields": entries},
		"spec": map[string]any{"selector": map[string]any{"matchLabels": labels}, "replicas": json.Number("3")},
	}}
}

// schemaIn is a schema in which every text is the given one, and the reader somewhere in it.
func schemaIn(s pagetest.Text) *outline.Outline {
	field := map[string]any{
		"type": "array", "description": s.String(), "default": s.String(), "enum": []string{s.String()}, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []string{s.String()},
		"x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": s.String(),
		"items": map[string]any{"type": "object", "required": []string{s.String()}, "properties": map[string]any{s.String(): map[string]any{"type": s.String(), "format": s.String()}}},
	}
	text, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": map[string]any{
		s.String(): map[string]any{"properties": map[string]any{s.String(): field}},
		"Sample": map[string]any{
			"description": s.String(), "properties": map[string]any{"spec": map[string]any{"$ref": "#/components/schemas/" + s.String()}},
			"x-kubernetes-group-version-kind": []any{map[string]string{"version": "v1", "kind": "Pod"}},
		},
	}}})
	if err != nil {
		panic(err)
	}
	document, err := schema.Parse(text)
	if err != nil {
		panic(err)
	}
	found, _ := document.Schema(schema.Kind{Version: "v1", Kind: "Pod"})
	at := schema.Path{"spec", s.String()}.String()
	return outline.New(found, url.Values{"field": {at}, "open": {at}})
}

func TestATabIsCurrent(t *testing.T) {
	for name, p := range samples("some-text") {
		tree := pagetest.Tree(t, page.View(p))
		tabs := pagetest.All(tree, "nav", "aria-label=Views of this object")
		if len(tabs) != 1 || len(pagetest.All(tabs[0], "a", "aria-current=page")) != 1 {
			t.Errorf("%s: no tab, or several, are current", name)
		}
	}
}
