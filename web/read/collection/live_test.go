package collection

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// awake is a living page, and what it asks for first.
func awake(t *testing.T, path, query string, change ...func(*Model)) (Model, []page.Cmd) {
	t.Helper()
	m := pageOf(t, path, query)
	m.Table.ResourceVersion = "10"
	for _, f := range change {
		f(&m)
	}
	p, commands := m.Awake(noon)
	return p.(Model), commands
}

// send lets the page take messages in, and gives the commands of the last.
func send(m *Model, messages ...page.Msg) (commands []page.Cmd) {
	for _, msg := range messages {
		var p page.Page
		p, commands = m.Update(msg)
		*m = p.(Model)
	}
	return commands
}

func received(m wire.Message) page.Msg {
	m.ID = subscription
	return page.Received{Message: m}
}

func happened(kind watch.Type, rows ...table.Row) page.Msg {
	m := wire.Message{Type: wire.Events, Gen: 1, ResourceVersion: "11"}
	for i := range rows {
		m.Events = append(m.Events, wire.Event{Type: kind, Row: &rows[i]})
	}
	return received(m)
}

func newRow(name, version string) table.Row {
	return table.Row{
		UID: "u-" + name, Namespace: "shop", Name: name, ResourceVersion: version, Created: noon.Add(-90 * time.Second),
		Cells: []table.Cell{table.Cell(name), "0", "10.0.0.9"},
	}
}

func shown(m Model) string { return names(m.laidOut().rows) }

func TestFollowsFromWhatItHas(t *testing.T) {
	for what, c := range map[string]struct {
		query  string
		change func(*Model)
		want   []page.Cmd
	}{
		"a whole collection": {"", func(*Model) {}, []page.Cmd{page.Subscribe{ID: 1, Cluster: "practice", Path: "/api/v1/pods", As: wire.Table, ResourceVersion: "10"}}},
		"a first chunk": {"", func(m *Model) { m.Table.Continue = "tok" }, []page.Cmd{
			page.Subscribe{ID: 1, Cluster: "practice", Path: "/api/v1/pods", As: wire.Table, ResourceVersion: "10", Continue: "tok"},
		}},
		"a selection": {"labelSelector=app%3Dweb&filter=x&sort=Name&limit=50", func(*Model) {}, []page.Cmd{
			page.Subscribe{ID: 1, Cluster: "practice", Path: "/api/v1/pods?labelSelector=app%3Dweb", As: wire.Table, ResourceVersion: "10"},
		}},
		"a chunk in the middle": {"continue=abc", func(*Model) {}, nil},
		"no watch":              {"", func(m *Model) { m.Type.Verbs = []string{"list"} }, nil},
		"a problem":             {"", func(m *Model) { m.Problem = &components.Notice{} }, nil},
	} {
		if _, commands := awake(t, "/api/v1/pods", c.query, c.change); !slices.Equal(commands, c.want) {
			t.Errorf("%s: %+v, want %+v", what, commands, c.want)
		}
	}
}

func TestEventsChangeTheRows(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	send(&m, received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}))
	if got := shown(m); got != "api-1 web-10 web-2" {
		t.Fatalf("%s", got) // the server's order is by namespace and name
	}
	send(&m, happened(watch.Added, newRow("new-1", "11")))
	if got := shown(m); got != "api-1 new-1 web-10 web-2" || m.total() != "4 objects" {
		t.Errorf("added: %s, %s", got, m.total())
	}
	g := m.grid(m.laidOut())
	if !g.Rows[1].Fresh || g.Rows[0].Fresh {
		t.Error("what is new is not marked, or what is not")
	}
	send(&m, page.Tick{Now: noon.Add(2 * time.Second)})
	if g := m.grid(m.laidOut()); g.Rows[1].Fresh {
		t.Error("the mark stays")
	}
	changed := newRow("new-1", "12")
	changed.Cells[1] = "7"
	send(&m, happened(watch.Modified, changed))
	if got := m.laidOut().rows[1].Cell(1); got != "7" {
		t.Errorf("changed: %s", got)
	}
	send(&m, happened(watch.Deleted, changed))
	if got := shown(m); got != "api-1 web-10 web-2" {
		t.Errorf("deleted: %s", got)
	}
}

func TestTheSameVersionAgainIsNoNews(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	same := m.Table.Rows[0]
	send(&m, happened(watch.Added, same))
	if m.live.rows.Fresh(same.UID) {
		t.Error("a row that is as it was is marked")
	}
}

func TestAFirstRowFillsAnEmptyPage(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "", func(m *Model) { m.Table.Rows = nil })
	send(&m, received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}))
	if notice := m.empty(m.laidOut()); notice == nil || notice.Title != "No Pods" {
		t.Fatalf("%+v", notice)
	}
	send(&m, happened(watch.Added, newRow("new-1", "11")))
	if notice := m.empty(m.laidOut()); notice != nil || shown(m) != "new-1" {
		t.Errorf("%+v, %s", notice, shown(m))
	}
}

// TestAFreshStateReplacesTheOldOnceWhole: until then what was known stays in sight.
func TestAFreshStateReplacesTheOldOnceWhole(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	left := int64(1)
	send(&m,
		received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}),
		received(wire.Message{Type: wire.Gap, Gen: 2, Reason: watch.Expired}),
		received(wire.Message{Type: wire.Rows, Gen: 2, Columns: m.Table.Columns, Rows: table.Rows{newRow("web-2", "20"), newRow("x", "20")}, Remaining: &left}))
	if got := shown(m); got != "api-1 web-10 web-2 x" {
		t.Errorf("half way: %s", got)
	}
	if words := m.liveness(); !strings.HasPrefix(words.Words, "catching up, 4 of 5") {
		t.Errorf("%+v", words)
	}
	send(&m,
		received(wire.Message{Type: wire.Rows, Gen: 2, Rows: table.Rows{newRow("y", "21")}}),
		received(wire.Message{Type: wire.Synced, Gen: 2, ResourceVersion: "21"}))
	if got := shown(m); got != "web-2 x y" {
		t.Errorf("whole: %s", got)
	}
}

func TestAFreshStateMayBeEmpty(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	send(&m,
		received(wire.Message{Type: wire.Gap, Gen: 2, Reason: watch.Restarted}),
		received(wire.Message{Type: wire.Synced, Gen: 2, ResourceVersion: "20"}))
	if got := shown(m); got != "" {
		t.Errorf("%s", got)
	}
}

func TestTheOtherChunksJoinTheFirst(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "", func(m *Model) {
		left := int64(2)
		m.Table.Continue, m.Table.Remaining = "tok", &left
	})
	if m.total() != "5 objects" {
		t.Errorf("%s", m.total())
	}
	send(&m,
		received(wire.Message{Type: wire.Rows, Gen: 1, Rows: table.Rows{newRow("y", "9"), newRow("z", "9")}}),
		received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}))
	if got := shown(m); got != "api-1 web-10 web-2 y z" || m.total() != "5 objects" {
		t.Errorf("%s, %s", got, m.total())
	}
}

// TestNothingMovesUnderThePointer: rows keep their places while the pointer is over them; cells change.
func TestNothingMovesUnderThePointer(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	send(&m, received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}), page.Pointed{Over: true})
	changed := newRow("web-10", "12")
	changed.Cells[1] = "9"
	send(&m, happened(watch.Added, newRow("a-first", "11")), happened(watch.Modified, changed), happened(watch.Deleted, m.Table.Rows[2]))
	l := m.laidOut()
	g := m.grid(l)
	if len(g.Rows) != 3 || !g.Rows[0].Gone || g.Rows[1].Cells[1].Text != "9" {
		t.Errorf("%+v", g.Rows)
	}
	if words := m.liveness().Words; words != "live, 1 new row held back while you point" {
		t.Errorf("%s", words)
	}
	send(&m, page.Pointed{Over: false})
	if got := shown(m); got != "a-first web-10 web-2" {
		t.Errorf("after: %s", got)
	}
}

func TestAgesTick(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "", func(m *Model) {
		m.Table.Columns[1] = table.Column{Name: "Age"}
		m.Table.Rows = table.Rows{newRow("a", "1")}
	})
	for seconds, want := range map[int]string{0: "90s", 31: "2m1s", 3600: "61m"} {
		send(&m, page.Tick{Now: noon.Add(time.Duration(seconds) * time.Second)})
		if got := m.grid(m.laidOut()).Rows[0].Cells[1].Text; got != want {
			t.Errorf("after %d s: %s, want %s", seconds, got, want)
		}
	}
	send(&m, page.Tick{Now: noon.Add(-time.Hour)})
	if got := m.grid(m.laidOut()).Rows[0].Cells[1].Text; got != "0s" {
		t.Errorf("by a clock that lags behind: %s", got)
	}
}

func many(n int) func(*Model) {
	return func(m *Model) {
		m.Table.Rows = nil
		for i := range n {
			m.Table.Rows = append(m.Table.Rows, newRow(fmt.Sprintf("row-%05d", i), "1"))
		}
	}
}

// TestWhatIsLookedAtStays: rows that come and go above those in sight scroll them, so that they stay where they are.
func TestWhatIsLookedAtStays(t *testing.T) {
	three := []page.Msg{happened(watch.Added, newRow("a-1", "2"), newRow("a-2", "2"), newRow("a-3", "2"))}
	for what, c := range map[string]struct {
		top    int
		happen []page.Msg
		by     int // rows
	}{
		"three come above":                 {29 * 500, three, 3},
		"three come above, seen by halves": {29*500 - 10, three, 3},
		"one goes above":                   {29 * 500, []page.Msg{happened(watch.Deleted, newRow("row-00003", "2"))}, -1},
		"one comes below":                  {29 * 500, []page.Msg{happened(watch.Added, newRow("z", "2"))}, 0},
		"the first in sight goes":          {29 * 500, []page.Msg{happened(watch.Deleted, newRow("row-00500", "2"))}, -1},
		"at the very top":                  {0, three, 0},
		"while the pointer holds them":     {29 * 500, append([]page.Msg{page.Pointed{Over: true}}, three...), 0},
		"once it holds them no more":       {29 * 500, append(append([]page.Msg{page.Pointed{Over: true}}, three...), page.Pointed{}), 3},
		"one comes before the cursor's": {29 * 500, []page.Msg{
			page.Focused{ID: components.RowID("u-row-00505")}, happened(watch.Added, newRow("row-00502-a", "2")),
		}, 1},
		"one comes after the cursor's": {29 * 500, []page.Msg{
			page.Focused{ID: components.RowID("u-row-00505")}, happened(watch.Added, newRow("row-00507-a", "2")),
		}, 0},
	} {
		m, _ := awake(t, "/api/v1/pods", "", many(1000))
		send(&m, received(wire.Message{Type: wire.Synced, Gen: 1, ResourceVersion: "10"}), page.Scrolled{Top: c.top, Height: 580})
		var want []page.Cmd
		if c.by != 0 {
			want = []page.Cmd{page.Shift{By: c.by * page.RowHeight}}
		}
		if got := send(&m, c.happen...); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
		if got := m.live.view.Top; got != c.top+c.by*page.RowHeight {
			t.Errorf("%s: at %d", what, got)
		}
	}
}

// TestOnlyWhatIsSeenIsLaidOut: whatever part is looked at, the room above and below and the rows make up the whole.
func TestOnlyWhatIsSeenIsLaidOut(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "", many(10_000))
	for _, top := range []int{0, 1, 500, 29 * 5000, 29*10_000 - 800, 29 * 20_000} {
		send(&m, page.Scrolled{Top: top, Height: 800})
		l := m.laidOut()
		if len(l.rows) > 95 || l.first*page.RowHeight != l.above || l.above+len(l.rows)*page.RowHeight+l.below != 10_000*page.RowHeight {
			t.Errorf("at %d: %d rows from %d on, %d above, %d below", top, len(l.rows), l.first, l.above, l.below)
		}
		seen := min(top, 29*10_000-800)
		if l.above > seen || l.above+len(l.rows)*page.RowHeight < seen+800 {
			t.Errorf("at %d: rows from %d to %d are laid out", top, l.above, l.above+len(l.rows)*page.RowHeight)
		}
		if g := m.grid(l); g.First != l.first || g.Count != 10_000 {
			t.Errorf("at %d: %d of %d", top, g.First, g.Count)
		}
	}
}

func TestKeysMoveAmongTheRows(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "", many(100))
	at := func(keys ...string) string {
		for _, key := range keys {
			send(&m, page.Pressed{Key: key})
		}
		return strings.TrimPrefix(m.live.cursor.uid, "u-row-")
	}
	for _, c := range []struct{ keys, want string }{{"j", "00000"}, {"j j", "00002"}, {"k", "00001"}, {"G", "00099"}, {"j", "00099"}, {"g", "00000"}, {"k", "00000"}} {
		if got := at(strings.Fields(c.keys)...); got != c.want {
			t.Fatalf("%s: %s, want %s", c.keys, got, c.want)
		}
	}
	commands := send(&m, page.Pressed{Key: "j"})
	want := []page.Cmd{page.Scroll{Top: page.RowHeight, Bottom: 2 * page.RowHeight}, page.Focus{ID: components.RowID("u-row-00001")}}
	if !slices.Equal(commands, want) {
		t.Errorf("%+v", commands)
	}
	send(&m, happened(watch.Deleted, newRow("row-00001", "2")))
	if got := at("j"); got != "00002" {
		t.Errorf("after the row under the cursor went: %s", got)
	}
	send(&m, page.Focused{ID: components.RowID("u-row-00050")})
	if got := at("j"); got != "00051" {
		t.Errorf("after a click into a row: %s", got)
	}
}

func TestKeysOpenPagesAboutARow(t *testing.T) {
	m := pods(discovery.Catalog{})
	m.Type.Verbs = append(m.Type.Verbs, "patch", "delete")
	p, _ := m.Awake(begun)
	m = p.(Model)
	if commands := send(&m, page.Pressed{Key: "l"}); len(commands) != 1 || !strings.Contains(fmt.Sprint(commands[0]), "Go to a row first") {
		t.Errorf("without a row: %+v", commands)
	}
	send(&m, page.Pressed{Key: "j"}, page.Pressed{Key: "j"})
	const pod = "/api/v1/namespaces/shop/pods/b"
	for key, want := range map[string]string{
		"f": "/c/c" + pod, "y": "/c/c" + pod + "?tab=yaml", "l": "/c/c" + pod + "?tab=logs", "t": "/c/c" + pod + "?tab=shell",
		"e": web.Edit("c", pod), "Delete": shell.ToolAt("c", web.Delete, pod),
	} {
		if commands := send(&m, page.Pressed{Key: key}); !slices.Equal(commands, []page.Cmd{page.Navigate{Address: want}}) {
			t.Errorf("%s: %+v", key, commands)
		}
	}
	m.Type = discovery.Type{Version: "v1", Resource: "configmaps", Verbs: []string{"get"}}
	for _, key := range []string{"l", "t", "e", "Delete"} {
		if commands := send(&m, page.Pressed{Key: key}); len(commands) > 0 || slices.ContainsFunc(m.Keys(), func(k components.Key) bool { return k.Keys[0] == key }) {
			t.Errorf("%s, of ConfigMaps that can only be read: %+v", key, commands)
		}
	}
}

func TestKeysSortThroughEveryOrderAndBack(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	var orders []string
	for range 7 {
		send(&m, page.Pressed{Key: "s"})
		orders = append(orders, m.Query.Sort.String())
	}
	if got := strings.Join(orders, ","); got != "Namespace,-Namespace,Name,-Name,Restarts,-Restarts," {
		t.Errorf("%s", got)
	}
	send(&m, page.Pressed{Key: "S"})
	if m.Query.Sort.String() != "-Restarts" || shown(m) != "web-2 web-10 api-1" {
		t.Errorf("back: %s: %s", m.Query.Sort, shown(m))
	}
}

func TestAnotherQueryOfTheSamePage(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	commands := send(&m, page.Addressed{Query: url.Values{"sort": {"-Restarts"}, "filter": {"web"}}})
	if shown(m) != "web-2 web-10" || len(commands) != 2 || commands[0] != (page.Remember{Address: "/c/practice/api/v1/pods?filter=web&sort=-Restarts"}) {
		t.Errorf("%s, %+v", shown(m), commands)
	}
	for _, query := range []string{"labelSelector=a", "fieldSelector=metadata.name%3Da", "limit=10", "continue=x"} {
		v, _ := url.ParseQuery(query)
		commands := send(&m, page.Addressed{Query: v})
		if want := []page.Cmd{page.Navigate{Address: "/c/practice/api/v1/pods?" + query}}; !slices.Equal(commands, want) {
			t.Errorf("%s: %+v", query, commands)
		}
	}
}

func TestEscapeClearsTheFilterThenGoesUp(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "filter=web")
	send(&m, page.Pressed{Key: "Escape"})
	if m.Query.Filter != "" || shown(m) != "api-1 web-10 web-2" {
		t.Errorf("%q: %s", m.Query.Filter, shown(m))
	}
	if commands := send(&m, page.Pressed{Key: "Escape"}); len(commands) != 1 || commands[0] != (page.Navigate{Address: "/c/practice"}) {
		t.Errorf("%+v", commands)
	}
}

func TestWidthsOnlyGrow(t *testing.T) {
	m, _ := awake(t, "/api/v1/pods", "")
	server := pageOf(t, "/api/v1/pods", "").widths()
	if !maps.Equal(server, m.live.widths) {
		t.Errorf("the server lays out %v, the browser %v", server, m.live.widths)
	}
	before := m.live.widths["Name"]
	long := newRow(strings.Repeat("long", 9), "11")
	send(&m, happened(watch.Added, long))
	grown := m.live.widths["Name"]
	send(&m, happened(watch.Deleted, long))
	if grown <= before || m.live.widths["Name"] != grown {
		t.Errorf("%d, then %d, then %d", before, grown, m.live.widths["Name"])
	}
}

// TestConvergesWithTheServer: whatever comes in whatever chunks, generations and events, once a state is whole and
// followed, what is shown is what the server has.
func TestConvergesWithTheServer(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 7))
		m, _ := awake(t, "/api/v1/pods", "", many(5))
		truth, version, gen := map[string]table.Row{}, 10, uint32(1)
		for _, row := range m.Table.Rows {
			truth[row.UID] = row
		}
		for range 60 {
			if r.IntN(12) == 0 {
				gen++
				send(&m, received(wire.Message{Type: wire.Gap, Gen: gen, Reason: watch.Expired}))
				mutate(r, truth, &version) // missed
				for _, uid := range slices.Sorted(maps.Keys(truth)) {
					send(&m, received(wire.Message{Type: wire.Rows, Gen: gen, Rows: table.Rows{truth[uid]}}))
				}
				send(&m, received(wire.Message{Type: wire.Synced, Gen: gen, ResourceVersion: strconv.Itoa(version)}))
				continue
			}
			kind, row := mutate(r, truth, &version)
			send(&m, happened(kind, row), page.Pointed{Over: r.IntN(3) == 0})
		}
		send(&m, page.Pointed{Over: false})
		want := slices.SortedFunc(maps.Values(truth), func(a, b table.Row) int { return strings.Compare(a.Name, b.Name) })
		if got := m.live.rows.Window(0, 1000); names(got) != names(want) {
			t.Fatalf("seed %d: %s\nwant %s", seed, names(got), names(want))
		}
	}
}

// mutate does something to the server's objects.
func mutate(r *rand.Rand, truth map[string]table.Row, version *int) (watch.Type, table.Row) {
	*version++
	row := newRow(fmt.Sprintf("row-%05d", r.IntN(12)), strconv.Itoa(*version))
	_, known := truth[row.UID]
	switch {
	case known && r.IntN(2) == 0:
		delete(truth, row.UID)
		return watch.Deleted, row
	case known:
		truth[row.UID] = row
		return watch.Modified, row
	default:
		truth[row.UID] = row
		return watch.Added, row
	}
}
