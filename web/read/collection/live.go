package collection

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is the id of the page's only subscription.
const subscription = 1

// freshFor is how long a row that changed is marked.
const freshFor = 1500 * time.Millisecond

// live is what a page knows once it is alive. The server has none. It is shared by the copies of a Model, of
// which only the newest counts.
type live struct {
	contact page.Contact
	store   *page.Rows
	widths  widths
	now     time.Time
	fresh   map[string]time.Time
	view    page.Scrolled
	cursor  cursor
	held    *table.Held // nil: the pointer is elsewhere
}

// Kind names the page in the embedded model.
const Kind = "collection"

// Kind implements page.Page.
func (Model) Kind() string { return Kind }

// Frame implements page.Page.
func (m Model) Frame() shell.Model { return m.Shell }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m, m.laidOut()) }

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	l := &live{
		contact: page.NewContact(now), store: page.NewRows(m.Table), now: now,
		widths: measure(m.Table.Columns, m.Table.Rows), fresh: map[string]time.Time{},
	}
	l.store.Arrange(m.Query.Sort, m.Query.Filter)
	m.live = l
	if !m.follows() {
		return m, nil
	}
	s := page.Subscribe{
		ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: m.watched(), As: wire.Table,
		ResourceVersion: m.Table.ResourceVersion, Continue: m.Table.Continue,
	}
	return m, []page.Cmd{s}
}

// follows tells whether the page shows something that can be followed: a chunk in the middle is part of a
// snapshot, and a page that says why there is no table has nothing to follow.
func (m Model) follows() bool {
	return m.Problem == nil && m.Query.Continue == "" && m.Type.Watchable()
}

// watched is the path of the whole collection, with its selectors.
func (m Model) watched() string {
	q := Query{LabelSelector: m.Query.LabelSelector, FieldSelector: m.Query.FieldSelector}
	return web.WithQuery(m.Shell.Path.String(), q.Request())
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	l := m.live
	switch msg := msg.(type) {
	case page.Received:
		shift := l.anchored(func() { l.receive(msg.Message) })
		return m, append(shift, l.contact.News()...)
	case page.Connection:
		l.contact.Connect(msg)
		return m, l.contact.News()
	case page.Tick:
		l.tick(msg.Now)
	case page.Scrolled:
		l.view = msg
	case page.Pointed:
		return m, l.anchored(func() { l.hold(msg.Over) })
	case page.Focused:
		l.cursor.follow(l.store.Store, msg.ID)
	case page.Addressed:
		return m.addressed(msg.Query)
	case page.Typed:
		return m.typed(msg)
	case page.Pressed:
		return m.pressed(msg.Key)
	}
	return m, nil
}

func (l *live) tick(now time.Time) {
	l.now = now
	l.contact.Tick(now)
	for uid, at := range l.fresh {
		if now.Sub(at) > freshFor {
			delete(l.fresh, uid)
		}
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
	said := page.Announce{Words: sortWords(next.Sort)}
	sorted := next.Sort != m.Query.Sort
	m.Query = next
	m.rearrange()
	commands := []page.Cmd{page.Remember{Address: m.address(m.Query)}}
	if sorted {
		commands = append(commands, said)
	}
	return m, commands
}

// typed filters with every letter.
func (m Model) typed(t page.Typed) (page.Page, []page.Cmd) {
	if t.Field != "filter" || t.Text == m.Query.Filter {
		return m, nil
	}
	m.Query.Filter = t.Text
	m.rearrange()
	return m, []page.Cmd{page.Remember{Address: m.address(m.Query), Replace: true}}
}

// liveness words how current the page is.
func (m Model) liveness() components.Liveness {
	l := m.live
	if l == nil || !m.follows() {
		return components.Liveness{}
	}
	words := l.contact.Liveness(int64(l.store.Total()), l.store.Left)
	if n := l.back(); n > 0 && l.contact.Live() {
		words.Words += ", " + components.Count(int64(n), "new row", "new rows") + " held back while you point"
	}
	return words
}
