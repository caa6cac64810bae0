package act

import (
	"slices"
	"time"

	plans "github.com/fieldmark/fieldmark/kube/act"
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
)

// Bounds of the page.
const (
	mostFollowed = 8 // objects with a subscription; others are read every few seconds
	mostAsked    = 8 // permissions that the page asks for
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	items    []*item
	options  []field
	line     line
	may      []call.May
	needs    map[need]bool // the permissions that the page has asked for
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
	l := &live{now: now, needs: map[need]bool{}}
	if m.Query.Chosen == nil {
		m.Query.Chosen = plans.Chosen{}
	}
	for _, t := range m.Targets {
		l.items = append(l.items, &item{Target: t})
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
		m.planned(it)
		for _, j := range it.jobs {
			m.try(it, j)
		}
	}
	m.live.options = m.fields(m.live.items)
	m.mayI()
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
	m.live.line.addRequest(it, nil, m.call(j.step, true), func(f page.Response) {
		j.dry = dryrun.Read(f)
		j.would = it.effect(j.step, j.dry, true)
	})
}

// need is a permission. Requests with the same verb on the same kind of object in the same namespace need the same one, so the page asks about the
// first of them.
type need struct{ verb, group, resource, subresource, namespace string }

// mayI asks for the permissions to send the requests, if the page hasn't asked before.
func (m Model) mayI() {
	l := m.live
	for _, j := range m.jobs() {
		verb, p := j.step.Verb(), j.step.Resource()
		n := need{verb, p.Group, p.Resource, p.Subresource, p.Namespace}
		if l.needs[n] || len(l.needs) == mostAsked {
			continue
		}
		l.needs[n] = true
		may, cmd := call.MayI("", m.Shell.Cluster.Slug, verb, p)
		asks, is := cmd.(page.Call)
		if !is {
			continue
		}
		i := len(l.may)
		l.may = append(l.may, may)
		l.line.put(order{cmd: asks, then: func(f page.Response) { l.may[i].Hear(f) }})
	}
}

// objectPage is the page of an item's object.
func (m Model) objectPage(it *item) string { return web.Page(m.Shell.Cluster.Slug, it.Path.String()) }
