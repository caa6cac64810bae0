package chunks

import (
	"fmt"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// The actions of the page's buttons (data-do).
const (
	doNext  = "next"
	doPlay  = "play"
	doPause = "pause"
	doRush  = "rush"
	doAnew  = "anew"
	doGoOn  = "go-on"
	doWatch = "watch"
	doStop  = "stop"
)

// pace says whether the page requests the next chunk without the reader, and how fast.
type pace int

const (
	byHand pace = iota
	slowly      // a chunk each second
	atOnce      // each as soon as the one before has arrived
)

// live is the state that only the browser has.
type live struct {
	awake      bool
	now        time.Time
	run        chunk.Run
	pace       pace
	shots      []shot
	count      int // requests so far; it numbers them
	follow     follow
	compaction scenario.Compaction
}

// shot is one request for a chunk.
type shot struct {
	x       call.Call
	step    int // the run's step that its response became; -1: none
	answer  chunk.Answer
	refusal *chunk.Refusal
	trouble string // why the response can't be used; empty: it can
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = live{awake: true, now: now, run: chunk.Begin(m.Limit)}
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		next := Parse(msg.Query)
		return m, []page.Cmd{page.Navigate{Address: m.withQuery(next)}}
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Tick:
		return m.ticked(msg.Now)
	case page.Opened, page.Arrived, page.Ended:
		return m.heard(msg)
	}
	return m, nil
}

// withQuery is the address of the page for the values of its form. A path that can't be read stays as it is.
func (m Model) withQuery(next Model) string {
	next.Shell = m.Shell
	return next.pageAddress()
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	action := map[string]string{"l": doNext, "G": doRush, "g": doAnew, "w": doWatch}[key]
	if action == doWatch && m.live.follow.runs() {
		action = doStop
	}
	return m.handleAction(action)
}

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	if !m.live.awake || !m.Target.Known() {
		return m, nil
	}
	switch action {
	case doNext:
		m.live.pace = byHand
		return m.requestNextChunk()
	case doPlay, doRush:
		m.live.pace = map[string]pace{doPlay: slowly, doRush: atOnce}[action]
		return m.requestNextChunk()
	case doPause:
		m.live.pace = byHand
	case doAnew:
		return m.anew()
	case doGoOn:
		return m.goOn()
	case doWatch:
		return m.watch()
	case doStop:
		return m.stopWatching()
	case scenario.DoCompact:
		run, cmds := m.live.compaction.Begin(m.Shell)
		m.live.compaction = run
		return m, cmds
	}
	return m, nil
}

// requestNextChunk requests the next chunk, if there is one and no request is on its way.
func (m Model) requestNextChunk() (page.Page, []page.Cmd) {
	run, ok := m.live.run.Ask()
	if !ok {
		return m, nil
	}
	m.live.count++
	x, cmd := m.request("chunk-"+strconv.Itoa(m.live.count), run).Begin()
	m.live.run = run
	m.live.shots = append(m.live.shots[:len(m.live.shots):len(m.live.shots)], shot{x: x, step: -1})
	return m, []page.Cmd{cmd}
}

// anew forgets all chunks, and requests the first one.
func (m Model) anew() (page.Page, []page.Cmd) {
	var cmds []page.Cmd
	for _, s := range m.live.shots {
		if s.x.Under() {
			cmds = append(cmds, s.x.Cancel())
		}
	}
	if m.live.follow.runs() {
		cmds = append(cmds, m.live.follow.x.Cancel())
	}
	m.live.run, m.live.shots, m.live.follow, m.live.pace = chunk.Begin(m.Limit), nil, follow{}, byHand
	p, more := m.requestNextChunk()
	return p, append(cmds, more...)
}

// goOn continues with the token in the metadata of a 410.
func (m Model) goOn() (page.Page, []page.Cmd) {
	run, ok := m.live.run.GoOn()
	if !ok {
		return m, nil
	}
	m.live.run = run
	return m.requestNextChunk()
}

func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.live.now = now
	run, cmds := m.live.compaction.Tick()
	m.live.compaction = run
	if m.live.pace != slowly {
		return m, cmds
	}
	p, more := m.requestNextChunk()
	return p, append(cmds, more...)
}

// heard takes a part of a response in.
func (m Model) heard(msg page.Msg) (page.Page, []page.Cmd) {
	if run, cmds, mine := m.live.compaction.Hear(msg); mine {
		before := m.live.compaction.Stage
		m.live.compaction = run
		if run.Stage != before && run.Stage == scenario.Done {
			cmds = append(cmds, page.Announce{Words: "etcd has compacted its history"})
		}
		return m, cmds
	}
	if f, mine := m.live.follow.handleMessage(msg, m.live.now); mine {
		m.live.follow = f
		return m, nil
	}
	last := len(m.live.shots) - 1
	if last < 0 {
		return m, nil
	}
	x, mine := m.live.shots[last].x.Hear(msg)
	if !mine {
		return m, nil
	}
	shots := append([]shot(nil), m.live.shots...)
	shots[last].x = x
	m.live.shots = shots
	if !x.Done() {
		return m, nil
	}
	return m.answered(last)
}

// answered takes a whole response in. It keeps only what the page shows.
func (m Model) answered(last int) (page.Page, []page.Cmd) {
	s := &m.live.shots[last]
	switch {
	case s.x.OK() && s.x.State == call.Whole:
		a, err := chunk.Parse(s.x.Kept)
		if err != nil {
			s.trouble = components.Sentence(err.Error())
			m.live.run = m.live.run.Lost()
			break
		}
		m.live.run = m.live.run.Took(a)
		s.step, s.answer = len(m.live.run.Steps)-1, a
		s.trouble = m.live.run.Stuck()
		s.x.Kept = nil
	case s.x.Status != 0 && !s.x.OK():
		no := chunk.ParseRefusal(s.x.Status, s.x.Kept)
		s.refusal = &no
		m.live.run = m.live.run.Denied(no)
	default:
		m.live.run = m.live.run.Lost()
	}
	if m.live.run.Phase != chunk.Ready || s.step < 0 || s.trouble != "" {
		m.live.pace = byHand
	}
	cmds := []page.Cmd{page.Announce{Words: m.announced(*s)}}
	if m.live.pace != atOnce {
		return m, cmds
	}
	p, more := m.requestNextChunk()
	return p, append(cmds, more...)
}

func (m Model) announced(s shot) string {
	switch {
	case s.refusal != nil && s.refusal.Expired():
		return "410: the token has expired"
	case s.refusal != nil:
		return fmt.Sprintf("%d: refused", s.refusal.Status.Code)
	case s.step < 0:
		return "There was no response"
	case s.trouble != "":
		return s.trouble
	case m.live.run.Phase == chunk.Whole:
		return fmt.Sprintf("The last chunk: %s in all", objects(m.live.run.Count()))
	}
	return fmt.Sprintf("%s, %s so far", objects(m.live.run.Steps[s.step].Items), words.Thousands(int64(m.live.run.Count())))
}

func objects(n int) string { return words.Count(int64(n), "object", "objects") }
