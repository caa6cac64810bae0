// Package watched is the page that lists the objects that the server watches for the session, and what happened to them.
package watched

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "watched"

// Bounds are the limits of watching.
type Bounds struct {
	Session   int `json:"session"` // objects
	Hours     int `json:"hours"`
	Versions  int `json:"versions"` // of an object
	Megabytes int `json:"megabytes"`
}

// Words say the limits in a sentence.
func (b Bounds) Words() string {
	return "Fieldmark’s server watches up to " + words.Count(int64(b.Session), "object", "objects") + " of a session for " + words.Count(int64(b.Hours), "hour", "hours") +
		" each. It keeps the newest " + words.Thousands(int64(b.Versions)) + " versions of an object, and at most " + strconv.Itoa(b.Megabytes) + " MB."
}

// Model is the page's state.
type Model struct {
	page.Frame
	Objects []report.Watched `json:"objects"`
	Bounds  Bounds           `json:"bounds"`
	Now     time.Time        `json:"now"`

	live live
}

// live is the state that only the browser has.
type live struct {
	awake   bool
	asked   bool // a request is on its way
	last    time.Time
	trouble string // why the last request had no usable response; empty: it had one
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{
		Live: new(m.liveness()), Why: why.Watch,
		Lead: page.Text(m.Bounds.Words() + " It changes nothing in the cluster. You can leave these pages and come back. When you sign out, the recordings are deleted."),
	}
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live.awake, m.Now, m.live.last = true, now, now
	return m, nil
}

const (
	asking = "watched"
	// every is the pause between two requests of the list.
	every = 3 * time.Second
)

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Tick:
		m.Now = msg.Now
		if len(m.Objects) == 0 || m.live.asked || msg.Now.Sub(m.live.last) < every {
			return m, nil
		}
		m.live.asked, m.live.last = true, msg.Now
		return m, []page.Cmd{page.Ask{ID: asking, Address: web.WithQuery(m.action(), url.Values{QueryLook: {"1"}}), Accept: web.WatchedList}}
	case page.Response:
		if msg.ID == asking {
			m = m.handleResponse(msg)
		}
	case page.Addressed:
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}

// QueryLook is the part of the query that says that the reader sees the list.
const QueryLook = "look"

func (m Model) handleResponse(r page.Response) Model {
	m.live.asked = false
	var all []report.Watched
	switch {
	case r.Status == status.CodeUnauthorized:
		m.live.trouble = "signed out: reload to sign in again"
	case !r.OK() || json.Unmarshal(r.Body, &all) != nil:
		m.live.trouble = "Fieldmark doesn’t respond, trying again"
	default:
		m.live.trouble, m.Objects = "", all
	}
	return m
}

func (m Model) action() string { return web.Tool(m.Shell.Cluster.Slug, web.Watched) }

func (m Model) liveness() components.Liveness {
	switch {
	case !m.live.awake || len(m.Objects) == 0:
		return components.Liveness{}
	case m.live.trouble != "":
		return components.Liveness{Tone: components.Bad, Words: m.live.trouble}
	default:
		return components.Liveness{Tone: components.Good, Words: "live"}
	}
}

// object is the address of an object's timeline.
func (m Model) object(w report.Watched) string {
	return web.Page(m.Shell.Cluster.Slug, w.Object.Path) + "?tab=timeline"
}

// faces are those of all managers on the page, in whatever API version they write.
func (m Model) faces() owners.Faces {
	var all []manager.Manager
	for _, w := range m.Objects {
		for _, who := range w.Last.Writers {
			all = append(all, withoutAPIVersion(who))
		}
		for _, f := range w.Fights {
			for _, who := range f.Managers {
				all = append(all, withoutAPIVersion(who))
			}
		}
	}
	return owners.FacesOf(all)
}

func withoutAPIVersion(m manager.Manager) manager.Manager {
	m.APIVersion = ""
	return m
}

func shown(f owners.Faces, all []manager.Manager) []components.Manager {
	var shown []components.Manager
	for _, one := range all {
		shown = append(shown, f.Of(withoutAPIVersion(one)))
	}
	return shown
}

func (m Model) ago(at time.Time) string {
	if m.Now.Before(at) {
		return table.Age(at, at) + " ago"
	}
	return table.Age(at, m.Now) + " ago"
}

// since says since when the object is watched, and for how long it still will be.
func (m Model) since(w report.Watched) string {
	text := "since " + m.ago(w.Began)
	if w.State == report.Ended {
		return text
	}
	return text + ", for another " + table.Duration(max(w.Ends.Sub(m.Now), 0))
}

// State says whether the object is followed now.
func State(w report.Watched) (components.Tone, string) {
	switch w.State {
	case report.Followed:
		if w.Kept == 0 {
			return components.Busy, "no such object yet"
		}
		return components.Good, "watching"
	case report.Troubled:
		return components.Warn, "interrupted"
	case report.Refused:
		return components.Bad, "refused"
	case report.Ended:
		return components.Calm, "time is over"
	default:
		return components.Busy, "connecting"
	}
}

// mostFights is how many fights over an object are listed.
const mostFights = 3
