// Package describe is the page that says in plain words how an object is, and what it waits for.
//
// The server and the browser make the page with the same requests: Asks says which, and Heard and Refused take in the responses. The object itself is
// followed. When it has changed, the browser reads the other parts again.
package describe

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/describe"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/views"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/run/subject"
)

// Kind names the page in the embedded model.
const Kind = "describe"

// subscription is the id of the subscription to the object.
const subscription = 1

// mostConditions is how many conditions are shown.
const mostConditions = 30

// Times between two reads of the other parts: after changes of the object, and while a response is missing.
const (
	readEvery = 10 * time.Second
	waitMost  = time.Minute
)

// Model is the page's state.
type Model struct {
	subject.Subject
	Found describe.Found `json:"found"`
	Read  time.Time      `json:"read"` // when the other parts were requested

	live *live // nil on the server
}

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	followed follow.Object
	changed  bool                // the object has changed since the other parts were read
	asked    time.Time           // when they were requested, by the reader's clock
	due      map[string]struct{} // the requests without a response
}

// described is what the page describes.
func (m Model) described() describe.Subject {
	return describe.Subject{Object: m.Subject.Object, Path: m.Subject.Shell.Path, Catalog: m.Subject.Shell.Catalog, Found: m.Found, Now: m.Subject.Now}
}

// Asks are the requests for the other parts.
func (m Model) Asks() []describe.Request { return m.described().Requests() }

// Heard takes in the body of a response.
func (m Model) Heard(id string, body []byte) Model {
	found, err := m.Found.Read(id, body)
	if err != nil {
		return m.Refused(id, status.Status{Message: "Fieldmark can’t read the response: " + err.Error()})
	}
	m.Found = found
	return m
}

// Refused takes in a refusal. A status without a code means that there was no response.
func (m Model) Refused(id string, no status.Status) Model {
	m.Found = m.Found.Refused(id, no)
	return m
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m, describe.Of(m.described())) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	var liveness *components.Liveness
	if m.follows() {
		liveness = new(m.live.followed.Liveness(0, 0))
		if m.gone() && m.live.followed.Live() {
			liveness = &components.Liveness{Tone: components.Bad, Words: "deleted", Why: &why.Deletion}
		}
	}
	h := m.Subject.Above(liveness)
	if m.gone() {
		h.Acts = components.Actions{}
		return h
	}
	h.Acts.Add(components.LinkButton(components.Link{Text: "Read again", Href: m.Subject.Address(nil), Hint: "Reads the object and the other parts of this page again"}))
	return h
}

// follows tells whether the browser follows the object.
func (m Model) follows() bool {
	return m.live != nil && m.Subject.Type.Watchable() && m.described().Follows()
}

// gone tells whether the object was deleted.
func (m Model) gone() bool { return m.live != nil && m.live.followed.Gone() }

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Subject.Now = now
	m.live = &live{followed: follow.NewObject(m.Subject.Object, now), asked: now}
	if !m.follows() {
		return m, nil
	}
	return m, []page.Cmd{page.Subscribe{ID: subscription, Cluster: m.Subject.Shell.Cluster.Slug, Path: m.Subject.Shell.Path.String(), As: wire.Object}}
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Received:
		return m.received(msg.Message)
	case page.Connection:
		m.live.followed.Connect(msg)
		return m, m.live.followed.News()
	case page.Tick:
		m.Subject.Now = msg.Now
		m.live.followed.Tick(msg.Now)
		return m.readAgain()
	case page.Response:
		return m.responded(msg), nil
	case page.Addressed:
		if turn, other := m.Subject.Turned(msg.Query); other {
			return m, turn
		}
		return m, []page.Cmd{page.Reload{}}
	case page.Pressed:
		to, _ := m.Subject.Pressed(msg.Key)
		return m, to
	}
	return m, nil
}

// received takes in a message of the subscription.
func (m Model) received(msg wire.Message) (page.Page, []page.Cmd) {
	l := m.live
	before := l.followed.State
	l.followed.Hear(msg)
	if l.followed.Is(before) {
		return m, l.followed.News()
	}
	m.Subject.Object, l.changed = l.followed.Object, true
	if l.followed.UID() != before.UID() {
		m.Found = describe.Found{}
	}
	next, commands := m.readAgain()
	return next, append(l.followed.News(), commands...)
}

// readAgain reads the other parts again, if the object has changed and it is time. It doesn't while a response is missing, unless that takes very long.
func (m Model) readAgain() (page.Page, []page.Cmd) {
	l := m.live
	wait := readEvery
	if len(l.due) > 0 {
		wait = waitMost
	}
	if !l.changed || m.gone() || m.Subject.Now.Sub(l.asked) < wait {
		return m, nil
	}
	l.changed, l.asked, l.due, m.Read = false, m.Subject.Now, map[string]struct{}{}, m.Subject.Now
	var commands []page.Cmd
	for _, ask := range m.Asks() {
		l.due[ask.ID] = struct{}{}
		commands = append(commands, page.Get(ask.ID, m.Subject.Shell.Cluster.Slug, ask.Path, ask.Accept))
	}
	return m, commands
}

// responded takes in a response in the browser.
func (m Model) responded(r page.Response) Model {
	if _, mine := m.live.due[r.ID]; !mine {
		return m
	}
	delete(m.live.due, r.ID)
	switch {
	case r.Status == 0:
		return m.Refused(r.ID, status.Status{Message: "No response arrived."})
	case !r.OK():
		return m.Refused(r.ID, status.Parse(r.Status, r.Body))
	}
	return m.Heard(r.ID, r.Body)
}

// Keys implements page.Keyed.
func (Model) Keys() []components.Key { return subject.Keys() }

// link is the address of the page of an API path. Objects that can be described are described there, too.
func (m Model) link(path string) string {
	slug := m.Subject.Shell.Cluster.Slug
	if path == "" {
		return ""
	}
	if p, err := apipath.Parse(path); err == nil && p.Kind == apipath.KindObject && describe.Known(p.Group, p.Resource) {
		return views.Describe.Address(slug, p)
	}
	return web.Page(slug, path)
}

// facts are the facts as components show them.
func (m Model) facts(d describe.Description) (all []components.Fact) {
	for _, f := range d.Facts {
		fact := components.Fact{Name: f.Name, Href: m.link(f.Values[0].Path), Tone: components.Tone(f.Values[0].Tone)}
		for i, v := range f.Values {
			if i > 0 {
				fact.Text += ", "
			}
			fact.Text += v.Text
		}
		all = append(all, fact)
	}
	return all
}

// conditions are the status conditions of the object.
func (m Model) conditions() (all []components.Condition) {
	for _, c := range m.Subject.Object.Conditions() {
		one := components.Condition{
			Type: c.Type, Status: c.Status, Reason: c.Reason, Message: c.Message, Verdict: condition.Judge(m.Subject.Type.Group, c.Type, c.Status),
		}
		if age := m.described().Age(c.Transition); age != "" {
			one.Since = "for " + age
		}
		all = append(all, one)
	}
	return all
}

// gaps say for each request of a part that was refused what is missing.
func (m Model) gaps(p describe.Part) (all []string) {
	for _, id := range p.Needs {
		no, refused := m.Found.No[id]
		switch {
		case !refused:
		case no.Code == status.CodeForbidden:
			all = append(all, components.Sentence(call.Unread(&no).Title))
		default:
			all = append(all, m.what(id)+" couldn’t be read. "+components.Sentence(no.Message))
		}
	}
	return all
}

// what names what a request reads.
func (m Model) what(id string) string {
	for _, ask := range m.Asks() {
		if ask.ID == id {
			return strings.TrimSuffix(components.Sentence(ask.What), ".")
		}
	}
	return "A part"
}

// columns are the parts in two columns: lists that can be long, and the others. Wide ones are in none of them.
func columns(d describe.Description) (wide, lists, others []describe.Part) {
	for _, p := range d.Parts {
		switch {
		case p.Wide:
			wide = append(wide, p)
		case slices.Contains([]string{"events", "pods", "endpoints"}, p.ID):
			lists = append(lists, p)
		default:
			others = append(others, p)
		}
	}
	return wide, lists, others
}

// numeric are the columns with numbers.
var numeric = map[string]bool{
	"Restarts": true, "Node port": true, "Capacity": true, "For pods": true, "Requested": true, "CPU requested": true, "Memory requested": true,
}

// asOf says how current the page is.
func (m Model) asOf() string {
	text := "The parts beside the object were read at " + m.Read.UTC().Format("15:04:05") + " UTC."
	if m.follows() {
		return text + " When the object changes, Fieldmark reads them again."
	}
	return text + " Read again shows what has happened since."
}
