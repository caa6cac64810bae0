package request

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The views of a response.
const (
	tabPretty = "pretty"
	tabTable  = "table"
	tabRaw    = "raw"
	tabHex    = "hex"
	tabHead   = "head"
)

// answer is how the page shows the response.
type answer struct {
	tab     string // empty: the first of tabs
	lines   int    // so many lines are laid out
	reveal  bool   // the reader wants to see secrets
	laid    *layout.JSON
	of      int // bytes of the response that laid was made from
	grid    *gridding
	secrets bool
}

// mostLines is how many lines are laid out at first.
const mostLines = 400

// handleMessage takes a part of the response in.
func (m Model) handleMessage(msg page.Msg) (page.Page, []page.Cmd) {
	x, mine := m.live.call.Hear(msg)
	if !mine {
		return m, nil
	}
	if s := m.live.stream; s != nil && x.OK() && len(x.Kept) > 0 {
		s.addBodyPart(x.Kept)
		x.Kept = nil
	}
	m.live.call = x
	if _, ended := msg.(page.Ended); !ended {
		return m, nil
	}
	m.live.answer.secrets = m.live.sent.Secret() || holdsSecret(m.live.sent, x)
	return m.prepared(), []page.Cmd{page.Announce{Words: x.Outcome()}}
}

// holdsSecret tells whether a response may be a Secret or contain one.
func holdsSecret(d draft.Draft, x call.Call) bool {
	p, ok := d.Path()
	return !ok || p.IsResource() && object.MayHold(x.Kept)
}

// looked changes how the response is shown.
func (m Model) looked(what, rest string, n int) Model {
	a := &m.live.answer
	switch what {
	case doTab:
		a.tab, a.lines = rest, mostLines
	case doMore:
		a.lines += 2 * mostLines
	case doReveal:
		a.reveal = !a.reveal
		a.laid = nil
	case doHold:
		if s := m.live.stream; s != nil {
			s.hold()
		}
	case doEvent:
		if s := m.live.stream; s != nil {
			s.choose(n)
		}
	}
	return m.prepared()
}

// tabs are the views that fit the response, the best first.
func (m Model) tabs() []string {
	x := m.live.call
	switch {
	case len(x.Kept) == 0:
		return []string{tabHead}
	case x.Form() == call.JSON && bytes.Contains(x.Kept[:min(len(x.Kept), 64)], []byte(`"Table"`)):
		return []string{tabTable, tabPretty, tabRaw, tabHex, tabHead}
	case x.Form() == call.JSON:
		return []string{tabPretty, tabRaw, tabHex, tabHead}
	case x.Form() == call.Text:
		return []string{tabRaw, tabHex, tabHead}
	}
	return []string{tabHex, tabHead}
}

// tab is the view that is shown.
func (m Model) tab() string {
	all := m.tabs()
	for _, t := range all {
		if t == m.live.answer.tab {
			return t
		}
	}
	return all[0]
}

// veiled tells whether the secrets of the response are hidden.
func (m Model) veiled() bool { return m.live.answer.secrets && !m.live.answer.reveal }

// hiddenWhole tells whether this view is hidden as a whole, because it can't hide only the secrets.
func (m Model) hiddenWhole() bool {
	tab := m.tab()
	return m.veiled() && (tab == tabRaw || tab == tabHex)
}

// body are the lines of the response's body that are laid out, and whether there are more.
func (m Model) body() (lines []layout.Line, more bool) {
	x, a := m.live.call, m.live.answer
	switch m.tab() {
	case tabPretty:
		return a.laid.To(a.lines)
	case tabRaw:
		return layout.Text(x.Kept, a.lines)
	case tabHex:
		return layout.Bytes(x.Kept, a.lines)
	}
	return nil, false
}

// gridding reads rows of a Table when they are needed. The Table may be cut off.
type gridding struct {
	rest  *json.Decoder
	table table.Table // its rows have cells, and a number in place of the uid
	done  bool
}

// newGridding reads up to the first row.
func newGridding(text []byte) *gridding {
	g := &gridding{rest: json.NewDecoder(bytes.NewReader(text))}
	for depth := 0; ; {
		token, err := g.rest.Token()
		if err != nil {
			g.done = true
			return g
		}
		switch {
		case token == json.Delim('{') || token == json.Delim('['):
			depth++
		case token == json.Delim('}') || token == json.Delim(']'):
			depth--
		case depth == 1 && token == "columnDefinitions":
			g.done = g.rest.Decode(&g.table.Columns) != nil
		case depth == 1 && token == "rows":
			_, err := g.rest.Token()
			g.done = err != nil
			return g
		}
	}
}

// upTo reads rows until there are n, and tells whether there are more.
func (g *gridding) upTo(n int) (more bool) {
	for len(g.table.Rows) < n && !g.done {
		var row struct {
			Cells []table.Cell `json:"cells"`
		}
		if !g.rest.More() || g.rest.Decode(&row) != nil {
			g.done = true
			break
		}
		g.table.Rows = append(g.table.Rows, table.Row{UID: "answer-" + strconv.Itoa(len(g.table.Rows)), Cells: row.Cells})
	}
	return !g.done
}

// rowsAtFirst is how many lines of text count as one row of a Table.
const rowsAtFirst = mostLines / 100

// grid is the response as a table, and whether there are more rows.
func (m Model) grid() (components.Grid, bool) {
	g := m.live.answer.grid
	more := g.upTo(m.live.answer.lines / rowsAtFirst)
	return components.GridOf("The response", g.table, false), more
}

// prepared lays out the view that is shown, if it isn't yet.
func (m Model) prepared() Model {
	a := &m.live.answer
	switch m.tab() {
	case tabPretty:
		if kept := m.live.call.Kept; a.laid == nil || a.of != len(kept) {
			a.laid, a.of = layout.Of(kept, layout.How{Hide: m.veiled()}), len(kept)
		}
	case tabTable:
		if a.grid == nil {
			a.grid = newGridding(m.live.call.Kept)
		}
	}
	return m
}

// keptWords say how much of the body the page has; empty: all of it.
func keptWords(x call.Call) string {
	if int64(len(x.Kept)) >= x.Bytes {
		return ""
	}
	return fmt.Sprintf("The page shows the first %s of %s. It doesn’t keep the rest of a long response.", components.Bytes(int64(len(x.Kept))), components.Bytes(x.Bytes))
}
