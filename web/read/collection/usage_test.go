package collection

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

var (
	begun     = time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	podType   = discovery.Type{Version: "v1", Resource: "pods", Kind: "Pod", Namespaced: true, Verbs: []string{"get", "list", "watch"}}
	withUsage = discovery.Catalog{Groups: []discovery.Group{{Name: "metrics.k8s.io", Versions: []discovery.Version{{Name: "v1beta1", Types: []discovery.Type{
		{Group: "metrics.k8s.io", Version: "v1beta1", Resource: "pods", Namespaced: true},
	}}}}}}
)

const (
	someFigures = `{"kind":"PodMetricsList","items":[
		{"metadata":{"namespace":"shop","name":"a"},"containers":[{"name":"x","usage":{"cpu":"120m","memory":"90Mi"}}]},
		{"metadata":{"namespace":"shop","name":"b"},"containers":[{"name":"x","usage":{"cpu":"9m","memory":"250Mi"}}]}]}`
	someBounds = `{"metadata":{},"items":[{"metadata":{"namespace":"shop","name":"a"},"spec":{"containers":[
		{"name":"x","resources":{"requests":{"cpu":"100m","memory":"128Mi"},"limits":{"memory":"256Mi"}}}]}}]}`
)

func podRow(name string) table.Row {
	return table.Row{UID: name, Namespace: "shop", Name: name, ResourceVersion: "1", Cells: []table.Cell{table.Cell(name), "Running", "10.0.0.1"}}
}

func pods(catalog discovery.Catalog) Model {
	return Model{
		Type: podType, Query: ParseQuery(nil),
		Frame: page.Frame{Shell: shell.Model{Path: apipath.Collection("", "v1", "shop", "pods"), Cluster: shell.Cluster{Slug: "c"}, Catalog: catalog}},
		Table: table.Table{
			Columns: []table.Column{{Name: "Name", Format: "name"}, {Name: "Status"}, {Name: "IP", Priority: 1}},
			Rows:    []table.Row{podRow("a"), podRow("b"), podRow("c")}, Printed: true,
		},
	}
}

func asked(commands []page.Cmd, id string) string {
	for _, c := range commands {
		if get, ok := c.(page.Call); ok && get.ID == id {
			return get.Path
		}
	}
	return ""
}

func response(m page.Page, id string, code int, body string) (Model, []page.Cmd) {
	p, commands := m.Update(page.Response{ID: id, Status: code, Body: []byte(body)})
	return p.(Model), commands
}

func TestFiguresAreRequestedWhereTheyAreServed(t *testing.T) {
	for name, c := range map[string]struct {
		m    func() Model
		want string
	}{
		"pods":        {func() Model { return pods(withUsage) }, "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods"},
		"no metrics":  {func() Model { return pods(discovery.Catalog{}) }, ""},
		"later chunk": {func() Model { m := pods(withUsage); m.Query.Continue = "t"; return m }, ""},
		"selected": {
			func() Model { m := pods(withUsage); m.Query.LabelSelector = "app=web"; return m },
			"/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods?labelSelector=app%3Dweb",
		},
		"another type": {func() Model { m := pods(withUsage); m.Type.Group = "example.com"; return m }, ""},
	} {
		_, commands := c.m().Awake(begun)
		if got := asked(commands, askUsage); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestFiguresAreColumns(t *testing.T) {
	awake, _ := pods(withUsage).Awake(begun)
	m, commands := response(awake, askUsage, 200, someFigures)
	if got := asked(commands, askBounds); got != "/api/v1/namespaces/shop/pods?limit=50" {
		t.Errorf("requests and limits: %q", got)
	}
	m, _ = response(m, askBounds, 200, someBounds)
	g := m.grid(m.laidOut())
	var heads []string
	for _, h := range g.Head {
		heads = append(heads, h.Name)
	}
	if got := strings.Join(heads, " "); got != "Name Status CPU Memory" {
		t.Errorf("columns: %s", got)
	}
	a, b, c := g.Rows[0], g.Rows[1], g.Rows[2]
	if a.Cells[2].Text != "120m" || a.Cells[3].Text != "90Mi" || b.Cells[3].Text != "250Mi" || c.Cells[2].Text != "" {
		t.Errorf("%+v", g.Rows)
	}
	if a.Cells[2].Meter == nil || a.Cells[2].Meter.Words != "120m in use, 100m requested, no limit" || b.Cells[2].Meter != nil {
		t.Errorf("bars: %+v, %+v", a.Cells[2].Meter, b.Cells[2].Meter)
	}
	for sort, want := range map[string]string{"CPU": "b a c", "-Memory": "c b a"} {
		m.Query.Sort = table.ParseOrder(sort)
		m.rearrange()
		var names []string
		for _, r := range m.grid(m.laidOut()).Rows {
			names = append(names, r.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("sorted by %s: %s", sort, got)
		}
	}
}

func TestRowsOfTheWatchKeepTheirFigures(t *testing.T) {
	awake, _ := pods(withUsage).Awake(begun)
	m, _ := response(awake, askUsage, 200, someFigures)
	changed := podRow("a")
	changed.ResourceVersion, changed.Cells[1] = "2", "Failed"
	p, _ := m.Update(page.Received{Message: wire.Message{Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Row: &changed}}}})
	m = p.(Model)
	row, _ := m.live.rows.Get("a")
	if got := row.Cells; len(got) != 5 || got[1] != "Failed" || got[2] != "120m" || got[4] != "10.0.0.1" {
		t.Errorf("%v", got)
	}
	m, _ = response(m, askUsage, 200, strings.ReplaceAll(someFigures, "120m", "130m"))
	if row, _ := m.live.rows.Get("a"); len(row.Cells) != 5 || row.Cells[2] != "130m" {
		t.Errorf("%v", row.Cells)
	}
}

func TestARefusalIsANoteAndNoColumns(t *testing.T) {
	for code, want := range map[int]string{403: "you don’t have permission", 503: "isn’t available", 0: "isn’t available", 404: "No figures"} {
		awake, _ := pods(withUsage).Awake(begun)
		m, _ := response(awake, askUsage, code, `{"kind":"Status","message":"no"}`)
		if note := m.usageNote(); !strings.Contains(note, want) || len(m.columns()) != 3 {
			t.Errorf("%d: %q, %d columns", code, note, len(m.columns()))
		}
		if m, _ = response(m, askUsage, 200, someFigures); m.usageNote() != "" || len(m.columns()) != 5 {
			t.Errorf("%d: %q stays", code, m.usageNote())
		}
	}
}

func TestFiguresAreRequestedAgainAfterAWhile(t *testing.T) {
	awake, _ := pods(withUsage).Awake(begun)
	tick := func(p page.Page, after time.Duration) bool {
		_, commands := p.Update(page.Tick{Now: begun.Add(after)})
		return asked(commands, askUsage) != ""
	}
	if tick(awake, 20*time.Second) {
		t.Error("a second request before the response to the first")
	}
	m, _ := response(awake, askUsage, 200, someFigures)
	if tick(m, 14*time.Second) {
		t.Error("too early")
	}
	if !tick(m, 15*time.Second) {
		t.Error("not after 15 s")
	}
	refused, _ := response(awake, askUsage, 403, `{"kind":"Status","message":"no"}`)
	if tick(refused, time.Minute) {
		t.Error("a minute after a refusal")
	}
	if !tick(refused, 6*time.Minute) {
		t.Error("not some minutes after a refusal: permissions change")
	}
}
