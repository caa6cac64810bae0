package chunks

import (
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// follow is a watch that begins at a list's version.
type follow struct {
	x      call.Call
	from   string // the version
	lines  call.Lines
	beside chunk.Beside
	last   []event // the newest last, bounded
	count  int
	wrong  *status.Status // the error that ended it
	seam   bool           // the list has several versions, so the watch misses changes to its first part
}

// event is a shown event.
type event struct {
	Type    watch.Type
	Item    chunk.Item
	At      time.Time
	Trouble string
}

// eventsShown bounds the shown events.
const eventsShown = 50

func (f follow) runs() bool { return f.x.Under() }

// watch opens a watch from the version of the list.
func (m Model) watch() (page.Page, []page.Cmd) {
	version := m.live.run.Version()
	if version == "" || m.live.follow.runs() {
		return m, nil
	}
	f := follow{from: version, seam: m.live.run.Seams() > 0}
	x, cmd := call.Call{
		ID: "watch", Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: m.Target.With(watched(version)),
		Header: []request.Header{{Name: "Accept", Value: accept.Metadata}},
	}.Begin()
	f.x = x
	m.live.follow = f
	return m, []page.Cmd{cmd}
}

func watched(version string) url.Values {
	return url.Values{"watch": {"1"}, "resourceVersion": {version}, "allowWatchBookmarks": {"true"}}
}

func (m Model) stopWatching() (page.Page, []page.Cmd) {
	if !m.live.follow.runs() {
		return m, nil
	}
	return m, []page.Cmd{m.live.follow.x.Cancel()}
}

// handleMessage takes a part of the stream in; false: the message is about something else.
func (f follow) handleMessage(msg page.Msg, now time.Time) (follow, bool) {
	x, mine := f.x.Hear(msg)
	if !mine || f.x.ID == "" {
		return f, false
	}
	f.x = x
	part, arrived := msg.(page.Arrived)
	if !arrived || !x.OK() {
		return f, true
	}
	f.x.Kept = nil
	lines, rest := f.lines.Take(part.Part)
	f.lines = rest
	for _, line := range lines {
		f = f.took(line, now)
	}
	return f, true
}

func (f follow) took(line []byte, now time.Time) follow {
	e, err := watch.ParseEvent(line)
	shown := event{Type: e.Type, At: now}
	switch {
	case err != nil:
		shown.Trouble = err.Error()
	case e.Type == watch.Error:
		no := e.Status()
		f.wrong = &no
		shown.Trouble = no.Message
	default:
		h := e.Head()
		shown.Item = chunk.Item{Namespace: h.Namespace, Name: h.Name, UID: h.UID, Version: h.Version}
		f.beside = f.beside.Happened(e.Type, shown.Item)
	}
	f.count++
	f.last = append(f.last[:len(f.last):len(f.last)], shown)
	if n := len(f.last); n > eventsShown {
		f.last = f.last[n-eventsShown:]
	}
	return f
}
