package requests

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// live is the state that only the browser has.
type live struct {
	now     time.Time
	contact follow.Contact
	lines   []record.Line // all known lines, oldest first
	passed  []uint64      // the numbers of the lines that pass the filter, oldest first
	view    page.Scrolled
	over    bool   // the pointer is over the rows
	held    uint64 // the newest row while the pointer is over the rows; newer lines wait; 0: none wait
	asked   bool   // the request for the opened entry is on its way
	shown   record.Line
	drawn   map[uint64]drawn // cells of rows, by request; see cells
}

// following is the id of the subscription, and asking is the id of the request for an entry.
const (
	following = 1
	asking    = "entry"
)

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{now: now, contact: follow.NewContact(now), lines: slices.Clone(m.Lines)}
	slices.Reverse(m.live.lines)
	m.Query.Before = 0
	m.choose()
	if m.Detail != nil {
		m.live.shown = m.Detail.Line
	}
	if !m.Recording {
		return m, nil
	}
	return m, []page.Cmd{page.Subscribe{ID: following, Cluster: m.Shell.Cluster.Slug, As: wire.Requests}}
}

// choose finds the lines that pass the filter.
func (m Model) choose() {
	m.live.passed = m.live.passed[:0]
	for _, l := range m.live.lines {
		if m.Query.Filter.Passes(l) {
			m.live.passed = append(m.live.passed, l.ID)
		}
	}
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Received:
		return m.receive(msg.Message)
	case page.Connection:
		m.live.contact.Connect(msg)
		return m, m.live.contact.News()
	case page.Tick:
		m.live.now = msg.Now
		m.live.contact.Tick(msg.Now)
		return m.refreshEntry()
	case page.Scrolled:
		m.live.view = msg
	case page.Pointed:
		return m.point(msg.Over)
	case page.Addressed:
		return m.showQuery(ParseQuery(msg.Query))
	case page.Typed:
		return m.typed(msg)
	case page.Pressed:
		return m.press(msg.Key)
	case page.Response:
		if msg.ID == asking {
			return m.handleEntry(msg)
		}
	}
	return m, nil
}

func (m Model) receive(w wire.Message) (page.Page, []page.Cmd) {
	l := m.live
	if w.Type != wire.Recorded {
		l.contact.Hear(w)
		return m, l.contact.News()
	}
	l.contact.Hear(wire.Message{Type: wire.Synced})
	if w.Anew {
		l.lines, l.passed, l.drawn = l.lines[:0], l.passed[:0], nil
	}
	newest := l.newest()
	for _, line := range w.Lines {
		m.putLine(line)
	}
	l.trim(m.Most)
	commands := l.contact.News()
	if came := l.since(newest); came > 0 && l.view.Top > 0 && !w.Anew {
		commands = append(commands, page.Shift{By: came * page.RowHeight}) // the visible rows stay where they are
		l.view.Top += came * page.RowHeight
	}
	return m, commands
}

// putLine takes a new or a changed line in.
func (m Model) putLine(line record.Line) {
	l := m.live
	i := sort.Search(len(l.lines), func(i int) bool { return l.lines[i].ID >= line.ID })
	if i < len(l.lines) && l.lines[i].ID == line.ID {
		l.lines[i] = line
	} else {
		l.lines = slices.Insert(l.lines, i, line)
	}
	at, there := slices.BinarySearch(l.passed, line.ID)
	switch passes := m.Query.Filter.Passes(line); {
	case passes && !there:
		l.passed = slices.Insert(l.passed, at, line.ID)
	case !passes && there:
		l.passed = slices.Delete(l.passed, at, at+1)
	}
}

// trim drops the oldest lines, as the server's record does.
func (l *live) trim(most int) {
	if most <= 0 || len(l.lines) <= most {
		return
	}
	l.lines = slices.Delete(l.lines, 0, len(l.lines)-most)
	at, _ := slices.BinarySearch(l.passed, l.lines[0].ID)
	l.passed = slices.Delete(l.passed, 0, at)
}

// rowCount is the number of rows, without the waiting ones.
func (l *live) rowCount() int {
	if l.held == 0 {
		return len(l.passed)
	}
	at, _ := slices.BinarySearch(l.passed, l.held+1)
	return at
}

// newest is the number of the newest row; 0: there is none.
func (l *live) newest() uint64 {
	if n := l.rowCount(); n > 0 {
		return l.passed[n-1]
	}
	return 0
}

// since is the number of rows that are newer than a request.
func (l *live) since(id uint64) int {
	at, _ := slices.BinarySearch(l.passed[:l.rowCount()], id+1)
	return l.rowCount() - at
}

// waiting is the number of rows that wait until the pointer leaves.
func (l *live) waiting() int { return len(l.passed) - l.rowCount() }

// point holds the rows still while the pointer is over them.
func (m Model) point(over bool) (page.Page, []page.Cmd) {
	l := m.live
	l.over = over
	waited := l.waiting()
	l.held = 0
	if over && len(l.passed) > 0 {
		l.held = l.passed[len(l.passed)-1]
	}
	if !over && waited > 0 && l.view.Top > 0 {
		l.view.Top += waited * page.RowHeight
		return m, []page.Cmd{page.Shift{By: waited * page.RowHeight}}
	}
	return m, nil
}

// showQuery shows the page for another query.
func (m Model) showQuery(q Query) (page.Page, []page.Cmd) {
	return m.change(q, false)
}

func (m Model) change(q Query, replace bool) (page.Page, []page.Cmd) {
	filter, entry := q.Filter != m.Query.Filter, q.Entry != m.Query.Entry
	if filter || q.Raw != m.Query.Raw {
		m.live.drawn = nil // the links of the rows have both
	}
	m.Query = q
	m.Query.Before = 0
	commands := []page.Cmd{page.Remember{Address: web.WithQuery(m.action(), m.Query.Values()), Replace: replace}}
	if filter {
		m.live.held = 0
		m.choose()
		commands = append(commands, page.Scroll{Top: 0, Bottom: page.RowHeight})
	}
	if entry {
		m.Detail, m.live.asked = nil, false
		if q.Entry > 0 {
			next, ask := m.requestEntry()
			return next, append(commands, ask...)
		}
	}
	return m, commands
}

// typed takes in a field of the form.
func (m Model) typed(t page.Typed) (page.Page, []page.Cmd) {
	q := m.Query
	switch t.Field {
	case FieldVerb:
		q.Filter.Verb = t.Text
	case FieldStatus:
		q.Filter.Status = t.Text
	case FieldOrigin:
		q.Filter.Origin = t.Text
	case FieldText:
		q.Filter.Text = t.Text
	default:
		return m, nil
	}
	return m.change(q, true)
}

// requestEntry requests the opened entry.
func (m Model) requestEntry() (page.Page, []page.Cmd) {
	m.live.asked = true
	m.live.shown, _ = m.live.line(m.Query.Entry)
	address := web.WithQuery(m.action(), Query{Entry: m.Query.Entry}.Values())
	return m, []page.Cmd{page.Ask{ID: asking, Address: address, Accept: MediaType}}
}

// refreshEntry requests the opened entry again, if its request has made progress.
func (m Model) refreshEntry() (page.Page, []page.Cmd) {
	line, known := m.live.line(m.Query.Entry)
	if m.Query.Entry == 0 || m.live.asked || !known || line == m.live.shown {
		return m, nil
	}
	return m.requestEntry()
}

func (m Model) handleEntry(f page.Response) (page.Page, []page.Cmd) {
	m.live.asked = false
	var e record.Entry
	if f.Status != status.CodeOK || json.Unmarshal(f.Body, &e) != nil {
		m.Detail = nil
		return m, nil
	}
	if e.ID != m.Query.Entry {
		return m, nil // the reader has opened another entry
	}
	fresh := m.Detail == nil
	m.Detail = &e
	if fresh {
		return m, []page.Cmd{page.Reveal{ID: rowID(e.ID)}}
	}
	return m, nil
}

func (l *live) line(id uint64) (record.Line, bool) {
	i := sort.Search(len(l.lines), func(i int) bool { return l.lines[i].ID >= id })
	if i < len(l.lines) && l.lines[i].ID == id {
		return l.lines[i], true
	}
	return record.Line{}, false
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"j", "k"}, Does: "Open the next request, the previous request"},
		{Keys: []string{"Esc"}, Does: "Close the open request, or go up to the parent page"},
	}
}

func (m Model) press(key string) (page.Page, []page.Cmd) {
	switch key {
	case "j":
		return m.step(-1) // the row below is older
	case "k":
		return m.step(1)
	case "Escape":
		if m.Query.Entry > 0 {
			q := m.Query
			q.Entry, q.Raw = 0, false
			return m.change(q, true)
		}
	}
	return m, nil
}

// step opens the request next to the opened one, or the newest one if none is open.
func (m Model) step(by int) (page.Page, []page.Cmd) {
	l := m.live
	n := l.rowCount()
	if n == 0 {
		return m, nil
	}
	at, there := slices.BinarySearch(l.passed[:n], m.Query.Entry)
	switch {
	case m.Query.Entry == 0:
		at = n - 1
	case there || by < 0:
		at += by
	}
	if at < 0 || at >= n {
		return m, nil
	}
	q := m.Query
	q.Entry = l.passed[at]
	next, commands := m.change(q, true)
	top := (n - 1 - at) * page.RowHeight
	return next, append(commands, page.Scroll{Top: top, Bottom: top + page.RowHeight}, page.Focus{ID: rowID(q.Entry)})
}

// liveness says whether the page is up to date.
func (m Model) liveness() components.Liveness {
	if m.live == nil || !m.Recording {
		return components.Liveness{}
	}
	words := m.live.contact.Liveness(0, 0)
	words.Why = nil // the record is Fieldmark's own: no watch of the API
	if n := m.live.waiting(); n > 0 {
		words.Words += fmt.Sprintf(", %d hidden while the pointer is on the list", n)
	}
	return words
}
