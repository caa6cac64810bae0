package versions

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/request"
	rules "github.com/fieldmark/fieldmark/kube/resourceversion"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// The actions of the page's buttons (data-do). Those of cells and choices are followed by the cell or the choice.
const (
	doCell   = "cell/"
	doSay    = "say/"
	doSend   = "send"
	doAll    = "all"
	doStop   = "stop"
	doFresh  = "fresh"
	doReveal = "reveal"
)

// Fields of the values.
const (
	fieldOld     = "old"
	fieldCurrent = "current"
	fieldFuture  = "future"
)

// fresh is the id of the request for values.
const fresh = "fresh"

// Bounds: how many requests are on their way at a time, and how often a request with a Retry-After is sent.
const (
	atOnce   = 6
	mostTrys = 3
)

// live is the state that only the browser has.
type live struct {
	awake      bool
	now        time.Time
	cells      map[string]cell // never changed in place
	queue      []string        // cells whose requests are not sent yet
	revealed   bool            // all meanings are shown
	fresh      call.Call
	compaction scenario.Compaction
}

// cell is the state of a cell.
type cell struct {
	said    rules.Meaning // the reader's prediction; empty: there was none
	x       call.Call
	answer  *rules.Answer
	verdict rules.Verdict
	retries bool // the request is sent again if the response has a Retry-After
	tries   int
	waits   bool      // it will be sent again; the next tick sets retryAt
	retryAt time.Time // when it is sent again; zero: it isn't
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = live{awake: true, now: now}
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		next := Parse(msg.Query)
		next.Shell = m.Shell
		return m, []page.Cmd{page.Navigate{Address: next.cellAddress(next.Cell)}}
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Typed:
		return m.typed(msg), nil
	case page.Tick:
		return m.ticked(msg.Now)
	case page.Opened, page.Arrived, page.Ended:
		return m.heard(msg)
	}
	return m, nil
}

func (m Model) typed(t page.Typed) Model {
	text := strings.TrimSpace(t.Text)
	switch t.Field {
	case fieldOld:
		m.Values.Old = text
	case fieldCurrent:
		m.Values.Current = text
	case fieldFuture:
		m.Values.Future = text
	}
	return m
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	switch key {
	case "s":
		return m.handleAction(doSend)
	case "S":
		return m.handleAction(doAll)
	case "m":
		return m.handleAction(doReveal)
	case "1", "2", "3", "4", "5", "6":
		r, _, _ := findCell(m.Cell)
		if n := int(key[0] - '1'); n < len(rules.Choices(r)) {
			return m.handleAction(doSay + string(rules.Choices(r)[n]))
		}
	case "h", "j", "k", "l":
		return m.to(m.beside(key))
	}
	return m, nil
}

// beside is the next cell in a direction.
func (m Model) beside(key string) string {
	r, c, _ := findCell(m.Cell)
	row := slices.IndexFunc(rules.Rows, func(o rules.Row) bool { return o.ID == r.ID })
	column := slices.Index(rules.Columns, c)
	move := map[string][2]int{"h": {0, -1}, "l": {0, 1}, "j": {1, 0}, "k": {-1, 0}}[key]
	row = min(max(row+move[0], 0), len(rules.Rows)-1)
	column = min(max(column+move[1], 0), len(rules.Columns)-1)
	return cellID(rules.Rows[row], rules.Columns[column])
}

func (m Model) to(id string) (page.Page, []page.Cmd) {
	if _, _, ok := findCell(id); !ok {
		return m, nil
	}
	m.Cell = id
	m.Shell.Here = m.cellAddress(id)
	return m, []page.Cmd{page.Remember{Address: m.cellAddress(id), Replace: true}, page.Reveal{ID: id}}
}

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	if !m.live.awake || !m.Target.Known() {
		return m, nil
	}
	if id, ok := strings.CutPrefix(action, doCell); ok {
		return m.to(id)
	}
	if meaning, ok := strings.CutPrefix(action, doSay); ok {
		return m.say(rules.Meaning(meaning)), nil
	}
	switch action {
	case doSend:
		return m.sendCell(m.Cell, true)
	case doAll:
		return m.all()
	case doStop:
		return m.stop()
	case doReveal:
		m.live.revealed = !m.live.revealed
	case doFresh:
		x, cmd := call.Call{ID: fresh, Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: m.First(), Header: []request.Header{{Name: "Accept", Value: accept.MetadataList}}}.Begin()
		m.live.fresh = x
		return m, []page.Cmd{cmd}
	case scenario.DoCompact:
		run, cmds := m.live.compaction.Begin(m.Shell)
		m.live.compaction = run
		return m, cmds
	}
	return m, nil
}

// with is the page with a new state of a cell.
func (m Model) with(id string, c cell) Model {
	cells := maps.Clone(m.live.cells)
	if cells == nil {
		cells = map[string]cell{}
	}
	cells[id] = c
	m.live.cells = cells
	return m
}

// say takes a prediction in, unless the response is there already.
func (m Model) say(meaning rules.Meaning) Model {
	r, _, _ := findCell(m.Cell)
	c := m.live.cells[m.Cell]
	if c.answer != nil || m.live.revealed || !slices.Contains(rules.Choices(r), meaning) {
		return m
	}
	c.said = meaning
	return m.with(m.Cell, c)
}

// sendCell sends a cell's request.
func (m Model) sendCell(id string, retries bool) (page.Page, []page.Cmd) {
	x, why := m.request(id)
	before := m.live.cells[id]
	if why != "" || before.x.Under() {
		return m, nil
	}
	x, cmd := x.Begin()
	return m.with(id, cell{said: before.said, x: x, retries: retries, tries: 1}), []page.Cmd{cmd}
}

// all sends the requests of all cells, a few at a time.
func (m Model) all() (page.Page, []page.Cmd) {
	m.live.queue = nil
	for _, r := range rules.Rows {
		for _, c := range rules.Columns {
			if _, why := m.request(cellID(r, c)); why == "" {
				m.live.queue = append(m.live.queue, cellID(r, c))
			}
		}
	}
	return m.onward()
}

// onward sends requests from the queue until enough are on their way.
func (m Model) onward() (page.Page, []page.Cmd) {
	var cmds []page.Cmd
	for len(m.live.queue) > 0 && m.under() < atOnce {
		id := m.live.queue[0]
		m.live.queue = m.live.queue[1:]
		next, more := m.sendCell(id, false)
		m, cmds = next.(Model), append(cmds, more...)
	}
	return m, cmds
}

func (m Model) under() int {
	n := 0
	for _, c := range m.live.cells {
		if c.x.Under() {
			n++
		}
	}
	return n
}

// stop empties the queue, and sends no request again.
func (m Model) stop() (page.Page, []page.Cmd) {
	m.live.queue = nil
	for id, c := range m.live.cells {
		if c.waits || !c.retryAt.IsZero() {
			c.waits, c.retryAt, c.retries = false, time.Time{}, false
			m = m.with(id, c)
		}
	}
	return m, nil
}

func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.live.now = now
	run, cmds := m.live.compaction.Tick()
	m.live.compaction = run
	for id, c := range m.live.cells {
		if c.waits {
			c.waits, c.retryAt = false, now.Add(wait(c))
			m = m.with(id, c)
			continue
		}
		if c.retryAt.IsZero() || now.Before(c.retryAt) {
			continue
		}
		x, _ := m.request(id)
		x, cmd := x.Begin()
		m = m.with(id, cell{said: c.said, x: x, retries: true, tries: c.tries + 1})
		cmds = append(cmds, cmd)
	}
	return m, cmds
}

// heard takes a part of a response in.
func (m Model) heard(msg page.Msg) (page.Page, []page.Cmd) {
	if run, cmds, mine := m.live.compaction.Hear(msg); mine {
		m.live.compaction = run
		return m, cmds
	}
	if x, mine := m.live.fresh.Hear(msg); mine && x.ID != "" {
		m.live.fresh = x
		if a, err := chunk.Parse(x.Kept); x.Done() && x.OK() && err == nil {
			m = m.Fill(a)
		}
		return m, nil
	}
	id := idOf(msg)
	c, known := m.live.cells[id]
	if !known {
		return m, nil
	}
	x, _ := c.x.Hear(msg)
	c.x = x
	if x.Done() {
		return m.answered(id, c)
	}
	return m.with(id, c), nil
}

func idOf(msg page.Msg) string {
	switch msg := msg.(type) {
	case page.Opened:
		return msg.ID
	case page.Arrived:
		return msg.ID
	case page.Ended:
		return msg.ID
	}
	return ""
}

// answered compares a whole response with the meaning of the cell. It drops the body, unless the response is a refusal.
func (m Model) answered(id string, c cell) (page.Page, []page.Cmd) {
	r, column, _ := findCell(id)
	if c.x.Status != 0 {
		a := rules.Read(r.Verb, c.x.Status, c.x.Kept)
		c.answer, c.verdict = &a, rules.Judge(r, column, m.Values, a)
		if c.x.OK() {
			c.x.Kept = nil
		}
		if wait := wait(c); wait > 0 && c.retries && c.tries < mostTrys {
			c.waits = true
		}
	}
	m = m.with(id, c)
	next, cmds := m.onward()
	if id == m.Cell {
		cmds = append(cmds, page.Announce{Words: m.announced(c)})
	}
	return next, cmds
}

// wait is the time in the Retry-After of the response.
func wait(c cell) time.Duration {
	if d := c.x.RetryAfter(); d > 0 || c.answer.No == nil {
		return d
	}
	return time.Duration(c.answer.No.RetryAfterSeconds) * time.Second
}

func (m Model) announced(c cell) string {
	if c.answer == nil {
		return "No response came"
	}
	if c.answer.No != nil {
		return fmt.Sprintf("%d: %s", c.answer.Code, classWords.Get()[c.verdict.Class])
	}
	return classWords.Get()[c.verdict.Class]
}

// score counts the predictions with a response, and the correct ones among them.
func (m Model) score() (right, all int) {
	for id, c := range m.live.cells {
		if c.said == "" || c.answer == nil {
			continue
		}
		all++
		if r, column, _ := findCell(id); r.In(column) == c.said {
			right++
		}
	}
	return right, all
}

func (m Model) scored() string {
	right, all := m.score()
	if all == 0 {
		return "Choose a cell, predict its meaning, and send its request."
	}
	return fmt.Sprintf(words.PredictionsCorrect, right, all)
}
