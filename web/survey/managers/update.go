package managers

import (
	"encoding/json"
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/census"
	"github.com/fieldmark/fieldmark/words"
)

// live is the state that only the browser has.
type live struct {
	now     time.Time
	asked   bool   // a request for the sheet is on its way
	opening bool   // a request for the objects of the cell is on its way
	trouble string // why the last request had no usable response; empty: it had one
	over    bool   // the pointer is over the picture or the table
	held    *Sheet // what they show when the pointer has left them; nil: what they show now

	// The cell that was open before, and whether the list of its manager's types led to the one that is open.
	manager, typ string
	listed       bool
}

// IDs of the page's requests.
const (
	asking  = "census"
	opening = "objects"
)

// IDs of the heading of the panel, and of the square of the cell that is open, or was the last one.
const (
	panelID  = "managers-objects"
	squareID = "managers-square"
)

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live.now = now
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		m.live.now = msg.Now
		return m.requestSheet()
	case page.Response:
		switch msg.ID {
		case asking:
			return m.receiveSheet(msg)
		case opening:
			return m.receiveObjects(msg)
		}
	case page.Addressed:
		return m.show(ParseQuery(msg.Query), false)
	case page.Typed:
		return m.typed(msg)
	case page.Pressed:
		if msg.Key == "Escape" && m.Query.opens() {
			return m.closePanel(m.Query.closed())
		}
	case page.Pointed:
		m.live.over = msg.Over
		if !msg.Over && m.live.held != nil {
			m.Sheet, m.live.held = m.live.held, nil
		}
	}
	return m, nil
}

// show shows the page for another query.
func (m Model) show(q Query, replace bool) (page.Page, []page.Cmd) {
	before := m.Query
	other := q.Manager != before.Manager || q.Type != before.Type || q.Whole != before.Whole
	if other && !q.opens() {
		return m.closePanel(q)
	}
	m.Query = q
	commands := []page.Cmd{m.remember(replace)}
	if !other || m.Sheet == nil {
		return m, commands
	}
	m.Objects, m.live.opening, m.live.listed = nil, q.Type != "", before.Whole && before.Manager == q.Manager
	if q.Type != "" {
		m.live.manager, m.live.typ = q.Manager, q.Type
		address := web.WithQuery(m.action(), url.Values{FieldManager: {q.Manager}, FieldType: {q.Type}})
		commands = append(commands, page.Ask{ID: opening, Address: address, Accept: ObjectsType})
	}
	return m, append(commands, page.Painted{Cmd: page.Focus{ID: panelID}})
}

func (m Model) remember(replace bool) page.Cmd {
	return page.Remember{Address: web.WithQuery(m.action(), m.Query.Values()), Replace: replace}
}

// closePanel shows the page for a query that opens nothing, and returns the focus to what opened it: a square, or a manager's name in the table.
func (m Model) closePanel(q Query) (page.Page, []page.Cmd) {
	back := squareID
	if m.Query.Whole || m.live.listed {
		back = nameID(m.Query.Manager)
	}
	m.Query, m.Objects, m.live.opening = q, nil, false
	return m, []page.Cmd{m.remember(true), page.Painted{Cmd: page.Focus{ID: back}}}
}

// typed takes a field of the filter in.
func (m Model) typed(msg page.Typed) (page.Page, []page.Cmd) {
	values := m.Query.Values()
	switch msg.Field {
	case FieldText, FieldKind, FieldOperation, FieldSubresource, FieldWrote:
		values.Set(msg.Field, msg.Text)
	default:
		return m, nil
	}
	values.Del(FieldPage)
	return m.show(ParseQuery(values), true)
}

// requestSheet requests the state of the census while it reads.
func (m Model) requestSheet() (page.Page, []page.Cmd) {
	if !m.reads() || m.live.asked {
		return m, nil
	}
	m.live.asked = true
	return m, []page.Cmd{page.Ask{ID: asking, Address: m.action(), Accept: census.MediaType}}
}

// receiveSheet takes the state of the census in.
func (m Model) receiveSheet(answer page.Response) (page.Page, []page.Cmd) {
	m.live.asked = false
	var sheet *Sheet
	switch {
	case answer.Status == status.CodeUnauthorized:
		m.live.trouble = census.SignedOut
		return m, nil
	case answer.Status != status.CodeOK || json.Unmarshal(answer.Body, &sheet) != nil:
		m.live.trouble = "Fieldmark doesn’t respond, trying again"
		return m, nil
	case sheet == nil:
		return m, []page.Cmd{page.Reload{}}
	}
	m.live.trouble = ""
	m.put(sheet)
	if sheet.Phase == report.Reading {
		return m, nil
	}
	return m, []page.Cmd{page.Announce{Words: "The census has ended. " + words.Count(int64(len(sheet.Findings)+sheet.More), "finding", "findings") + "."}}
}

// put shows a sheet. While the pointer is over the picture or the table, nothing in them moves.
func (m *Model) put(sheet *Sheet) {
	m.live.held = nil
	if !m.live.over || m.Sheet == nil {
		m.Sheet = sheet
		return
	}
	m.live.held = sheet
	still := *m.Sheet
	still.Phase, still.Ended = sheet.Phase, sheet.Ended
	m.Sheet = &still
}

// receiveObjects takes the objects of a cell in.
func (m Model) receiveObjects(answer page.Response) (page.Page, []page.Cmd) {
	var objects *Objects
	switch {
	case answer.Status == status.CodeUnauthorized:
		objects = &Objects{Trouble: components.Sentence(census.SignedOut)}
	case answer.Status != status.CodeOK || json.Unmarshal(answer.Body, &objects) != nil || objects == nil:
		objects = &Objects{Trouble: "Fieldmark doesn’t respond. Choose the square again."}
	case objects.Manager != m.Query.Manager || objects.Type != m.Query.Type:
		return m, nil // the reader has chosen another cell
	}
	m.live.opening, m.Objects = false, objects
	said := objects.Trouble
	if said == "" {
		said = words.Count(int64(len(objects.Objects)), "object", "objects")
	}
	return m, []page.Cmd{page.Announce{Words: said}}
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key {
	return []components.Key{
		{Keys: []string{"←", "→", "↑", "↓"}, Does: "Go from square to square of the picture"},
		{Keys: []string{"Home", "End"}, Does: "Go to the first square of the row, the last square of the row"},
		{Keys: []string{"Enter"}, Does: "Show the objects of the square"},
		{Keys: []string{"Esc"}, Does: "Close the objects, or go up to the parent page"},
	}
}
