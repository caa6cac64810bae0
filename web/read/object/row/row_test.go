package row

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

var columns = []table.Column{
	{Name: "Name", Type: "string", Format: "name"},
	{Name: "Ready", Type: "string"},
	{Name: "Status", Type: "string", Description: "the phase"},
	{Name: "Restarts", Type: "string"},
	{Name: "Age", Type: "string"},
	{Name: "IP", Priority: 1},
	{Name: "Node", Priority: 1},
}

func pod(cells ...table.Cell) Model {
	return Model{Table: table.Table{Printed: true, Columns: columns, Rows: table.Rows{{UID: "u", Name: "web", ResourceVersion: "7", Cells: cells}}}}
}

func said(m Model) string {
	var all []string
	for _, c := range m.Cells("u", "practice") {
		text := c.Name + "=" + c.Text
		if c.Tone != components.Calm {
			text += fmt.Sprintf("(%s)", c.Tone)
		}
		if c.Href != "" {
			text += " to " + c.Href
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

func TestCells(t *testing.T) {
	for want, m := range map[string]Model{
		"Status=CrashLoopBackOff(bad), Ready=0/1(warn), Restarts=5 (2m ago), Node=n1 to /c/practice/api/v1/nodes/n1": pod("web", "0/1", "CrashLoopBackOff", "5 (2m ago)", "3h", "10.0.0.1", "n1"),
		"Status=Running(good), Ready=1/1, Restarts=0":                                                                pod("web", "1/1", "Running", "0", "3h", "10.0.0.1", "<none>"),
		"Status=Init:CrashLoopBackOff(bad), Ready=0/1(warn)":                                                         pod("web", "0/1", "Init:CrashLoopBackOff", "", "3h"),
		"Status=Completed(good), Ready=0/1":                                                                          pod("web", "0/1", "Completed"),
		"Status=Mine, Ready=1/x":                                                                                     pod("web", "1/x", "Mine", " ", "3h", "", "../../secrets"),
		"Status=" + strings.Repeat("x", 200) + "…":                                                                   pod("web", "", table.Cell(strings.Repeat("x", 500))),
		"": {Table: table.Table{Columns: columns}},
	} {
		if got := said(m); got != want {
			t.Errorf("says %s\nwant %s", got, want)
		}
	}
	if another := pod("web", "0/1", "Running").Cells("another", "practice"); another != nil {
		t.Errorf("the row of another object with this name: %v", another)
	}
}

func TestAnyNumberOfColumns(t *testing.T) {
	m := pod()
	for i := range 500 {
		m.Table.Columns = append(m.Table.Columns, table.Column{Name: fmt.Sprint(i)})
	}
	m.Table.Rows[0].Cells = make([]table.Cell, len(m.Table.Columns))
	for i := range m.Table.Rows[0].Cells {
		m.Table.Rows[0].Cells[i] = "x"
	}
	if n := len(m.Cells("u", "practice")); n != mostCells {
		t.Errorf("%d cells", n)
	}
}

func TestTheRowIsKeptCurrent(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	m, did := pod("web", "1/1", "Running").Followed(2, "practice", "/api/v1/namespaces/shop/pods/web", now)
	if s, ok := did.(page.Subscribe); !ok || s.As != wire.Table || s.ID != 2 || s.Path != "/api/v1/namespaces/shop/pods/web" || s.ResourceVersion != "" {
		t.Errorf("%+v", did)
	}
	if got := said(m); got != "Status=Running(good), Ready=1/1" {
		t.Error(got)
	}
	tell := func(id uint32, w wire.Message) {
		w.ID, w.Gen = id, 1
		m.Update(page.Received{Message: w})
	}
	change := func(text, rv string) wire.Message {
		r := pod("web", "0/1", table.Cell(text)).Table.Rows[0]
		r.ResourceVersion = rv
		return wire.Message{Type: wire.Events, Events: []wire.Event{{Type: watch.Modified, Row: &r}}}
	}
	tell(2, wire.Message{Type: wire.Rows, Columns: columns, Rows: m.Table.Rows})
	tell(2, wire.Message{Type: wire.Synced})
	tell(1, change("Error", "8")) // of another subscription
	if got := said(m); got != "Status=Running(good), Ready=1/1" {
		t.Error(got)
	}
	tell(2, change("CrashLoopBackOff", "9"))
	if got := said(m); got != "Status=CrashLoopBackOff(bad), Ready=0/1(warn)" {
		t.Error(got)
	}
	again, _ := pod("web", "1/1", "Running").Followed(5, "practice", "/api/v1/namespaces/shop/pods/web", now)
	again.Resume(m)
	again.Update(page.Received{Message: wire.Message{Type: wire.Synced, ID: 5, Gen: 1}})
	if got := said(again); got != "Status=CrashLoopBackOff(bad), Ready=0/1(warn)" {
		t.Errorf("the page after this one says %s", got)
	}
	tell(2, wire.Message{Type: wire.Failed, Status: &status.Status{Message: "no"}})
	if got := said(m); got != "" {
		t.Errorf("a row that is no longer updated is shown: %s", got)
	}
}

func TestARowSurvivesJSON(t *testing.T) {
	text, err := json.Marshal(pod("web", "1/1", "Running"))
	if err != nil {
		t.Fatal(err)
	}
	var m Model
	if err := json.Unmarshal(text, &m); err != nil || said(m) != "Status=Running(good), Ready=1/1" || !m.Known() {
		t.Errorf("%v: %s", err, said(m))
	}
}

func TestHostileCells(t *testing.T) {
	var b strings.Builder
	m := pod("web", "<b>1/1</b>", "\u202eRunning")
	if err := Show(m.Cells("u", "practice")).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.Contains(got, "<b>") || !strings.Contains(got, `\u202eRunning`) {
		t.Error(got)
	}
}

var update = flag.Bool("update", false, "write the golden files again")

// The HTML of the row in the head of an object's page.
func TestGolden(t *testing.T) {
	hostile := `"><img src=x onerror=alert(1)>`
	of := func(name string, m Model) specimen.Specimen {
		return specimen.Specimen{Name: name, Shown: Show(m.Cells("u", "practice"))}
	}
	odd := Model{Table: table.Table{Printed: true, Columns: []table.Column{{Name: hostile, Description: hostile}}, Rows: table.Rows{{UID: "u", Cells: []table.Cell{table.Cell(hostile)}}}}}
	golden.Check(t, *update, []specimen.Specimen{
		of("row-bad", pod("web", "0/1", "CrashLoopBackOff", "5 (2m ago)", "3h", "10.0.0.1", "n1")),
		of("row-good", pod("web", "1/1", "Running", "0", "3h", "10.0.0.1", "<none>")),
		of("row-none", Model{}), of("row-hostile", odd),
	})
}
