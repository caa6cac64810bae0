package object

import (
	"encoding/json"
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// watching is the state of the button that has the server watch the object.
type watching struct {
	asked   bool   // a request is on its way
	refused string // why the last one was not carried out; empty: it was
	fetched bool   // the server's recording was requested
}

// Buttons, by their data-do. Without scripts, they post a form.
const (
	doWatch   = "watch"
	doUnwatch = "unwatch"
)

// IDs of requests.
const (
	toWatch   = "watch"
	recalling = "recalling"
)

// watchable tells whether the server can watch the object.
func (m Model) watchable() bool { return m.follows() && (m.Watched != nil || !m.gone()) }

func (m Model) watchedAt() string { return web.Tool(m.Shell.Cluster.Slug, web.Watched) }

// watch has the server watch the object, or end it. The page stays, with its own recording.
func (m Model) watch(action string) (page.Page, []page.Cmd) {
	w := &m.live.watching
	if w.asked {
		return m, nil
	}
	*w = watching{asked: true}
	form := url.Values{web.WatchPath: {m.Shell.Path.String()}, web.WatchAct: {web.WatchStart}}
	if action == doUnwatch {
		form.Set(web.WatchAct, web.WatchStop)
	}
	return m, []page.Cmd{page.Ask{ID: toWatch, Address: m.watchedAt(), Accept: web.WatchedList, Form: form.Encode()}}
}

// recall requests the server's recording, for the timeline.
func (m Model) recall() []page.Cmd {
	w := &m.live.watching
	if m.Tab != Timeline || m.Watched == nil || w.fetched {
		return nil
	}
	w.fetched = true
	m.live.timeline.Recall(m.Watched.Kept)
	return []page.Cmd{page.Ask{ID: recalling, Address: web.WithQuery(m.watchedAt(), url.Values{web.WatchPath: {m.Shell.Path.String()}}), Accept: web.WatchedRecording}}
}

// responded takes a response of Fieldmark.
func (m Model) responded(r page.Response) (page.Page, []page.Cmd) {
	switch r.ID {
	case recalling:
		return m, m.live.timeline.Recalled(r)
	case toWatch:
		return m.toldOfWatching(r)
	default:
		return m, nil
	}
}

func (m Model) toldOfWatching(r page.Response) (page.Page, []page.Cmd) {
	w := &m.live.watching
	w.asked = false
	var all []report.Watched
	switch {
	case r.Status == 0:
		w.refused = "Fieldmark didn’t respond."
	case r.Status == status.CodeUnauthorized:
		w.refused = "You are signed out. Reload the page to sign in again."
	case !r.OK():
		w.refused = components.Sentence(string(r.Body[:min(len(r.Body), 300)]))
	case json.Unmarshal(r.Body, &all) != nil:
		w.refused = "Fieldmark’s response can’t be read."
	default:
		m.Shell.Watching, m.Watched = shell.Sum(all), nil
		if i := slices.IndexFunc(all, func(one report.Watched) bool { return one.Object.Path == m.Shell.Path.String() }); i >= 0 {
			m.Watched = &all[i]
			return m, []page.Cmd{page.Announce{Words: "Fieldmark’s server watches this object now"}}
		}
		return m, []page.Cmd{page.Announce{Words: "No longer watched by the server"}}
	}
	return m, []page.Cmd{page.Announce{Words: w.refused}}
}

// refusal says why the object isn't watched, or is still watched; empty: there is no reason.
func (m Model) refusal() string {
	if m.live == nil {
		return ""
	}
	return m.live.watching.refused
}

// watchedWords say since when the server watches the object, and until when.
func (m Model) watchedWords() string {
	w := m.Watched
	text := "Watched by the server for " + m.age(w.Began)
	switch w.State {
	case report.Refused:
		return text + ", until the API server refused"
	case report.Ended:
		return text + ". The time is over, and the recording is kept"
	case report.Troubled:
		text += ". The watch is interrupted now"
	default:
		text += ", and for another " + table.Duration(max(w.Ends.Sub(m.Now), 0))
	}
	return text
}

// watchHint says what watching does, for the tooltip of the button.
func watchHint() string {
	return "Fieldmark’s server records each version of this object for hours, also after you leave this page. This changes nothing in the cluster."
}
