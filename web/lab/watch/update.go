package watch

import (
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// live is the state that only the browser has.
type live struct {
	now      time.Time
	path     string // the collection of all the fields below
	count    int    // streams so far
	asked    int    // other requests so far
	streams  []*stream
	seed     call.Call // the list before the newest stream
	record   *record
	pending  []arrival  // lines that are not decoded yet
	later    []page.Cmd // commands from the decoded lines
	rooted   bool       // the page knows the state from its beginning, so it can compare versions
	last     string     // the last version seen
	bookmark string     // the version of the last bookmark
	chosen   int        // the opened event; 0: none

	shown   []event // the events in the table; see pace
	shownAt time.Time
	stale   bool
	over    bool // the pointer is over the rows

	probe   call.Call // a list at one version
	proof   proof
	race    race
	compact scenario.Compaction
	writes  []write
	wrote   int
	queued  []write // writes that wait for the one before
}

// mostStreams bounds the streams in the list.
const mostStreams = 12

// newest makes a stream the newest.
func (l *live) newest(s *stream) {
	l.streams = append(l.streams, s)
	if len(l.streams) > mostStreams {
		l.streams = l.streams[1:]
	}
}

// stream is the newest stream; nil: there is none.
func (l *live) stream() *stream {
	if l == nil || len(l.streams) == 0 {
		return nil
	}
	return l.streams[len(l.streams)-1]
}

// several tells whether events may come from more than one stream.
func (l *live) several() bool { return len(l.streams) > 1 }

// under tells whether a stream, or the list before it, is open.
func (l *live) under() bool {
	s := l.stream()
	return s != nil && (s.x.Under() || l.seed.Under())
}

// cutStream ends the stream, or the list before it.
func (l *live) cutStream() []page.Cmd {
	var cmds []page.Cmd
	if s := l.stream(); s != nil && s.x.Under() {
		cmds = append(cmds, s.x.Cancel())
		s.x.State = call.Canceled
	}
	if l.seed.Under() {
		cmds = append(cmds, l.seed.Cancel())
		l.seed.State = call.Canceled
	}
	return cmds
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{now: now, record: newRecord(), path: m.Options.Path}
	m.live.compact = scenario.Compaction{Cache: scenario.Forget}
	return m, nil
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if m.live == nil {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Tick:
		return m.tick(msg.Now)
	case page.Addressed:
		return m.connect(ParseOptions(msg.Query))
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Pressed:
		return m.pressed(msg.Key)
	case page.Pointed:
		m.live.over = msg.Over
		m.live.refresh()
	case page.Opened, page.Arrived, page.Ended:
		return m.called(msg)
	}
	return m, nil
}

// called takes a part of a response in.
func (m Model) called(msg page.Msg) (page.Page, []page.Cmd) {
	if run, cmds, heard := m.live.compact.Hear(msg); heard {
		m.live.compact = run
		return m, cmds
	}
	for _, hear := range []func(page.Msg) ([]page.Cmd, bool){m.handleStreamMessage, m.listed, m.probed, m.raced, m.proved, m.done} {
		if cmds, heard := hear(msg); heard {
			return m, append(cmds, m.live.due()...)
		}
	}
	return m, nil
}

// due are the commands from lines that were decoded since the last call.
func (l *live) due() []page.Cmd {
	cmds := l.later
	l.later = nil
	return cmds
}

// paced is the shortest time between two changes of the table.
const paced = 300 * time.Millisecond

// pace shows new events, unless the table has changed a moment ago. A table that changes all the time can't be read, and costs time.
func (l *live) pace(newest []event) {
	if len(newest) > 0 {
		at := newest[len(newest)-1].at
		if since := at.Sub(l.shownAt); since >= 0 && since < paced {
			l.stale = true
			return
		}
		l.shownAt = at
	}
	l.refresh()
}

// refresh shows new events in the table, unless the pointer is over it.
func (l *live) refresh() {
	l.stale = true
	if l.over {
		return
	}
	from := max(0, len(l.record.newest)-mostShown)
	l.shown = append(l.shown[:0:0], l.record.newest[from:]...)
	l.stale = false
}

// waiting is the number of events that the table doesn't show yet.
func (l *live) waiting() int {
	if len(l.shown) == 0 {
		return l.record.seq
	}
	return l.record.seq - l.shown[len(l.shown)-1].seq
}

func (m Model) tick(now time.Time) (page.Page, []page.Cmd) {
	l := m.live
	l.now = now
	if l.stale {
		l.refresh()
	}
	var cmds []page.Cmd
	l.compact, cmds = l.compact.Tick()
	cmds = append(cmds, l.proof.tick()...)
	return m, append(cmds, l.due()...)
}

// The actions of the page's buttons (data-do).
const (
	doConnect  = "connect"
	doCut      = "disconnect"
	doResume   = "resume/" // followed by the version's button
	doListAt   = "list-at/"
	doShow     = "show/" // followed by the number of an event
	doClose    = "close"
	doProve    = "prove"
	doRace     = "race"
	doMake     = "make/"
	fromLast   = "last"
	fromMark   = "bookmark"
	fromZero   = "zero"
	fromOld    = "old"
	fromFuture = "future"
	fromEvent  = "event/"
)

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	l := m.live
	switch {
	case action == doConnect:
		return m.connect(m.Options)
	case action == doCut:
		return m, l.cutStream()
	case strings.HasPrefix(action, doResume):
		return m.resume(strings.TrimPrefix(action, doResume))
	case strings.HasPrefix(action, doListAt):
		return m, m.listAt(m.version(strings.TrimPrefix(action, doListAt)))
	case strings.HasPrefix(action, doShow):
		l.chosen, _ = strconv.Atoi(strings.TrimPrefix(action, doShow))
	case action == doClose:
		l.chosen = 0
	case action == doProve:
		return m, m.prove()
	case action == doRace:
		return m, m.beginRace()
	case action == scenario.DoCompact:
		var cmds []page.Cmd
		l.compact, cmds = l.compact.Begin(m.Shell)
		return m, cmds
	case strings.HasPrefix(action, doMake):
		return m, m.produce(strings.TrimPrefix(action, doMake))
	}
	return m, nil
}

func (m Model) pressed(key string) (page.Page, []page.Cmd) {
	l := m.live
	switch key {
	case "s":
		if l.under() {
			return m, l.cutStream()
		}
		return m.connect(m.Options)
	case "j":
		return m, l.choose(-1)
	case "k":
		return m, l.choose(1)
	case "w":
		if l.chosen > 0 {
			return m.resume(fromEvent + strconv.Itoa(l.chosen))
		}
	case "Escape":
		l.chosen = 0
	}
	return m, nil
}

// choose opens the shown event next to the opened one.
func (l *live) choose(by int) []page.Cmd {
	if len(l.shown) == 0 {
		return nil
	}
	first, last := l.shown[0].seq, l.shown[len(l.shown)-1].seq
	next := last
	if l.chosen > 0 {
		next = min(max(l.chosen+by, first), last)
	}
	l.chosen = next
	return []page.Cmd{page.Reveal{ID: rowID(next)}}
}

func rowID(seq int) string { return "event-" + strconv.Itoa(seq) }

// resume opens a stream after a version.
func (m Model) resume(from string) (page.Page, []page.Cmd) {
	version := m.version(from)
	if version == "" {
		return m, nil
	}
	o := m.Options
	o.Begin, o.Version = AtVersion, version
	if from == fromZero {
		o.Begin, o.Version = Any, ""
	}
	return m.connect(o)
}

// beyond is the distance of the version from the future. old is a version that no server keeps for long.
const (
	beyond = 1_000_000_000
	old    = "1"
)

// version is the version of a button; empty: there is none.
func (m Model) version(from string) string {
	l := m.live
	switch from {
	case fromLast:
		return l.last
	case fromMark:
		return l.bookmark
	case fromZero:
		return "0"
	case fromOld:
		return old
	case fromFuture:
		return future(l.last)
	}
	seq, _ := strconv.Atoi(strings.TrimPrefix(from, fromEvent))
	if e, found := l.record.findEvent(seq); found {
		return e.head.Version
	}
	return ""
}

// future is a version that doesn't exist yet. A client must never calculate a version. This page does, to show what happens.
func future(last string) string {
	n, err := strconv.ParseInt(last, 10, 64)
	if err != nil || n < 0 {
		n = 0
	}
	return strconv.FormatInt(n+beyond, 10)
}
