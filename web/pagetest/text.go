package pagetest

import (
	"encoding/json"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	scan "github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Now is the time in samples.
var Now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Text is a text that came from the cluster. A sample has it wherever a cluster may say what it likes. Its methods make what the samples of several pages have.
type Text string

// String implements fmt.Stringer.
func (s Text) String() string { return string(s) }

// Quoted is the text in JSON.
func (s Text) Quoted() string {
	text, err := json.Marshal(s.String())
	if err != nil {
		panic(err) // it is a string
	}
	return string(text)
}

// Outside is the shell of a page that is in no cluster.
func (s Text) Outside() shell.Model {
	return shell.Model{
		Title: "A title", Origin: "http://127.0.0.1:1", Here: "/", Assets: shell.Assets{Stylesheet: "/static/fieldmark.css", Icon: "/static/icon.svg"},
		Clusters: []shell.Cluster{{Slug: "practice", Name: s.String()}, {Slug: "other", Name: "other"}},
	}
}

// Shell is the shell of a page in a cluster, which shows the path.
func (s Text) Shell(p apipath.Path) shell.Model {
	m := s.Outside()
	m.Title, m.ReadOnly, m.Theme, m.Path = s.String(), true, "dark", p
	m.Cluster = m.Clusters[0]
	m.Namespaces, m.MoreNamespaces, m.NamespacesNote = []string{"default", s.String()}, true, s.String()
	m.Catalog = discovery.Catalog{
		Groups: []discovery.Group{
			{Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{s.PodType()}}}},
			{Name: s.String(), Preferred: "v1", Versions: []discovery.Version{{Name: "v1", Types: []discovery.Type{s.OddType()}}, {Name: s.String()}}},
		},
		Failures: []discovery.Failure{{Group: s.String(), Version: "v1", Why: s.String()}},
	}
	m.Requests = []components.Request{
		{Verb: "list", Method: "GET", Target: "/api/v1/" + s.String(), Status: 200, MediaType: s.String(), Bytes: 1},
		{Verb: "get", Method: "GET", Target: "/" + s.String(), Status: 500},
	}
	who := manager.Manager{Name: s.String(), Operation: s.String(), Subresource: s.String()}
	m.Fights = []scan.Known{{From: scan.FromScan, Fight: scan.Fight{
		Object: scan.Object{Path: p.String(), Kind: s.String(), Namespace: s.String(), Name: s.String()}, Path: s.String(), Count: 3, Last: Now,
		Managers: []scan.Manager{who, {Name: "other"}}, Values: [2]string{s.String(), ""},
	}}}
	return m
}

// PodType is the type of pods.
func (s Text) PodType() discovery.Type {
	return discovery.Type{
		Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, ShortNames: []string{s.String()},
		Verbs:        []string{"get", "list", "watch"},
		Subresources: []discovery.Subresource{{Name: s.String(), Kind: s.String(), Verbs: []string{"get"}}},
	}
}

// OddType is a type of which the cluster says everything.
func (s Text) OddType() discovery.Type {
	return discovery.Type{Group: s.String(), Version: "v1", Resource: s.String(), Kind: s.String(), Verbs: []string{"list", s.String()}}
}

// Notice is a notice with all parts.
func (s Text) Notice() components.Notice {
	return components.Notice{
		Tone: components.Warn, Title: s.String(), Words: s.String(), Advice: s.String(), Quoted: s.String(), Details: []string{s.String()},
		Links: []components.Link{{Text: s.String(), Href: "/", Hint: s.String()}},
	}
}

// Owned is an object of which several own parts.
func (s Text) Owned() object.Object {
	entry := func(operation string, fields map[string]any) any {
		return map[string]any{
			"manager": s.String(), "operation": operation, "subresource": s.String(), "apiVersion": s.String(), "time": "2026-11-21T11:00:00Z",
			"fieldsType": "FieldsV1", "fieldsV1": map[string]any{"f:spec": fields},
		}
	}
	spec := map[string]any{"f:" + s.String(): map[string]any{}, "f:gone": map[string]any{}, "x:" + s.String(): map[string]any{}}
	return object.Object{Fields: map[string]any{
		"apiVersion": s.String(), "kind": s.String(), "spec": map[string]any{s.String(): s.String()},
		"metadata": map[string]any{"name": s.String(), "managedFields": []any{entry("Apply", spec), entry("Update", spec), s.String()}},
	}}
}

// Table is a table of pods as an API server prints it.
func (s Text) Table() table.Table {
	row := table.Row{
		UID: s.String(), Namespace: s.String(), Name: s.String(), ResourceVersion: s.String(), Created: Now, Labels: table.LabelsOf(map[string]string{s.String(): s.String()}), Deleting: true,
		Cells: []table.Cell{table.Cell(s), table.Cell(s), table.Cell(s), "Running"},
	}
	other := row
	other.UID += " too"
	remaining := int64(12000)
	return table.Table{
		Columns: []table.Column{
			{Name: s.String(), Type: "string", Format: "name", Description: s.String()},
			{Name: "Ready", Type: "integer"},
			{Name: "Wide", Type: "string", Priority: 1},
			{Name: "Status", Type: "string"},
		},
		Rows: []table.Row{row, other}, ResourceVersion: s.String(), Continue: s.String(), Remaining: &remaining, Printed: true,
	}
}

// Object is an object that is being deleted, with a condition.
func (s Text) Object() object.Object {
	return object.Object{Fields: map[string]any{
		"apiVersion": s.String(), "kind": s.String(),
		"metadata": map[string]any{
			"name": s.String(), "resourceVersion": s.String(), "creationTimestamp": "2026-11-21T10:00:00Z", "deletionTimestamp": "2026-11-21T11:00:00Z",
			"finalizers": []any{s.String()}, "managedFields": []any{map[string]any{"manager": s.String()}}, "annotations": map[string]any{"a": s.String()},
		},
		"status": map[string]any{"conditions": []any{map[string]any{"type": s.String(), "status": s.String(), "reason": s.String(), "message": s.String()}}},
	}}
}

// Answer is a button that was pressed, and the response to the request that it sent.
func (s Text) Answer(button, id string, code int, body string) []page.Msg {
	return []page.Msg{
		page.Acted{Action: button},
		page.Opened{ID: id, Status: code, Header: []request.Header{{Name: s.String(), Value: s.String()}}},
		page.Arrived{ID: id, Part: []byte(body)},
		page.Ended{ID: id, How: page.Whole},
	}
}

// Live is a page after messages.
func Live(p page.Page, messages ...page.Msg) page.Page { return LiveAt(Now, p, messages...) }

// LiveAt is a page that became alive at a time, after messages and the work that they gave it.
func LiveAt(at time.Time, p page.Page, messages ...page.Msg) page.Page {
	p, _ = p.Awake(at)
	for _, msg := range messages {
		p, _ = p.Update(msg)
		if works, is := p.(page.Working); is {
			for works.Work() {
			}
		}
	}
	return p
}
