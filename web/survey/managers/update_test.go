package managers

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
	"github.com/fieldmark/fieldmark/web/survey/census"
)

func reads(managers int) Model {
	r := counted(managers, 12, 9)
	r.Phase = report.Reading
	return model(SheetOf(r))
}

func send(m Model, messages ...page.Msg) (Model, []page.Cmd) {
	var p page.Page = m
	var last []page.Cmd
	p, _ = p.Awake(pagetest.Now)
	for _, msg := range messages {
		p, last = p.Update(msg)
	}
	return p.(Model), last
}

func answer(s *Sheet) page.Response {
	body, _ := json.Marshal(s)
	return page.Response{ID: asking, Status: 200, Body: body}
}

func TestACensusThatReadsIsAskedForAndNeverTwice(t *testing.T) {
	want := []page.Cmd{page.Ask{ID: asking, Address: "/c/practice/-/managers", Accept: census.MediaType}}
	m, got := send(reads(2), page.Tick{})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("asks %+v", got)
	}
	if _, got = m.Update(page.Tick{}); got != nil {
		t.Errorf("asks again: %+v", got)
	}
	if _, got = send(m, page.Response{ID: asking}, page.Tick{}); !reflect.DeepEqual(got, want) {
		t.Errorf("does not try again: %+v", got)
	}
	for _, over := range []Model{model(SheetOf(counted(2, 12, 9))), model(nil)} {
		if _, got = send(over, page.Tick{}); got != nil {
			t.Errorf("asks for what is over: %+v", got)
		}
	}
}

func TestTheEndIsAnnouncedOnce(t *testing.T) {
	over := SheetOf(counted(9, 12, 9))
	m, got := send(reads(2), page.Tick{}, answer(over))
	if !reflect.DeepEqual(got, []page.Cmd{page.Announce{Words: "The census has ended. 5 findings."}}) || m.reads() || len(m.Sheet.Managers) != 9 {
		t.Errorf("%+v", got)
	}
	if _, got = send(reads(2), page.Response{ID: asking, Status: 200, Body: []byte("null")}); !reflect.DeepEqual(got, []page.Cmd{page.Reload{}}) {
		t.Errorf("a census that is forgotten: %+v", got)
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	for status, want := range map[int]string{0: "doesn’t respond", 401: "signed out", 500: "doesn’t respond"} {
		m, _ := send(reads(2), page.Tick{}, page.Response{ID: asking, Status: status, Body: []byte("{}")})
		if words := m.Sheet.state().Liveness(m.live.trouble, m.now()).Words; !strings.Contains(words, want) {
			t.Errorf("%d: %s", status, words)
		}
		if m, _ = send(m, answer(m.Sheet)); m.Sheet.state().Liveness(m.live.trouble, m.now()).Words != "reading, 12 of 12 types" {
			t.Errorf("after %d: %s", status, m.Sheet.state().Liveness(m.live.trouble, m.now()).Words)
		}
	}
}

func TestNothingMovesUnderThePointer(t *testing.T) {
	m, _ := send(reads(2), page.Pointed{Over: true}, answer(reads(5).Sheet), answer(reads(9).Sheet))
	if len(m.Sheet.Managers) != 2 {
		t.Errorf("%d managers under the pointer", len(m.Sheet.Managers))
	}
	if m, _ = send(m, page.Pointed{}); len(m.Sheet.Managers) != 9 {
		t.Errorf("%d managers after it", len(m.Sheet.Managers))
	}
}

// Filters need no request.
func TestFiltersAreInTheAddress(t *testing.T) {
	m, got := send(model(SheetOf(counted(23, 61, 6))), page.Typed{Field: FieldText, Text: "helm"}, page.Typed{Field: FieldOperation, Text: "Update"})
	if !reflect.DeepEqual(got, []page.Cmd{page.Remember{Address: "/c/practice/-/managers?operation=Update&text=helm", Replace: true}}) {
		t.Errorf("%+v", got)
	}
	if a := m.Sheet.arrange(m.Query, m.now()); a.matching != 1 || a.rows[0].Name != "helm" {
		t.Errorf("%d managers match", a.matching)
	}
	if _, got = send(m, page.Typed{Field: census.FieldNamespaces, Text: "shop"}); got != nil {
		t.Errorf("the form for another census filters: %+v", got)
	}
}

func TestACellShowsItsObjects(t *testing.T) {
	cell := page.Addressed{Query: url.Values{FieldManager: {"helm"}, FieldType: {"services"}}}
	m, got := send(model(SheetOf(counted(23, 61, 6))), cell)
	want := []page.Cmd{
		page.Remember{Address: "/c/practice/-/managers?manager=helm&type=services"},
		page.Ask{ID: opening, Address: "/c/practice/-/managers?manager=helm&type=services", Accept: ObjectsType},
		page.Painted{Cmd: page.Focus{ID: panelID}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
	other := page.Response{ID: opening, Status: 200, Body: []byte(`{"manager":"flux","type":"services"}`)}
	if m, _ = send(m, other); m.Objects != nil {
		t.Error("shows the objects of another cell")
	}
	late := page.Response{ID: opening, Status: 200, Body: []byte(`{"manager":"helm","type":"services","objects":[{"path":"/api/v1/namespaces/a/services/b","name":"b"}]}`)}
	if m, got = send(m, late); m.Objects == nil || !reflect.DeepEqual(got, []page.Cmd{page.Announce{Words: "1 object"}}) {
		t.Errorf("%+v", got)
	}
	m, got = send(m, page.Pressed{Key: "Escape"})
	if m.Objects != nil || m.Query.opens() || !reflect.DeepEqual(got, []page.Cmd{page.Remember{Address: "/c/practice/-/managers", Replace: true}, page.Painted{Cmd: page.Focus{ID: squareID}}}) {
		t.Errorf("%+v", got)
	}
	if m, _ = send(m, cell, page.Response{ID: opening, Status: 500}); m.Objects == nil || m.Objects.Trouble == "" {
		t.Errorf("%+v", m.Objects)
	}
}

func TestAManagerShowsItsTypes(t *testing.T) {
	start := model(SheetOf(counted(23, 61, 6)))
	m, got := send(start, page.Addressed{Query: url.Values{FieldManager: {"helm"}}})
	want := []page.Cmd{page.Remember{Address: "/c/practice/-/managers?manager=helm"}, page.Painted{Cmd: page.Focus{ID: panelID}}}
	if !reflect.DeepEqual(got, want) || m.live.opening {
		t.Errorf("%+v", got)
	}
	if html := golden.Render(t, m.Content()); !strings.Contains(html, `href="/c/practice/-/managers?manager=helm&amp;type=services"`) {
		t.Error("no link to its services")
	}
	// From the list to the objects of a type; and back to the name in the table, which is where the list came from.
	back := []page.Cmd{page.Remember{Address: "/c/practice/-/managers", Replace: true}, page.Painted{Cmd: page.Focus{ID: nameID("helm")}}}
	if _, got = send(m, page.Pressed{Key: "Escape"}); !reflect.DeepEqual(got, back) {
		t.Errorf("%+v", got)
	}
	m, _ = send(m, page.Addressed{Query: url.Values{FieldManager: {"helm"}, FieldType: {"services"}}})
	if _, got = send(m, page.Pressed{Key: "Escape"}); !m.live.opening || !reflect.DeepEqual(got, back) {
		t.Errorf("%+v", got)
	}
	// A manager may have no name.
	if m, _ = send(start, page.Addressed{Query: url.Values{FieldManager: {""}}}); !m.Query.Whole || m.Query.Values().Encode() != "manager=" {
		t.Errorf("%+v", m.Query)
	}
}

func TestTimesInWords(t *testing.T) {
	now := time.Unix(1_000_000, 0)
	for at, want := range map[int64]string{0: "not known", 1_000_000: "just now", 1_000_010: "just now", 999_000: "16m ago"} {
		if got := census.Ago(at, now); got != want {
			t.Errorf("%d is %s", at, got)
		}
	}
}
