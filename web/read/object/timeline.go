package object

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	history "github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/read/timeline"
)

// Why versions may be missing before one.
const (
	missedFirst    = "The object changed before this page could follow it."
	missedAnew     = "The page was asked for anew."
	missedUnknown  = "Continuity was lost, and the state was fetched anew."
	missedDeletion = "The object was found to be gone."
)

func missed(why wire.Reason) string {
	switch why {
	case wire.Expired:
		return "The API server had dropped the versions in between, and the state was fetched anew."
	case wire.Slow:
		return "There was more than this page could take, and the state was fetched anew."
	case wire.Restarted:
		return "Fieldmark’s own server was started anew."
	default:
		return missedUnknown
	}
}

// record begins the timeline, with the state that the page was made of.
func (m Model) record(now time.Time) {
	l := m.live
	l.heard, l.missing = now, missedFirst
	l.timeline = timeline.New(now)
	l.timeline.Add(m.Object, nil, now)
}

// hear notes when a message came.
func (l *live) hear(at time.Time) {
	l.heard = at
	if at.IsZero() {
		l.heard = l.now
	}
}

// Inherit implements page.Heir: what was recorded goes on when the page of the same object is asked for anew, as for a tab that
// needs the server. What the other page knew of the object is then what this one shows, for what it followed goes on from there.
func (m Model) Inherit(from page.Page) (page.Page, bool) {
	former, ok := from.(Model)
	if !ok || former.live == nil || !m.follows() || former.Shell.Cluster.Slug != m.Shell.Cluster.Slug || former.Shell.Path.String() != m.Shell.Path.String() {
		return m, false
	}
	l, was := m.live, former.live
	l.timeline, l.missing = was.timeline, missedAnew
	l.timeline.Point(false)
	here := state{object: m.Object}
	if was.gen == 0 || was.came || !was.latest.gone.IsZero() || m.Reveal != nil && was.latest.version() != here.version() {
		return m, false
	}
	l.gen, l.latest = was.gen, was.latest
	m = m.show()
	m.draw(time.Time{})
	return m, true
}

// tell passes on what only the timeline has a use for.
func (m Model) tell(msg page.Msg) []page.Cmd {
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

// contended says that managers fight, to those who look at the timeline and do not see it.
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

// about is what the timeline shows besides.
func (m Model) about() timeline.About {
	about := timeline.About{Object: m.Object, Managed: m.Managed, Toggle: m.address(m.toggled()), Follows: m.follows(), Now: m.Now}
	if l := m.live; l != nil && l.gen > 0 && !l.contact.Live() {
		about.Broken = components.Sentence(l.contact.Liveness(0, 0).Words)
	}
	return about
}
