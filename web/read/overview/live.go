package overview

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is the id of the page's subscription to the Scenario of the fight.
const subscription = 1

// live is the state of the fight that only a page in the browser has. On the server, it is zero. It is a value.
type live struct {
	awake    bool
	scenario follow.Object
	asked    string // the action whose request has no response yet
	refused  *components.Notice
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	if m.Fight == nil {
		return m, nil
	}
	m.live = live{awake: true, scenario: follow.NewObject(m.Fight.Scenario, now)}
	return m, []page.Cmd{page.Subscribe{
		ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: FightPath().String(), As: wire.Object,
	}}
}

// Update implements page.Page. Only the fight is kept current. Everything else is counted once, and again when the reader reloads the page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if _, again := msg.(page.Addressed); again {
		return m, []page.Cmd{page.Reload{}}
	}
	if m.Fight == nil || !m.live.awake {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Received:
		return m.received(msg.Message)
	case page.Connection:
		m.live.scenario.Connect(msg)
		return m, m.live.scenario.News()
	case page.Tick:
		m.live.scenario.Tick(msg.Now)
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Response:
		return m.answered(msg)
	}
	return m, nil
}

// liveness says how current the fight is.
func (m Model) liveness() components.Liveness {
	if !m.live.awake {
		return components.Liveness{}
	}
	l := m.live.scenario.Liveness(0, 0)
	l.Tone = m.unlessIll(l.Tone)
	return l
}

// handleAction sends the request of the button, unless the button has nothing to do.
func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	if a := m.act(); a.Off || a.Idle || a.Do != action {
		return m, nil
	}
	m.live.asked, m.live.refused = action, nil
	if action == doStop {
		return m, []page.Cmd{m.stop()}
	}
	return m, []page.Cmd{m.start()}
}

// answered handles the response to the button's request.
func (m Model) answered(f page.Response) (page.Page, []page.Cmd) {
	if f.ID != m.live.asked {
		return m, nil
	}
	m.live.asked = ""
	before := m.Fight.stage()
	switch {
	case f.Status >= 200 && f.Status < 300:
		// The response to a deletion can be a Status, which is not a Scenario.
		if answer, err := object.Parse(f.Body); err == nil && answer.Kind() == "Scenario" && m.isNews(f.ID, answer) {
			m.live.scenario.Take(answer)
			m = m.withScenario()
		}
	case f.ID == doStop && f.Status == status.CodeNotFound: // somebody else has stopped it
	default:
		m.live.refused = refusal(f)
		return m, []page.Cmd{page.Announce{Words: m.live.refused.Title}}
	}
	return m, m.news(before)
}

// isNews tells whether the object in a response replaces the page's state: after a start if the page has no Scenario, after a stop if it has the same one.
func (m Model) isNews(action string, answer object.Object) bool {
	if here := m.Fight.Scenario; here.Fields != nil {
		return action == doStop && answer.Meta("uid") == here.Meta("uid")
	}
	return action == doStart
}

func refusal(f page.Response) *components.Notice {
	title := "The fight did not start"
	if f.ID == doStop {
		title = "The fight did not stop"
	}
	no := status.Parse(f.Status, f.Body)
	n := call.RefusalOf(title, &no)
	if f.Status == 0 {
		n.Words = "Fieldmark didn’t respond. The API server may or may not have received the request. This page shows the result as soon as Fieldmark responds again."
	}
	return &n
}

// received handles a message of the subscription.
func (m Model) received(w wire.Message) (page.Page, []page.Cmd) {
	before := m.Fight.stage()
	if len(m.live.scenario.Hear(w)) > 0 {
		m = m.withScenario()
	}
	return m, append(m.news(before), m.live.scenario.News()...)
}

// withScenario is the page with the latest state of the Scenario.
func (m Model) withScenario() Model {
	m.Fight = &Fight{}
	if s := m.live.scenario; !s.Gone() {
		m.Fight.Scenario = s.Object
	}
	return m
}

// news announces the state of the fight to screen readers, and removes an earlier refusal.
func (m *Model) news(before stage) []page.Cmd {
	now := m.Fight.stage()
	if now == before {
		return nil
	}
	m.live.refused = nil
	switch {
	case now == rages:
		return []page.Cmd{page.Announce{Words: "The fight has started"}}
	case now == absent && before == ends:
		return []page.Cmd{page.Announce{Words: "The fight has ended, and everything is deleted"}}
	default:
		return nil
	}
}
