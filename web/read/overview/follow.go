package overview

import (
	"encoding/json"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// subscription is the id of the page's subscription to the Scenario of the fight.
const subscription = 1

// follow is what a page knows of the fight once it is alive. The server has none.
type follow struct {
	awake   bool
	contact page.Contact
	gen     uint32 // of the state that is here; 0: none has come since the page is alive
	came    bool   // a state is arriving
	found   bool   // the Scenario is in it
	asked   string // what the API server was asked for, and has not answered yet
	refused *components.Notice
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	if m.Fight == nil {
		return m, nil
	}
	m.follow = follow{awake: true, contact: page.NewContact(now)}
	return m, []page.Cmd{page.Subscribe{
		ID: subscription, Cluster: m.Shell.Cluster.Slug, Path: FightPath().String(), As: wire.Object,
	}}
}

// Update implements page.Page: but for the fight, what the page shows is counted once, and anew when the reader asks
// for the page again.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if _, again := msg.(page.Addressed); again {
		return m, []page.Cmd{page.Reload{}}
	}
	if m.Fight == nil || !m.follow.awake {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Received:
		return m.received(msg.Message)
	case page.Connection:
		m.follow.contact.Connect(msg)
		m.follow.came = m.follow.came && msg.State == page.Open // else it is asked for again, from its beginning
		return m, m.follow.contact.News()
	case page.Tick:
		m.follow.contact.Tick(msg.Now)
	case page.Acted:
		return m.acted(msg.Action)
	case page.Fetched:
		return m.answered(msg)
	}
	return m, nil
}

// liveness says how current the fight is.
func (m Model) liveness() components.Liveness {
	if !m.follow.awake {
		return components.Liveness{}
	}
	return m.follow.contact.Liveness(0, 0)
}

// acted sends what the button stands for, unless it has nothing to do.
func (m Model) acted(action string) (page.Page, []page.Cmd) {
	if a := m.act(); a.Off || a.Idle || a.Do != action {
		return m, nil
	}
	m.follow.asked, m.follow.refused = action, nil
	if action == doStop {
		return m, []page.Cmd{m.stop()}
	}
	return m, []page.Cmd{m.start()}
}

// answered takes in what the API server said to it.
func (m Model) answered(f page.Fetched) (page.Page, []page.Cmd) {
	if f.ID != m.follow.asked {
		return m, nil
	}
	m.follow.asked = ""
	before := m.Fight.stage()
	switch {
	case f.Status >= 200 && f.Status < 300:
		if answer, ok := read(f.Body); ok && m.isNews(f.ID, answer) {
			m = m.with(answer)
		}
	case f.ID == doStop && f.Status == status.CodeNotFound: // somebody else has stopped it
	default:
		m.follow.refused = refusal(f)
		return m, []page.Cmd{page.Announce{Words: m.follow.refused.Title}}
	}
	return m, m.news(before)
}

// isNews tells whether the object in an answer is newer than what was heard of it before the answer came.
func (m Model) isNews(action string, answer object.Object) bool {
	if here := m.Fight.Scenario; here.Fields != nil {
		return action == doStop && answer.Meta("uid") == here.Meta("uid")
	}
	return action == doStart
}

func refusal(f page.Fetched) *components.Notice {
	n := components.Notice{Tone: components.Bad, Title: "The fight did not start"}
	if f.ID == doStop {
		n.Title = "The fight did not stop"
	}
	if f.Status == 0 {
		n.Words = "Fieldmark gave no answer. Whether the API server was asked is not known; what is shown here follows as soon as it answers again."
		return &n
	}
	no := status.Parse(f.Status, f.Body)
	n.Quoted, n.Why = no.Message, no.Topic()
	return &n
}

// received takes in a message of the subscription.
func (m Model) received(w wire.Message) (page.Page, []page.Cmd) {
	before := m.Fight.stage()
	m.follow.contact.Hear(w)
	switch w.Type {
	case wire.Rows:
		m.follow.found = m.follow.came && m.follow.found || len(w.Objects) > 0
		m.follow.came = true
		for _, text := range w.Objects {
			m = m.heard(text)
		}
	case wire.Synced:
		if found := m.follow.came && m.follow.found; (m.follow.came || w.Gen != m.follow.gen) && !found {
			m = m.with(object.Object{})
		}
		m.follow.gen, m.follow.came = w.Gen, false
	case wire.Gap:
		m.follow.came = false
	case wire.Events:
		for _, e := range w.Events {
			m = m.happened(e)
		}
	}
	return m, append(m.news(before), m.follow.contact.News()...)
}

// happened takes in one event. A deletion may be of one that stood here before.
func (m Model) happened(e wire.Event) Model {
	if e.Type != wire.Deleted {
		return m.heard(e.Object)
	}
	if last, ok := read(e.Object); ok && last.Meta("uid") != m.Fight.Scenario.Meta("uid") {
		return m
	}
	return m.with(object.Object{})
}

func (m Model) heard(text json.RawMessage) Model {
	if o, ok := read(text); ok {
		return m.with(o)
	}
	return m
}

// read reads a Scenario; a Status that answers a deletion is none.
func read(text []byte) (object.Object, bool) {
	o, err := object.Parse(text)
	return o, err == nil && o.Kind() == "Scenario"
}

// with is the page with another state of the Scenario.
func (m Model) with(o object.Object) Model {
	m.Fight = &Fight{Scenario: o}
	return m
}

// news tells how the fight goes to those who don't see it, and takes back what was refused before.
func (m *Model) news(before stage) []page.Cmd {
	now := m.Fight.stage()
	if now == before {
		return nil
	}
	m.follow.refused = nil
	switch {
	case now == rages:
		return []page.Cmd{page.Announce{Words: "The two fight"}}
	case now == absent && before == ends:
		return []page.Cmd{page.Announce{Words: "The fight is over, and everything is cleaned up"}}
	default:
		return nil
	}
}
