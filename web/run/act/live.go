package act

import (
	"slices"
	"time"

	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Actions of the page's buttons.
const (
	doTry     = "try"
	doSend    = "send"
	doConfirm = "confirm"
	doLeave   = "leave"
	doStop    = "stop"
	doUndo    = "undo"
	doCancel  = "cancel" // the dry runs that wait
	doRest    = "rest"   // the dry runs that were canceled
	doAgain   = "again"  // what failed
)

// Bounds of the page.
const (
	mostFollowed = 8   // objects with a subscription; others are read every few seconds
	mostAsked    = 100 // permissions that the page asks for; without the others, dry runs tell
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	items    []*item // in the order of the targets
	ranked   []*item // the worst first
	unranked bool    // dry runs of a plan for all items are under way; after them, the order is decided
	options  []field
	line     line
	may      map[need]*call.May // the permissions that the page has asked for
	now      time.Time
	settling page.Settling // an option is being typed
	asking   asking        // the reader must confirm
	said     string        // announced last
}

// asking is what the reader must confirm.
type asking string

// What the reader must confirm.
const (
	nothing asking = ""
	sending asking = "send"
	undoing asking = "undo"
)

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Now = now
	l := &live{now: now, may: map[need]*call.May{}}
	if m.Query.Chosen == nil {
		m.Query.Chosen = plans.Chosen{}
	}
	for i, t := range m.Targets {
		l.items = append(l.items, &item{Target: t, place: i})
	}
	m.live = l
	var commands []page.Cmd
	for i, it := range l.items {
		if i < mostFollowed && it.Problem == nil && it.Type.Watchable() {
			followed := follow.NewObject(it.Object, now)
			it.followed = &followed
			commands = append(commands, page.Subscribe{ID: uint32(i) + 1, Cluster: m.Shell.Cluster.Slug, Path: it.Path.String(), As: wire.Object})
		}
	}
	m.plan(l.items...)
	return m, append(commands, m.pump()...)
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	var commands []page.Cmd
	switch msg := msg.(type) {
	case page.Received:
		m.received(msg)
	case page.Connection:
		for _, it := range m.live.items {
			if it.followed != nil {
				it.followed.Connect(msg)
			}
		}
	case page.Tick:
		m, commands = m.ticked(msg.Now)
	case page.Typed:
		m, commands = m.typed(msg.Field, msg.Text)
	case page.Pressed:
		if msg.Key == "Escape" {
			m.live.asking = nothing
		}
	case page.Acted:
		m, commands = m.handleAction(msg.Action)
	case page.Response:
		m.live.line.handleResponse(msg)
	case page.Addressed:
		return m.addressed(ParseQuery(msg.Query))
	default:
		return m, nil
	}
	m.proceed()
	m.settle()
	commands = append(commands, m.pump()...)
	return m, append(commands, m.say()...)
}

// addressed takes in another query. Another act or other objects are another page.
func (m Model) addressed(q Query) (page.Page, []page.Cmd) {
	next := m
	next.Query = q
	if !q.same(m.Query) || m.busy() {
		return m, []page.Cmd{page.Navigate{Address: next.pageAddress()}}
	}
	m, commands := next.chose()
	return m, append(commands, m.pump()...)
}

// received takes in a message about an object that the page follows.
func (m Model) received(msg page.Received) {
	i := int(msg.Message.ID) - 1
	if i < 0 || i >= len(m.live.items) || m.live.items[i].followed == nil {
		return
	}
	m.live.items[i].followed.Hear(msg.Message)
}

// ticked uses typed options when the reader pauses, and does what is due.
func (m Model) ticked(now time.Time) (Model, []page.Cmd) {
	m.Now, m.live.now = now, now
	for _, it := range m.live.items {
		if it.followed != nil {
			it.followed.Tick(now)
		}
	}
	if m.live.settling.Rested() {
		return m.chose()
	}
	return m, nil
}

// typed takes in an option. A choice and a flag count at once. The text of a flag is the same whether its box is set or not.
func (m Model) typed(name, text string) (Model, []page.Cmd) {
	i := slices.IndexFunc(m.live.options, func(f field) bool { return f.Name == name })
	if i < 0 || m.busy() {
		return m, nil
	}
	f := &m.live.options[i]
	if f.Shape == plans.Flag && f.Value == plans.Yes {
		text = ""
	}
	f.Value, m.Query.Chosen[name] = text, text
	if f.Shape == plans.Flag || f.Shape == plans.Choice {
		return m.chose()
	}
	m.live.settling.Begin()
	return m, nil
}

// chose plans again with the chosen options.
func (m Model) chose() (Model, []page.Cmd) {
	m.live.settling.End()
	m.live.asking = nothing
	m.Shell.Here = m.pageAddress()
	m.plan(m.live.items...)
	return m, []page.Cmd{page.Remember{Address: m.pageAddress(), Replace: true}}
}

// plan makes new plans for items, and puts their dry runs into the line.
func (m Model) plan(items ...*item) {
	for _, it := range items {
		m.forget(it)
		it.halt = nil
		it.past = append(it.past, it.sent()...)
	}
	m.planned(items)
	m.live.options = m.fields(m.live.items)
	m.mayI()
	m.tryAll(items)
	if len(items) == len(m.live.items) {
		m.live.ranked, m.live.unranked = m.rank(m.live.items), true
	}
}

// tryAll puts the dry runs of items that have none into the line. If the reader has no permission to send a request, its dry run would be refused, too.
func (m Model) tryAll(items []*item) {
	for _, it := range items {
		if m.not(it) != "" {
			continue
		}
		for _, j := range it.jobs {
			if j.untried() {
				m.try(it, j)
			}
		}
	}
}

// settle decides the order of the table when the last dry run of a plan has its response. Later, rows stay where they are.
func (m Model) settle() {
	l := m.live
	if l.unranked && !m.trying() {
		l.ranked, l.unranked = m.rank(l.items), false
	}
}

// sent are the jobs of an item's plan that were sent.
func (it *item) sent() (all []*job) {
	for _, j := range it.jobs {
		if j.real != nil {
			all = append(all, j)
		}
	}
	return all
}

// try puts the dry run of a job into the line.
func (m Model) try(it *item, j *job) {
	j.trying = true
	m.live.line.put(order{it: it, dry: j, cmd: m.call(j.step, true).Send(""), then: func(f page.Response) {
		j.dry, j.trying = dryrun.Read(f), false
		j.would = it.effect(j.step, j.dry, true)
		j.dry.Object = object.Object{} // hundreds of them would fill the memory
	}})
}

// need is a permission. Requests with the same verb on the same kind of object in the same namespace need the same one, so the page asks about the
// first of them.
type need struct{ verb, group, resource, subresource, namespace string }

// needOf is the permission that a step needs.
func needOf(s plans.Step) need {
	p := s.Resource()
	return need{s.Verb(), p.Group, p.Resource, p.Subresource, p.Namespace}
}

// mayI asks for the permissions to send the requests, if the page hasn't asked before.
func (m Model) mayI() {
	l := m.live
	for _, j := range m.jobs() {
		n := needOf(j.step)
		if l.may[n] != nil || len(l.may) == mostAsked {
			continue
		}
		may, cmd := call.MayI("", m.Shell.Cluster.Slug, n.verb, j.step.Resource())
		asks, is := cmd.(page.Call)
		if !is {
			continue
		}
		l.may[n] = &may
		l.line.put(order{cmd: asks, then: func(f page.Response) {
			if may.Hear(f); may.Not("") != "" {
				l.line.dropDry(func(o order) bool { return needOf(o.dry.step) == n })
			}
		}})
	}
}

// not says which permission the reader doesn't have for an item; empty if nothing is known against it.
func (m Model) not(it *item) string {
	if m.live == nil {
		return ""
	}
	for _, j := range it.jobs {
		if may := m.live.may[needOf(j.step)]; may != nil && may.Not("") != "" {
			return may.Not("")
		}
	}
	return ""
}

// objectPage is the page of an item's object.
func (m Model) objectPage(it *item) string { return web.Page(m.Shell.Cluster.Slug, it.Path.String()) }
