package object

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	history "github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read/timeline"
)

// Reasons why versions may be missing before a version.
const (
	missedFirst    = "The object changed before this page could follow it."
	missedAnew     = "The page was reloaded."
	missedUnknown  = "The connection to the watch was lost. Fieldmark fetched the state again."
	missedDeletion = "The object no longer exists."
)

func missed(why watch.Gap) string {
	switch why {
	case watch.Expired:
		return "The API server had deleted the versions in between. Fieldmark fetched the state again."
	case watch.Slow:
		return "There were too many events for this page. Fieldmark fetched the state again."
	case watch.Restarted:
		return "Fieldmark’s server was restarted."
	default:
		return missedUnknown
	}
}

// startTimeline begins the timeline, with the state that the page has.
func (m Model) startTimeline(now time.Time) {
	l := m.live
	l.heard, l.missing = now, missedFirst
	l.timeline = timeline.New(now)
	l.timeline.Add(m.Object, nil, now)
}

// record adds the versions in a message to the timeline.
func (l *live) record(w wire.Message, changes []follow.Change) {
	if w.Type == wire.Gap {
		l.missing = missed(w.Reason)
	}
	for _, c := range changes {
		switch c.What {
		case follow.Arrives:
			l.timeline.Break(l.missing)
		case follow.Is:
			l.timeline.Add(c.Object, c.Text, l.heard)
		case follow.Missing:
			l.timeline.Break(missedDeletion)
			l.timeline.Delete(c.Object, l.heard)
		case follow.Went:
			l.timeline.Delete(c.Object, l.heard)
		}
	}
	if w.Type == wire.Synced {
		l.missing = missedUnknown
	}
}

// keepMessageTime keeps the time of a message.
func (l *live) keepMessageTime(at time.Time) {
	l.heard = at
	if at.IsZero() {
		l.heard = l.now
	}
}

// Inherit implements page.Heir. When the page of the same object is requested again, such as for a tab that needs the server, the recording continues.
// The new page then shows the state of the old one, because the subscription continues from there.
func (m Model) Inherit(from page.Page) (page.Page, bool) {
	former, ok := from.(Model)
	if !ok || former.live == nil || !m.follows() || former.Shell.Cluster.Slug != m.Shell.Cluster.Slug || former.Shell.Path.String() != m.Shell.Path.String() {
		return m, false
	}
	l, was := m.live, former.live
	l.timeline, l.missing, l.tally = was.timeline, missedAnew, was.tally.Seen(former.Events, former.Object)
	l.timeline.Point(false)
	if m.Secrets.Reveal != nil && was.object.Version() != l.object.Version() || !l.object.Resumes(was.object) {
		return m, false
	}
	m.Row.Resume(former.Row)
	m = m.show()
	m.draw(time.Time{})
	return m, true
}

// passToTimeline passes messages to the timeline that no other part needs.
func (m Model) passToTimeline(msg page.Msg) []page.Cmd {
	if m.Tab != Timeline {
		return nil
	}
	t := m.live.timeline
	switch msg := msg.(type) {
	case page.Acted:
		return t.Acted(msg.Action, history.Origin{Cluster: m.Shell.Cluster.Name, Path: m.Shell.Path.String()})
	case page.Typed:
		return t.Typed(msg.Field, msg.Text)
	case page.Loaded:
		return t.Loaded(msg)
	default:
		return nil
	}
}

// contended announces to screen readers that managers fight over fields, while the timeline is open.
func (m Model) contended() []page.Cmd {
	if m.Tab != Timeline {
		return nil
	}
	return m.live.timeline.News()
}

// Work implements page.Working.
func (m Model) Work() bool {
	return m.Tab == Timeline && m.live.timeline.Work(m.Managed)
}

// recording is the timeline; nil on the server.
func (m Model) recording() *timeline.Tab {
	if m.live == nil {
		return nil
	}
	return m.live.timeline
}

// stops is the address where a fight over a field of the object is stopped.
func (m Model) stops(field string, managers []manager.Manager) string {
	return web.Stop(m.Shell.Cluster.Slug, m.Shell.Path.String(), field, managers...)
}

// headFights are the fights that the head names. Those that the Timeline lists below it are left out.
func (m Model) headFights() []report.Known {
	all := m.fights()
	if m.Tab != Timeline {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(k report.Known) bool {
		if m.live == nil {
			return m.Kept != nil && m.Kept.Contends(k.Path)
		}
		return m.live.timeline.Contends(k.Path)
	})
}

// history is what the timeline needs to know about the page.
func (m Model) history() timeline.About {
	about := timeline.About{Object: m.Object, Managed: m.Managed, Toggle: m.queryAddress(m.toggled()), Follows: m.follows(), Now: m.Now, Stop: m.stops, Kept: m.Kept}
	if l := m.live; l != nil && l.object.Heard() && !l.object.Live() {
		about.Broken = components.Sentence(l.object.Liveness(0, 0).Words)
	}
	return about
}
