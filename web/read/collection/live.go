package collection

import (
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call/inplace"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is the id of the page's only subscription.
const subscription = 1

// live is the state of a page in the browser. On the server, it is nil. The copies of a Model share it, and only the newest copy is valid.
type live struct {
	rows   *follow.Table
	widths widths
	now    time.Time
	view   page.Scrolled
	cursor cursor
	call   inplace.Model // the panel with the page's request
	chosen []pick
	full   bool   // more rows were to be chosen than one act takes
	last   string // the uid of the row that was chosen last
	told   bool   // an object has told a condition

	viewing viewing
	using   using
	reading reading
	adding  adding
}

// Kind names the page in the embedded model.
const Kind = "collection"

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m, m.laidOut()) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	h := page.Head{
		Where: m.Shell.Anatomy(), Title: page.Text(shell.Plural(m.Type)), Beside: beside(m), Acts: m.actions(), Below: below(m, m.laidOut()), Problem: true,
	}
	if m.Problem == nil {
		h.Small, h.Live = page.Text(m.total()), new(m.liveness())
	}
	return h
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	t, using := m.reserve(m.table())
	t.Columns = m.withAdded(t.Columns)
	l := &live{rows: follow.NewTable(t, now), now: now, widths: m.widths(), using: using, told: tells(t.Columns, t.Rows)}
	l.rows.Arrange(m.Query.Sort, m.Query.Filter)
	m.live = l
	m.startReading()
	commands := m.askForUsage(now)
	if m.follows() {
		commands = append(commands, follow.Subscribe(subscription, m.Shell.Cluster.Slug, m.watched(), m.Table))
	}
	return m, commands
}

// follows tells whether the page can be kept current by a watch. A later chunk can't, because it is part of a snapshot, and a page without a table
// can't, either.
func (m Model) follows() bool {
	return m.Problem == nil && m.Query.Continue == "" && m.Type.Watchable()
}

// watched is the path of the whole collection, with its selectors.
func (m Model) watched() string {
	q := Query{LabelSelector: m.Query.LabelSelector, FieldSelector: m.Query.FieldSelector}
	return web.WithQuery(m.Shell.Path.String(), m.request(q))
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	l := m.live
	panel, commands, taken := l.call.Update(msg, m.apiCall)
	if l.call = panel; taken {
		return m, commands
	}
	switch msg := msg.(type) {
	case page.Received:
		shift := l.anchored(func() { m.receive(msg.Message) })
		return m, slices.Concat(shift, l.rows.News(), m.read())
	case page.Connection:
		l.rows.Connect(msg)
		return m, l.rows.News()
	case page.Tick:
		l.now = msg.Now
		l.rows.Tick(msg.Now)
		return m, append(m.askForUsage(msg.Now), m.tickReading(msg.Now)...)
	case page.Scrolled:
		if l.view.Height == 0 {
			l.reading.top = msg.Top
		}
		l.view = msg
		return m, m.read()
	case page.Pointed:
		return m, l.anchored(func() { l.rows.Hold(msg.Over) })
	case page.Focused:
		l.cursor.follow(l.rows.Store, msg.ID)
		if msg.ID == columnField {
			return m, m.openAdding()
		}
	case page.Addressed:
		return m.addressed(msg.Query)
	case page.Typed:
		return m.typed(msg)
	case page.Pressed:
		return m.pressed(msg.Key)
	default:
		return m.handleViewMessage(msg)
	}
	return m, nil
}

// handleViewMessage handles messages about the reader's preferences and views.
func (m Model) handleViewMessage(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Response:
		return m, m.responded(msg)
	case page.Worked:
		return m, m.read()
	case page.Preferred:
		m.Shell.Preferences = msg.Preferences
	case page.Kept:
		m.remembered(msg)
	case page.Acted:
		return m.handleAction(msg.Action)
	}
	return m, nil
}

// responded takes in the response to a call.
func (m Model) responded(r page.Response) []page.Cmd {
	switch r.ID {
	case askUsage, askBounds:
		return m.usageResponded(r)
	case askNotes:
		return m.notesResponded(r)
	case askSchema:
		return m.schemaResponded(r)
	}
	return m.valuesResponded(r)
}

// receive handles a message of the subscription.
func (m Model) receive(w wire.Message) {
	l := m.live
	l.using.widen(&w)
	if len(w.Columns) > 0 {
		w.Columns = m.withAdded(w.Columns)
	}
	for i := range w.Rows {
		l.reading.give(&w.Rows[i])
	}
	for _, e := range w.Events {
		if e.Row != nil {
			l.reading.give(e.Row)
		}
	}
	news := l.rows.Hear(w)
	if w.Type == wire.Synced || w.Type == wire.Events {
		l.reading.forget(l.rows)
	}
	if len(news) > 0 {
		l.widths = l.widths.grown(l.rows.Columns(), news)
		l.told = l.told || tells(l.rows.Columns(), news)
	}
}

// addressed handles another query of the same page. Sorting, filtering and wide columns need no request. Any other change needs one.
func (m Model) addressed(v url.Values) (page.Page, []page.Cmd) {
	next := ParseQuery(v)
	if next.LabelSelector != m.Query.LabelSelector || next.FieldSelector != m.Query.FieldSelector ||
		next.Continue != m.Query.Continue || next.Limit != m.Query.Limit {
		return m, []page.Cmd{page.Navigate{Address: m.queryAddress(next)}}
	}
	said := page.Announce{Words: sortWords(next.Sort)}
	sorted := next.Sort != m.Query.Sort
	added := !slices.Equal(next.Columns, m.Query.Columns)
	if !next.Choosing {
		m.live.chosen = nil
	}
	m.Query = next
	if added {
		m.changeColumns()
	}
	m.rearrange()
	commands := []page.Cmd{page.Remember{Address: m.queryAddress(m.Query)}}
	if sorted {
		commands = append(commands, said)
	}
	return m, append(commands, m.read()...)
}

// typed filters after every letter.
func (m Model) typed(t page.Typed) (page.Page, []page.Cmd) {
	if m.typedView(t) {
		return m, nil
	}
	switch t.Field {
	case columnName:
		m.live.adding.text = t.Text
		return m, nil
	case chosenField:
		return m.choose(t.Text)
	case rangeField:
		return m.chooseTo(t.Text)
	case allField:
		return m.chooseAll()
	}
	if t.Field != "filter" || t.Text == m.Query.Filter {
		return m, nil
	}
	m.Query.Filter = t.Text
	m.rearrange()
	return m, append([]page.Cmd{page.Remember{Address: m.queryAddress(m.Query), Replace: true}}, m.read()...)
}

// liveness says how current the page is.
func (m Model) liveness() components.Liveness {
	l := m.live
	if l == nil || !m.follows() {
		return components.Liveness{}
	}
	words := l.rows.Liveness()
	words.Words += l.rows.BackWords("new row", "new rows")
	return words
}
