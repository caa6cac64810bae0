package collection

import (
	"fmt"
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/shell"
	"github.com/fieldmark/fieldmark/web/wire"
)

// subscription is the id of the page's only subscription.
const subscription = 1

// Bounds of what is laid out at a time.
const (
	RowHeight = 29 // pixels; the stylesheet's --row
	margin    = 12 // rows laid out above and below those that can be seen
	firstRows = 60 // laid out before it is known how many can be seen
)

// freshFor is how long a row that changed is marked.
const freshFor = 1200 * time.Millisecond

// live is what a page knows once it is alive. The server has none.
type live struct {
	store   *table.Store
	state   page.ConnectionState
	retry   time.Duration
	synced  bool
	gen     uint32
	kept    map[string]bool // uids of the generation that is arriving, while the older one is still shown
	left    int64           // objects of the initial state that are still to come
	gap     wire.Reason     // why the state was fetched anew; empty once the reader had time to see it
	gapAt   time.Time
	now     time.Time
	stale   time.Time // since when nothing is heard
	fresh   map[string]time.Time
	view    page.Scrolled
	cursor  string   // uid of the row that the keyboard is on
	frozen  []string // uids in the order they had when the pointer came over them; nil: nothing is held
	pending int      // rows that came while frozen
}

// Kind names the page in the embedded model.
const Kind = "collection"

// Kind implements page.Page.
func (m Model) Kind() string { return Kind }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m, m.laidOut()) }

// Awake is the model with what it needs to live. Now is the reader's clock.
func (m Model) Awake(now time.Time) Model {
	l := &live{store: table.NewStore(m.Table.Columns), state: page.Connecting, now: now, fresh: map[string]time.Time{}}
	l.store.Arrange(m.Query.Sort, m.Query.Filter)
	l.store.Fill(m.Table.Rows)
	l.synced = m.Table.Continue == ""
	if m.Table.Remaining != nil {
		l.left = *m.Table.Remaining
	}
	m.live = l
	return m
}

// follows tells whether the page shows something that can be followed: a chunk in the middle is part of a
// snapshot, and a page that says why there is no table has nothing to follow.
func (m Model) follows() bool {
	return m.Problem == nil && m.Query.Continue == "" && m.Type.Watchable()
}

// Start implements page.Page.
func (m Model) Start() []page.Cmd {
	if !m.follows() {
		return nil
	}
	s := page.Subscribe{ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: m.watched(), As: wire.Table}
	if m.Table.Continue == "" {
		s.ResourceVersion = m.Table.ResourceVersion
	}
	return []page.Cmd{s}
}

// watched is the path of the whole collection, with its selectors.
func (m Model) watched() string {
	q := Query{LabelSelector: m.Query.LabelSelector, FieldSelector: m.Query.FieldSelector}
	return web.WithQuery(m.Shell.Path.String(), q.Request())
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Received:
		m.receive(msg.Message)
	case page.Connection:
		m.connection(msg)
	case page.Tick:
		m.tick(msg.Now)
	case page.Scrolled:
		m.live.view = msg
	case page.Pointed:
		m.hold(msg.Over)
	case page.Addressed:
		return m.addressed(msg.Query)
	case page.Typed:
		return m.typed(msg)
	case page.Pressed:
		return m.pressed(msg.Key)
	}
	return m, nil
}

func (m Model) receive(w wire.Message) {
	l := m.live
	l.stale = time.Time{}
	switch w.Type {
	case wire.Rows:
		l.arrive(w)
	case wire.Synced:
		l.whole(w.Gen)
	case wire.Events:
		for _, e := range w.Events {
			l.happen(e)
		}
	case wire.Gap:
		l.gap, l.gapAt, l.synced = w.Reason, l.now, false
	case wire.Waiting:
		l.state, l.retry = page.Broken, time.Duration(w.RetryMillis)*time.Millisecond
		l.stale = l.now
		return
	case wire.Failed:
		l.state, l.stale = page.Broken, l.now
		return
	}
	l.state = page.Open
}

// arrive takes in a chunk of an initial state. What is shown of an older generation stays until the new one
// is whole.
func (l *live) arrive(w wire.Message) {
	if w.Gen != l.gen || l.kept == nil {
		l.gen, l.kept, l.synced = w.Gen, map[string]bool{}, false
	}
	if len(w.Columns) > 0 {
		l.store.SetColumns(w.Columns)
	}
	for _, r := range w.Rows {
		l.kept[r.UID] = true
	}
	l.store.Fill(w.Rows)
	if w.Remaining != nil {
		l.left = *w.Remaining
	}
}

func (l *live) whole(gen uint32) {
	if l.kept != nil {
		l.store.Retain(func(uid string) bool { return l.kept[uid] })
	}
	l.gen, l.kept, l.synced, l.left = gen, nil, true, 0
}

// happen takes in one event.
func (l *live) happen(e wire.Event) {
	if e.Row == nil {
		return
	}
	if l.kept != nil {
		l.kept[e.Row.UID] = e.Type != wire.Deleted
	}
	if e.Type == wire.Deleted {
		l.store.Delete(e.Row.UID)
		delete(l.fresh, e.Row.UID)
		return
	}
	_, known := l.store.Get(e.Row.UID)
	if !known && l.frozen != nil {
		l.pending++
	}
	l.store.Put(*e.Row)
	l.fresh[e.Row.UID] = l.now
}

func (m Model) connection(c page.Connection) {
	l := m.live
	if c.State == page.Broken && l.stale.IsZero() {
		l.stale = l.now
	}
	if c.State != page.Open { // Open alone means nothing yet: the subscription's first message does
		l.state, l.retry = c.State, c.Retry
	}
}

func (m Model) tick(now time.Time) {
	l := m.live
	l.now = now
	l.retry = max(0, l.retry-time.Second)
	for uid, at := range l.fresh {
		if now.Sub(at) > freshFor {
			delete(l.fresh, uid)
		}
	}
	if l.gap != "" && l.synced && now.Sub(l.gapAt) > 10*time.Second {
		l.gap = ""
	}
}

// hold keeps rows where they are while the pointer is over them: cells go on changing, but no row
// comes, goes or moves.
func (m Model) hold(over bool) {
	l := m.live
	l.frozen, l.pending = nil, 0
	if !over {
		return
	}
	l.frozen = make([]string, 0, l.store.Len())
	for _, r := range l.store.Window(0, l.store.Len()) {
		l.frozen = append(l.frozen, r.UID)
	}
}

// addressed takes in another query of the same page. A change of what the server is asked for needs
// the server; sorting, filtering and wide columns do not.
func (m Model) addressed(v url.Values) (page.Page, []page.Cmd) {
	next := ParseQuery(v)
	if next.LabelSelector != m.Query.LabelSelector || next.FieldSelector != m.Query.FieldSelector ||
		next.Continue != m.Query.Continue || next.Limit != m.Query.Limit {
		return m, []page.Cmd{page.Navigate{Address: m.address(next)}}
	}
	m.Query = next
	m.live.store.Arrange(next.Sort, next.Filter)
	m.hold(false)
	return m, nil
}

// typed filters with every letter.
func (m Model) typed(t page.Typed) (page.Page, []page.Cmd) {
	if t.Field != "filter" || t.Text == m.Query.Filter {
		return m, nil
	}
	m.Query.Filter = t.Text
	m.live.store.Arrange(m.Query.Sort, m.Query.Filter)
	m.hold(false)
	return m, []page.Cmd{page.Remember{Address: m.address(m.Query), Replace: true}}
}

// pressed moves among the rows and sorts.
func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	switch key {
	case "j", "ArrowDown":
		return m.move(1)
	case "k", "ArrowUp":
		return m.move(-1)
	case "w":
		if !m.wideOffered() {
			return m, nil
		}
		m.Query = m.Query.toggleWide()
		return m, []page.Cmd{page.Remember{Address: m.address(m.Query), Replace: true}}
	case "s":
		m.Query.Sort = m.nextSort()
		m.live.store.Arrange(m.Query.Sort, m.Query.Filter)
		return m, []page.Cmd{
			page.Remember{Address: m.address(m.Query), Replace: true},
			page.Announce{Words: "Sorted by " + sortWords(m.Query.Sort)},
		}
	default:
		return m, nil
	}
}

func (m Model) move(by int) (page.Page, []page.Cmd) {
	l := m.live
	at, on := l.store.Index(l.cursor)
	if !on {
		at = -1
		if by < 0 {
			at = 1
		}
	}
	at = min(max(at+by, 0), l.store.Len()-1)
	rows := l.store.Window(at, 1)
	if len(rows) == 0 {
		return m, nil
	}
	l.cursor = rows[0].UID
	return m, []page.Cmd{
		page.Scroll{Top: at * RowHeight, Bottom: (at + 1) * RowHeight},
		page.Focus{ID: components.RowID(l.cursor)},
	}
}

// nextSort goes through the visible columns, each up and down, and back to the server's order.
func (m Model) nextSort() table.Order {
	columns := m.columns()
	visible := table.Table{Columns: columns}.Visible(m.Query.Wide)
	if m.Query.Sort.Column == "" && len(visible) > 0 {
		return table.Order{Column: columns[visible[0]].Name}
	}
	if !m.Query.Sort.Descending {
		return table.Order{Column: m.Query.Sort.Column, Descending: true}
	}
	for n, i := range visible {
		if columns[i].Name == m.Query.Sort.Column && n+1 < len(visible) {
			return table.Order{Column: columns[visible[n+1]].Name}
		}
	}
	return table.Order{}
}

func sortWords(o table.Order) string {
	switch {
	case o.Column == "":
		return "key, as the server lists them"
	case o.Descending:
		return o.Column + ", descending"
	default:
		return o.Column
	}
}

// status words how current the page is.
func (m Model) status() components.Liveness {
	l := m.live
	switch {
	case l == nil || !m.follows():
		return components.Liveness{}
	case l.state == page.Broken && l.retry > 0:
		return components.Liveness{Tone: components.Bad, Words: fmt.Sprintf("reconnecting in %d s", int(l.retry.Seconds()+0.999)), Since: since(l)}
	case l.state == page.Broken:
		return components.Liveness{Tone: components.Bad, Words: "connection lost", Since: since(l)}
	case l.state == page.Connecting:
		return components.Liveness{Tone: components.Busy, Words: "connecting"}
	case !l.synced:
		return l.catchingUp()
	case l.gap == wire.Expired:
		return components.Liveness{Tone: components.Warn, Words: "live again: the server had dropped the versions in between, so the list was fetched anew"}
	case l.gap != "":
		return components.Liveness{Tone: components.Warn, Words: "live again: the list was fetched anew"}
	case l.pending > 0:
		return components.Liveness{Tone: components.Good, Words: fmt.Sprintf("live, %s held back while you point", components.Count(int64(l.pending), "new row", "new rows"))}
	default:
		return components.Liveness{Tone: components.Good, Words: "live"}
	}
}

func since(l *live) string {
	if l.stale.IsZero() {
		return ""
	}
	return "stale for " + table.Duration(l.now.Sub(l.stale))
}

func (l *live) catchingUp() components.Liveness {
	have := int64(l.store.Total())
	all := have + l.left
	return components.Liveness{
		Tone: components.Busy, Words: fmt.Sprintf("catching up, %s of %s", components.Thousands(have), components.Thousands(all)),
		Done: have, All: all,
	}
}
