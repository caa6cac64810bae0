package watch

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// stream is a watch request with its response.
type stream struct {
	n       int
	x       call.Call
	lines   call.Lines
	options Options
	opened  time.Time // when the request was sent; zero: there is no response

	events, initial int // all events, and the initial ones among them
	toFirst, toAll  time.Duration
	whole           bool           // the initial events are complete, or there are none: a client can resume from any version after that
	failed          *status.Status // of an ERROR event
	broken          string         // why a line could not be read
	last            string         // the last version seen in it
}

// The ids of a page's requests are of the form what/number.
const (
	idWatch = "watch/"
	idList  = "list/"
)

func numbered(prefix string, n int) string { return prefix + strconv.Itoa(n) }

// connect ends the current stream, and opens a new one.
func (m Model) connect(o Options) (page.Page, []page.Cmd) {
	m.Options = o
	l := m.live
	at, selectors, problem := m.target()
	remember := page.Remember{Address: m.optionsAddress(o), Replace: true}
	if problem != nil || o.Begin == AtVersion && o.Version == "" {
		return m, append(l.cutStream(), remember)
	}
	cmds := append(l.cutStream(), remember)
	if l.path != o.Path {
		l.path, l.record, l.proof, l.chosen, l.bookmark = o.Path, newRecord(), proof{}, 0, ""
	}
	if o.Begin != AtVersion {
		l.record.forgetVersions()
		l.rooted = true
	} else if len(l.streams) == 0 {
		l.rooted = false
	}
	l.count++
	s := &stream{n: l.count, options: o, whole: o.Begin == AtVersion}
	l.newest(s)
	if o.Begin == Listed {
		l.seed = call.Call{
			ID: numbered(idList, s.n), Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: listPath(at, selectors, nil),
			Header: []request.Header{{Name: "Accept", Value: Metadata.accept(true)}},
		}
		var call page.Cmd
		l.seed, call = l.seed.Begin()
		return m, append(cmds, call)
	}
	return m, append(cmds, m.openStream(s, ""))
}

// openStream sends the watch request of a stream.
func (m Model) openStream(s *stream, version string) page.Cmd {
	at, selectors, _ := m.target()
	s.x = call.Call{
		ID: numbered(idWatch, s.n), Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: watchPath(at, selectors, s.options, version),
		Header: []request.Header{{Name: "Accept", Value: s.options.As.accept(false)}},
	}
	var call page.Cmd
	s.x, call = s.x.Begin()
	return call
}

// handleStreamMessage takes a part of the newest stream in; false: the message is about something else.
func (m Model) handleStreamMessage(msg page.Msg) ([]page.Cmd, bool) {
	s := m.live.stream()
	if s == nil {
		return nil, false
	}
	x, heard := s.x.Hear(msg)
	if !heard {
		return nil, false
	}
	s.x = x
	switch msg := msg.(type) {
	case page.Opened:
		s.opened = msg.At.Add(-msg.Took)
	case page.Arrived:
		if s.x.OK() {
			return m.arrived(s, msg.After), true
		}
	case page.Ended:
		if s.x.Status == 0 && msg.How == page.CutOff {
			return []page.Cmd{page.Announce{Words: "No response"}}, true
		}
		return []page.Cmd{page.Announce{Words: "The stream has ended"}}, true
	}
	return nil, true
}

// arrived puts the lines of a part into the queue.
func (m Model) arrived(s *stream, after time.Duration) []page.Cmd {
	l := m.live
	var lines [][]byte
	lines, s.lines = s.lines.Take(s.x.Kept)
	s.x.Kept = nil
	for _, line := range lines {
		l.pending = append(l.pending, arrival{s, line, after})
	}
	if len(l.pending) <= share {
		m.Work()
		return nil
	}
	if len(l.pending) > mostPending && s.x.Under() {
		s.broken = "more events than this page can read"
		return l.cutStream()
	}
	return nil
}

// arrival is a line that is not decoded yet.
type arrival struct {
	s     *stream
	line  []byte
	after time.Duration
}

// share is how many lines are decoded at a time, which takes one or two milliseconds.
const share = 20

// Work implements page.Working: however much comes, it is read a little at a time, so that the tab stays awake.
func (m Model) Work() bool {
	l := m.live
	if l == nil || len(l.pending) == 0 {
		return false
	}
	n := min(share, len(l.pending))
	for _, a := range l.pending[:n] {
		l.later = append(l.later, m.happened(a.s, a.line, a.after)...)
	}
	if l.pending = l.pending[n:]; len(l.pending) == 0 {
		l.pending = nil
	}
	l.pace(l.record.newest)
	return true
}

// happened takes one event in.
func (m Model) happened(s *stream, line []byte, after time.Duration) []page.Cmd {
	l := m.live
	parsed, err := watch.ParseEvent(line)
	if err != nil {
		s.broken = err.Error()
		return nil
	}
	head := parsed.Head()
	e := l.record.addEvent(event{
		stream: s.n, typ: parsed.Type, head: head, at: s.opened.Add(after), after: after, bytes: len(line) + 1, line: line, initial: !s.whole,
	})
	s.events++
	if s.toFirst == 0 {
		s.toFirst = after
	}
	l.proof.handleEvent(e)
	for i := range l.writes {
		l.writes[i].matchEvent(e)
	}
	cmds := s.state(l, parsed, e)
	if head.Version != "" && parsed.Type != watch.Error && s.whole {
		s.last, l.last = head.Version, head.Version
	}
	return cmds
}

// state takes in what an event says about the stream: its version, its errors, and the end of the initial events.
func (s *stream) state(l *live, parsed watch.Event, e event) (cmds []page.Cmd) {
	switch {
	case parsed.Type == watch.Error:
		failed := parsed.Status()
		s.failed = &failed
		return []page.Cmd{page.Announce{Words: "An ERROR event: " + failed.Reason}}
	case parsed.Type == watch.Bookmark:
		l.bookmark = e.head.Version
		if e.head.EndsInitialState && !s.whole {
			s.toAll = e.after
			cmds = []page.Cmd{page.Announce{Words: "The initial events have ended"}}
		}
		s.whole = s.whole || e.head.EndsInitialState || s.options.Begin != Initial
	case !s.whole && e.typ != watch.Added && s.options.Begin != Initial:
		s.whole = true // nothing else marks the end of the initial events
	case !s.whole:
		s.initial++
	}
	return cmds
}

// listed takes in the list before a watch.
func (m Model) listed(msg page.Msg) ([]page.Cmd, bool) {
	l := m.live
	x, heard := l.seed.Hear(msg)
	if !heard {
		return nil, false
	}
	l.seed = x
	s := l.stream()
	if !x.Done() || s == nil || x.ID != numbered(idList, s.n) {
		return nil, true
	}
	if x.State != call.Whole || !x.OK() {
		return []page.Cmd{page.Announce{Words: "The API server refused the list"}}, true
	}
	var list metadataList
	err := json.Unmarshal(x.Kept, &list)
	l.seed.Kept = nil
	if err != nil || list.Metadata.ResourceVersion == "" {
		s.broken = "the list has no resourceVersion to continue from"
		return nil, true
	}
	for _, o := range list.Items {
		l.record.follow(event{typ: watch.Added, head: watch.Head{UID: o.Metadata.UID, Version: o.Metadata.ResourceVersion}})
	}
	s.initial, s.whole, s.toAll = len(list.Items), true, x.Took
	s.last, l.last = list.Metadata.ResourceVersion, list.Metadata.ResourceVersion
	return []page.Cmd{m.openStream(s, list.Metadata.ResourceVersion)}, true
}

// metadataList is the part of a list that is read.
type metadataList struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Items []struct {
		Metadata struct {
			Name            string `json:"name"`
			UID             string `json:"uid"`
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	} `json:"items"`
}
