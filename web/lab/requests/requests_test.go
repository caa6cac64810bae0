package requests

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components/golden"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func line(id uint64, verb string, status int) record.Line {
	return record.Line{ID: id, At: now.UnixMicro() + int64(id)*1000, First: 300, Took: 900, Done: true, Origin: record.Page, Method: "GET", Verb: verb, Path: fmt.Sprint("/api/v1/nodes/n", id), Status: status}
}

func lines(from, to uint64) (all []record.Line) {
	for id := from; id <= to; id++ {
		all = append(all, line(id, "get", 200))
	}
	return all
}

// awake is a living page that has followed these messages.
func awake(t *testing.T, msgs ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	m := Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "k"}}}, Recording: true, Most: 100, At: now.UnixMicro()}
	m.Fill(lines(1, 3))
	var p page.Page
	p, commands := m.Awake(now)
	if _, is := commands[0].(page.Subscribe); !is {
		t.Fatalf("%+v", commands)
	}
	for _, msg := range msgs {
		p, commands = p.Update(msg)
	}
	return p.(Model), commands
}

func heard(anew bool, lines ...record.Line) page.Received {
	return page.Received{Message: wire.Message{Type: wire.Recorded, Lines: lines, Anew: anew}}
}

// shown are the numbers of the rows that are laid out.
func (m Model) shown() string {
	var ids []string
	for _, l := range m.laidOut().lines {
		ids = append(ids, strconv.FormatUint(l.ID, 10))
	}
	return strings.Join(ids, " ")
}

func TestRowsFollowTheRecord(t *testing.T) {
	gone := line(2, "get", 404)
	for what, c := range map[string]struct {
		msgs []page.Msg
		want string
	}{
		"at first":             {nil, "3 2 1"},
		"another":              {[]page.Msg{heard(false, line(4, "list", 200))}, "4 3 2 1"},
		"changed":              {[]page.Msg{heard(false, gone)}, "3 2 1"},
		"anew":                 {[]page.Msg{heard(true, line(9, "get", 200))}, "9"},
		"late":                 {[]page.Msg{heard(false, line(9, "get", 200)), heard(false, line(5, "get", 200))}, "9 5 3 2 1"},
		"filtered":             {[]page.Msg{page.Typed{Field: FieldStatus, Text: "4xx"}, heard(false, gone, line(4, "get", 200))}, "2"},
		"passes no longer":     {[]page.Msg{heard(false, gone), page.Typed{Field: FieldStatus, Text: "4xx"}, heard(false, line(2, "get", 200))}, ""},
		"held":                 {[]page.Msg{page.Pointed{Over: true}, heard(false, line(4, "get", 200))}, "3 2 1"},
		"held no longer":       {[]page.Msg{page.Pointed{Over: true}, heard(false, line(4, "get", 200)), page.Pointed{}}, "4 3 2 1"},
		"by the address":       {[]page.Msg{page.Addressed{Query: url.Values{"text": {"n2"}}}}, "2"},
		"the filter is lifted": {[]page.Msg{page.Addressed{Query: url.Values{"text": {"n2"}}}, page.Addressed{}}, "3 2 1"},
	} {
		if m, _ := awake(t, c.msgs...); m.shown() != c.want {
			t.Errorf("%s: %s, want %s", what, m.shown(), c.want)
		}
	}
}

func TestTheOldestGo(t *testing.T) {
	m, _ := awake(t, heard(true, lines(1, 100)...), heard(false, lines(101, 130)...))
	if len(m.live.lines) != 100 || len(m.live.passed) != 100 || m.live.lines[0].ID != 31 {
		t.Errorf("%d lines, %d pass, from %d", len(m.live.lines), len(m.live.passed), m.live.lines[0].ID)
	}
}

func TestWhatIsInSightStays(t *testing.T) {
	far := page.Scrolled{Top: 20 * page.RowHeight, Height: 10 * page.RowHeight}
	_, commands := awake(t, heard(true, lines(1, 100)...), far, heard(false, lines(101, 103)...))
	if shift, is := commands[len(commands)-1].(page.Shift); !is || shift.By != 3*page.RowHeight {
		t.Errorf("%+v", commands)
	}
	m, commands := awake(t, heard(true, lines(1, 100)...), page.Scrolled{Height: 10 * page.RowHeight}, heard(false, lines(101, 103)...))
	if len(commands) != 0 || !strings.HasPrefix(m.shown(), "103 102 101 100 ") {
		t.Errorf("at the top: %+v, %s", commands, m.shown())
	}
}

func TestFewRowsAreLaidOut(t *testing.T) {
	for _, top := range []int{0, 7, 1000, 2000, 2900} {
		m, _ := awake(t, heard(true, lines(1, 100)...), page.Scrolled{Top: top, Height: 10 * page.RowHeight})
		l := m.laidOut()
		if len(l.lines) > 50 || l.above+l.below+len(l.lines)*page.RowHeight != 100*page.RowHeight || l.above > top || l.above+len(l.lines)*page.RowHeight < min(top+10*page.RowHeight, 100*page.RowHeight) {
			t.Errorf("at %d: %d rows from %d", top, len(l.lines), l.above)
		}
	}
}

func TestAnEntryIsOpened(t *testing.T) {
	m, commands := awake(t, page.Addressed{Query: url.Values{"entry": {"2"}}})
	ask, is := commands[len(commands)-1].(page.Ask)
	if !is || ask.Address != "/c/k/-/requests?entry=2" || m.Detail != nil {
		t.Fatalf("%+v", commands)
	}
	answer := func(e record.Entry) page.Response {
		body, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		return page.Response{ID: asking, Status: 200, Body: body}
	}
	p, _ := m.Update(answer(record.Entry{Line: line(3, "get", 200)}))
	if p.(Model).Detail != nil {
		t.Error("another entry was taken for it")
	}
	p, _ = p.Update(answer(record.Entry{Line: line(2, "get", 200)}))
	if m = p.(Model); m.Detail == nil {
		t.Fatal("it was not taken")
	}
	_, commands = m.Update(page.Tick{Now: now})
	if len(commands) != 0 {
		t.Errorf("it is asked for again: %+v", commands)
	}
	changed := line(2, "get", 200)
	changed.Events = 3
	p, _ = m.Update(heard(false, changed))
	if _, commands = p.Update(page.Tick{Now: now}); len(commands) != 1 {
		t.Errorf("it has come further: %+v", commands)
	}
	p, _ = p.Update(page.Response{ID: asking, Status: 404})
	if p.(Model).Detail != nil {
		t.Error("it is kept no more, and shown")
	}
	p, _ = p.Update(page.Pressed{Key: "Escape"})
	if p.(Model).Query.Entry != 0 {
		t.Error("it is not closed")
	}
}

func TestKeysGoThroughTheRows(t *testing.T) {
	var p page.Page
	p, _ = awake(t)
	for _, step := range []struct {
		key  string
		want uint64
	}{{"j", 3}, {"j", 2}, {"j", 1}, {"j", 1}, {"k", 2}, {"k", 3}, {"k", 3}} {
		p, _ = p.Update(page.Pressed{Key: step.key})
		if got := p.(Model).Query.Entry; got != step.want {
			t.Errorf("%s opened %d, want %d", step.key, got, step.want)
		}
	}
}

func TestQueriesAreReadAsTheyAreWritten(t *testing.T) {
	q := Query{Filter: record.Filter{Verb: "get", Status: "4xx", Origin: "page", Text: "a b"}, Entry: 7, Raw: true, Before: 9}
	if got := ParseQuery(q.Values()); got != q {
		t.Errorf("%+v", got)
	}
	if got := ParseQuery(url.Values{"entry": {"x"}, "before": {"-1"}, "bodies": {"cooked"}}); got != (Query{}) {
		t.Errorf("%+v", got)
	}
}

// TestTheWaterfallFits: every bar is within the column, in the order of time.
func TestTheWaterfallFits(t *testing.T) {
	all := lines(1, 5)
	for i := range all {
		all[i].At += int64(i) * 3_600_000_000 // an hour between each and the next
	}
	watch := record.Line{ID: 9, At: now.UnixMicro(), First: 500, Verb: "watch", Status: 200}
	waiting := record.Line{ID: 10, At: now.UnixMicro() + 5*3_600_000_000}
	all = append(all, watch, waiting)
	w := newWaterfall(all, now.Add(5*time.Hour+time.Second))
	drawn := w.draw(all)
	waits, ends := barsOf(t, drawn.wait), barsOf(t, drawn.come+drawn.goes)
	last := -1.0
	for i, l := range all {
		wait, has := waits[i]
		if !has || wait.x < 0 || wait.width < 2 || i < 5 && wait.x <= last {
			t.Errorf("%d: %+v of %+v", i, wait, l)
		}
		if end := ends[i]; wait.x+wait.width+end.width > fallWidth+3 {
			t.Errorf("%d: %+v, then %+v", i, wait, end)
		}
		last = wait.x
	}
	if drawn.height != len(all)*page.RowHeight || len(barsOf(t, drawn.goes)) != 1 {
		t.Errorf("%+v", drawn)
	}
	if b := newWaterfall(nil, now).draw(lines(1, 1)); strings.Contains(fmt.Sprint(b), "NaN") {
		t.Errorf("of nothing: %+v", b)
	}
}

type barOf struct{ x, width float64 }

// barsOf reads a path of the waterfall: the bars by their rows.
func barsOf(t *testing.T, path string) map[int]barOf {
	t.Helper()
	all := map[int]barOf{}
	for one := range strings.SplitAfterSeq(path, "z") {
		if one == "" {
			continue
		}
		var b barOf
		var top, height int
		var back float64
		if n, err := fmt.Sscanf(one, "M%f %dh%fv%dh%fz", &b.x, &top, &b.width, &height, &back); n != 5 || back != -b.width || height != barHeight {
			t.Fatalf("%q: %d read, %v", one, n, err)
		}
		all[top/page.RowHeight] = b
	}
	return all
}

// TestRowsAreDrawnAgainWhenTheyChange: the cells of a row are kept, but never those of another state or with the links of another filter.
func TestRowsAreDrawnAgainWhenTheyChange(t *testing.T) {
	m, _ := awake(t)
	var p page.Page = m
	shown := golden.Render(t, page.Main(p))
	if again := golden.Render(t, page.Main(p)); again != shown {
		t.Errorf("drawn twice: %s, then %s", shown, again)
	}
	changed := line(2, "get", 418)
	p, _ = p.Update(heard(false, changed))
	if html := golden.Render(t, page.Main(p)); !strings.Contains(html, ">418<") {
		t.Errorf("a changed request: %s", html)
	}
	p, _ = p.Update(page.Typed{Field: FieldOrigin, Text: "page"})
	if html := golden.Render(t, page.Main(p)); !strings.Contains(html, "entry=2&amp;origin=page") {
		t.Errorf("links after another filter: %s", html)
	}
}

func TestTheConsoleGetsWhatCanBeSentAgain(t *testing.T) {
	m, _ := awake(t)
	side := record.Side{MediaType: "application/json", Header: []record.Field{{Name: "Accept", Value: "application/json"}, {Name: "Authorization", Value: record.Redacted}, {Name: "Content-Type", Value: "application/json"}}, Bytes: 2, Body: []byte("{}")}
	e := record.Entry{Line: record.Line{Method: "POST", Path: "/api/v1/pods", Query: "dryRun=All"}, Request: side}
	if got := m.resend(e); got != "/c/k/-/request?accept=application%2Fjson&body=%7B%7D&contentType=application%2Fjson&method=POST&path=%2Fapi%2Fv1%2Fpods%3FdryRun%3DAll" {
		t.Errorf("%s", got)
	}
	for what, change := range map[string]func(*record.Side){
		"withheld": func(s *record.Side) { s.Withheld, s.Body = "secret", nil },
		"cut":      func(s *record.Side) { s.Cut = true },
		"redacted": func(s *record.Side) { s.Redacted = true },
		"long":     func(s *record.Side) { s.Body = []byte(strings.Repeat("x", web.MostInAddress+1)) },
		"binary":   func(s *record.Side) { s.Body = []byte{0, 1} },
	} {
		other := e
		change(&other.Request)
		if got := m.resend(other); strings.Contains(got, "body=") {
			t.Errorf("%s: %s", what, got)
		}
	}
	for _, f := range m.forms(e) {
		if strings.Contains(f.text, record.Redacted) || !strings.Contains(f.text, "/api/v1/pods") && f.name == "curl" || f.note != "" && f.name == "curl" {
			t.Errorf("%+v", f)
		}
	}
}
