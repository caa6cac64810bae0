package console

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
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The ways to look at an answer.
const (
	tabPretty = "pretty"
	tabTable  = "table"
	tabRaw    = "raw"
	tabHex    = "hex"
	tabHead   = "head"
)

// answer is how the answer is looked at.
type answer struct {
	tab     string // empty: the best there is
	lines   int    // how many of it are laid out
	reveal  bool   // the reader asked for what is secret
	laid    *layout.JSON
	of      int // bytes of the answer that are laid out
	grid    *gridding
	secrets bool
}

// mostLines is how many lines are laid out at first, and with each step.
const mostLines = 400

// hear takes in what comes of the request.
func (m Model) hear(msg page.Msg) (page.Page, []page.Cmd) {
	x, mine := m.live.call.Hear(msg)
	if !mine {
		return m, nil
	}
	if s := m.live.stream; s != nil && x.OK() && len(x.Kept) > 0 {
		s.take(x.Kept)
		x.Kept = nil
	}
	m.live.call = x
	if _, ended := msg.(page.Ended); !ended {
		return m, nil
	}
	m.live.answer.secrets = m.live.sent.secret() || holdsSecret(m.live.sent, x)
	return m.prepared(), []page.Cmd{page.Announce{Words: x.Outcome()}}
}

// holdsSecret tells whether an answer may be a Secret, or hold one.
func holdsSecret(d Draft, x call.Call) bool {
	p, ok := d.path()
	return !ok || p.IsResource() && object.MayHold(x.Kept)
}

// looked takes in how the reader wants to look at the answer.
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

// tabs are the ways to look at the answer, the best first.
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

// tab is the one that is shown.
func (m Model) tab() string {
	all := m.tabs()
	for _, t := range all {
		if t == m.live.answer.tab {
			return t
		}
	}
	return all[0]
}

// veiled tells whether the secrets of the answer are hidden.
func (m Model) veiled() bool { return m.live.answer.secrets && !m.live.answer.reveal }

// hiddenWhole tells whether the answer can't be shown without its secrets in this form.
func (m Model) hiddenWhole() bool {
	tab := m.tab()
	return m.veiled() && (tab == tabRaw || tab == tabHex)
}

// body is what is laid out of the answer's body, and whether there is more.
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

// gridding reads the rows of a Table as far as they are looked at, be it cut or not.
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

// upTo reads so many rows, if there are as many, and tells whether there are more.
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

// rowsAtFirst is how many rows of a Table are laid out for each so many lines of text.
const rowsAtFirst = mostLines / 100

// grid is the answer as a table, and whether there is more.
func (m Model) grid() (components.Grid, bool) {
	g := m.live.answer.grid
	more := g.upTo(m.live.answer.lines / rowsAtFirst)
	return components.GridOf("The response", g.table, false), more
}

// prepared lays out what is looked at. What is laid out stays so while more of it is.
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

// keptWords says how much of the body there is to see, where that is not all.
func keptWords(x call.Call) string {
	if int64(len(x.Kept)) >= x.Bytes {
		return ""
	}
	return fmt.Sprintf("The page shows the first %s of %s. It doesn’t keep the rest of a long response.", components.Bytes(int64(len(x.Kept))), components.Bytes(x.Bytes))
}
