package shell

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/follow"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Actions of the page's buttons. After a space, some have the id of a connection, and then a command.
const (
	doOpen   = "open"
	doYes    = "open-yes"
	doNo     = "open-no"
	doShow   = "connection"
	doClose  = "close"
	doAgain  = "again"
	doTry    = "try"
	doDebug  = "debug"
	doEnough = "debug-enough"
)

// Kinds of requests, and the IDs of the subscriptions.
const (
	askMay = "may" // a permission
	askDry = "dry" // the debug container as a dry run
	askAdd = "add" // the debug container
	askWhy = "why" // why a connection was refused

	followPod      = 1
	followRequests = 2
)

// mostConnections is the most connections of a page.
const mostConnections = 8

// Ids of elements.
const (
	idOpen    = "open-connection"
	idConfirm = "confirm-connection"
)

// live is the state of the page in the browser. The copies of a Model share it, and only the newest copy is used.
type live struct {
	followed    follow.Object // the pod
	connections []*connection
	current     string  // the id of the connection that is shown
	made        int     // connections since the page was opened
	asking      *target // the reader is asked whether to open it; nil: nothing is asked
	may         []call.May
	debugging   debugging
	streams     streams
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.Subject.Now = now
	m.live = &live{followed: follow.NewObject(m.Subject.Object, now)}
	commands := []page.Cmd{
		page.Subscribe{ID: followPod, Cluster: m.cluster().Slug, Path: m.path(), As: wire.Object},
		page.Subscribe{ID: followRequests, Cluster: m.cluster().Slug, As: wire.Requests},
	}
	return m, append(commands, m.turned()...)
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	l := m.live
	switch msg := msg.(type) {
	case page.Received:
		if msg.Message.ID == followRequests {
			l.streams.handleMessage(msg.Message)
			m.recognize()
			return m, nil
		}
		l.followed.Hear(msg.Message)
		m.exits()
		return m, append(l.followed.News(), m.arrive()...)
	case page.Connection:
		l.followed.Connect(msg)
	case page.Tick:
		m.Subject.Now = msg.Now
		l.followed.Tick(msg.Now)
		if l.debugging.settling.Rested() {
			return m, m.tryDebug()
		}
	case page.Typed:
		return m.typed(msg)
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Streamed:
		return m, m.streamed(msg)
	case page.Response:
		return m, m.fetched(msg)
	default:
		return m.moved(msg)
	}
	return m, nil
}

// Unfinished implements page.Unfinished: connections end with the page.
func (m Model) Unfinished() bool { return m.live != nil && m.live.openConnectionCount() > 0 }

// moved handles what leads to other views. Escape doesn't end connections that are open.
func (m Model) moved(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		if turn, other := m.Subject.Turned(msg.Query); other {
			return m, turn
		}
		m.Choice = ParseChoice(msg.Query)
		return m, m.turned()
	case page.Pressed:
		if m.live.openConnectionCount() > 0 {
			return m, []page.Cmd{page.Announce{Words: "Close the open connections first. Another page would end them."}}
		}
		to, _ := m.Subject.Pressed(msg.Key)
		return m, to
	}
	return m, nil
}

// turned requests what the chosen way needs: permissions, and the dry run of a debug container.
func (m Model) turned() []page.Cmd {
	commands := m.askMay()
	if m.chosen().How == debug {
		return append(commands, m.tryDebug()...)
	}
	return commands
}

// needs are the permissions for a way to connect. A WebSocket begins with a GET. Since Kubernetes 1.35, the API server requires create too.
func (m Model) needs(h how) (all []access.Attributes) {
	p := m.Subject.Shell.Path
	one := func(verb, subresource string) access.Attributes {
		return access.Attributes{Namespace: p.Namespace, Verb: verb, Version: p.Version, Resource: p.Resource, Subresource: subresource, Name: p.Name}
	}
	if h == debug {
		return append(m.needs(attach), one("patch", "ephemeralcontainers"))
	}
	return []access.Attributes{one("get", string(h)), one("create", string(h))}
}

// askMay asks for the permissions of the chosen way that the page doesn't know yet.
func (m Model) askMay() (commands []page.Cmd) {
	for _, of := range m.needs(m.chosen().How) {
		if slices.ContainsFunc(m.live.may, func(known call.May) bool { return known.Of == of }) {
			continue
		}
		may, ask := call.Ask(dryrun.ID(askMay, len(m.live.may)), m.cluster().Slug, of)
		m.live.may, commands = append(m.live.may, may), append(commands, ask)
	}
	return commands
}

// denied are the permissions for a way to connect that the reader doesn't have, as far as the page knows.
func (m Model) denied(h how) (all []call.May) {
	if m.live == nil {
		return nil
	}
	needed := m.needs(h)
	for _, may := range m.live.may {
		if may.Heard && !may.Answer.Allowed && slices.Contains(needed, may.Of) {
			all = append(all, may)
		}
	}
	return all
}

// lacks says which permission the chosen way certainly needs, and the reader doesn't have; empty: none. Older API servers don't require create.
func (m Model) lacks() string {
	for _, may := range m.denied(m.chosen().How) {
		if may.Of.Verb != "create" {
			return may.Not("")
		}
	}
	return ""
}

// typed takes in a field of the form.
func (m Model) typed(msg page.Typed) (page.Page, []page.Cmd) {
	c := &m.Choice
	field := map[string]*string{fieldHow: (*string)(&c.How), fieldContainer: &c.Container, fieldCommand: &c.Command, fieldImage: &c.Image, fieldName: &c.Name, fieldTarget: &c.Target}[msg.Field]
	if field == nil {
		return m, nil
	}
	*field = msg.Text
	m.live.asking = nil
	switch msg.Field {
	case fieldHow:
		return m, m.turned()
	case fieldImage, fieldName, fieldTarget:
		m.live.debugging.settling.Begin()
	}
	return m, nil
}

// handleAction does the action of a button.
func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	l := m.live
	what, of, _ := strings.Cut(action, " ")
	id, command, _ := strings.Cut(of, " ")
	at := slices.IndexFunc(l.connections, func(s *connection) bool { return s.id == id })
	switch {
	case what == doOpen:
		return m, m.openOrConfirm()
	case what == doYes && l.asking != nil:
		return m, m.openConnection(*l.asking)
	case what == doNo:
		l.asking = nil
		return m, []page.Cmd{page.Focus{ID: idOpen}}
	case what == doDebug:
		m.Choice.How = debug
		return m, append(m.turned(), page.Focus{ID: "way-" + string(debug)}, page.Reveal{ID: "way-" + string(debug)})
	case what == doEnough:
		l.debugging.awaited = ""
	case at < 0:
	case what == doShow:
		l.current = id
		return m, []page.Cmd{page.FocusTerminal{ID: id}}
	case what == doClose:
		return m, m.close(at)
	case what == doAgain:
		return m, m.connect(l.connections[at], l.connections[at].request)
	case what == doTry:
		again := l.connections[at].request
		again.Command = []string{command}
		return m, m.connect(l.connections[at], again)
	}
	return m, nil
}

// openOrConfirm opens the chosen connection, or asks first. In the practice cluster, nothing can be broken.
func (m Model) openOrConfirm() []page.Cmd {
	if m.unready() != "" {
		return nil
	}
	t, _ := m.target()
	if !m.cluster().Practice {
		m.live.asking = &t
		return []page.Cmd{page.Focus{ID: idConfirm}, page.Reveal{ID: idConfirm}}
	}
	return m.openConnection(t)
}

// openConnection opens a connection, or adds the debug container.
func (m Model) openConnection(t target) []page.Cmd {
	m.live.asking = nil
	if m.unready() != "" {
		return nil
	}
	if t.How == debug {
		return m.addDebug()
	}
	return m.addConnection(t)
}

// addConnection adds a connection with a terminal of its own.
func (m Model) addConnection(t target) []page.Cmd {
	l := m.live
	l.made++
	s := &connection{id: "s" + digits(l.made)}
	l.connections, l.current = append(l.connections, s), s.id
	return m.connect(s, t)
}

// connect connects a terminal with its container. Nothing is repeated without the reader: each connection is a new process, or a new look at a running one.
func (m Model) connect(s *connection, t target) []page.Cmd {
	if m.limit() != "" {
		return nil
	}
	c, _ := pickContainer(m.containers(), t.Container)
	*s = connection{id: s.id, request: t, state: connecting, code: -1, before: c.Restarts, after: m.live.streams.last}
	m.live.current = s.id
	return []page.Cmd{page.Connect{ID: s.id, Cluster: m.cluster().Slug, Path: t.path(m.path()), Raw: t.TTY}}
}

// close removes a connection. It ends with its terminal.
func (m Model) close(at int) []page.Cmd {
	l := m.live
	l.connections = slices.Delete(l.connections, at, at+1)
	if len(l.connections) == 0 {
		l.current = ""
		return []page.Cmd{page.Focus{ID: idOpen}}
	}
	l.current = l.connections[max(0, at-1)].id
	return []page.Cmd{page.FocusTerminal{ID: l.current}}
}

// streamed takes in what became of a connection. Browsers don't say why one was refused, so the page sends the same request without the upgrade: the API
// server checks it alike, and runs nothing.
func (m Model) streamed(msg page.Streamed) []page.Cmd {
	at := slices.IndexFunc(m.live.connections, func(s *connection) bool { return s.id == msg.ID })
	if at < 0 {
		return nil
	}
	s := m.live.connections[at]
	s.state, s.code, s.words = msg.State, msg.Code, msg.Words
	switch msg.State {
	case page.StreamOpen:
		s.opened = msg.At
		return []page.Cmd{page.Announce{Words: "The connection is open."}}
	case page.StreamRefused:
		return []page.Cmd{page.Get(askWhy+" "+s.id, m.cluster().Slug, s.request.path(m.path()), "application/json"), page.Announce{Words: s.outcomeText()}}
	}
	s.ended = msg.At
	if s.request.How == attach && s.code == 0 {
		s.code = -1 // nodes report success for every end of a container
		m.exits()
	}
	return []page.Cmd{page.Announce{Words: s.outcomeText()}}
}

// exits finds the exit codes of containers that ended while the page was attached. Only the pod's status has them.
func (m Model) exits() {
	for _, s := range m.live.connections {
		c, ok := pickContainer(m.containers(), s.request.Container)
		if s.quiet() && ok && c.Name == s.request.Container && (!c.Running || c.Restarts > s.before) {
			s.code = c.Exit
		}
	}
}

// openConnectionCount is the number of connections that are open, or being opened.
func (l *live) openConnectionCount() (n int) {
	for _, s := range l.connections {
		if !s.over() {
			n++
		}
	}
	return n
}

func (l *live) connectionCount() int { return len(l.connections) }

// fetched takes in a response.
func (m Model) fetched(f page.Response) []page.Cmd {
	what, seq := dryrun.ParseID(f.ID)
	d := &m.live.debugging
	switch {
	case what == askMay && seq < len(m.live.may):
		m.live.may[seq].Hear(f)
	case what == askWhy:
		m.refused(strings.TrimPrefix(f.ID, askWhy+" "), dryrun.Read(f))
	case what == askDry && seq == d.seq:
		d.dry = dryrun.Read(f)
	case what == askAdd && seq == d.seq:
		return m.addedDebug(dryrun.Read(f))
	}
	return nil
}

// upgradeNeeded is what API servers and nodes answer to such a request without an upgrade, if nothing else is wrong with it.
const upgradeNeeded = "pgrade request required"

// refused takes in why a connection was refused, if the API server says it.
func (m Model) refused(id string, a *dryrun.Response) {
	for _, s := range m.live.connections {
		if s.id == id && s.state == page.StreamRefused && a.No != nil && !strings.Contains(a.No.Message, upgradeNeeded) {
			s.no = a.No
		}
	}
}

// tryDebug makes a dry run of the debug container.
func (m Model) tryDebug() []page.Cmd {
	d, c := &m.live.debugging, m.chosen()
	d.settling.End()
	d.dry, d.no = nil, nil
	if c.incomplete() != "" || m.live.followed.Gone() {
		return nil
	}
	d.seq++
	return []page.Cmd{c.call(m.cluster().Slug, m.path()).Dry().Send(dryrun.ID(askDry, d.seq))}
}

// addDebug adds the debug container.
func (m Model) addDebug() []page.Cmd {
	d, c := &m.live.debugging, m.chosen()
	d.seq++
	d.adding = c.Name
	return []page.Cmd{c.call(m.cluster().Slug, m.path()).Send(dryrun.ID(askAdd, d.seq))}
}

// addedDebug takes in the response. The page connects with the container as soon as the container runs.
func (m Model) addedDebug(a *dryrun.Response) []page.Cmd {
	d := &m.live.debugging
	name := d.adding
	d.adding = ""
	if !a.OK() {
		d.no = a
		return []page.Cmd{page.Announce{Words: "The API server refused the debug container."}}
	}
	d.awaited = name
	if !m.live.followed.Live() { // else a newer version may have arrived already
		m.live.followed.Take(a.Object)
	}
	return append(m.arrive(), page.Announce{Words: "The debug container is added."})
}

// arrive connects with the debug container that the page waits for, once it runs.
func (m Model) arrive() []page.Cmd {
	d := &m.live.debugging
	if d.awaited == "" {
		return nil
	}
	c, ok := pickContainer(m.containers(), d.awaited)
	if !ok || c.Name != d.awaited || !c.Running {
		return nil
	}
	d.awaited = ""
	return append(m.addConnection(target{How: attach, Container: c.Name, TTY: c.TTY, Stdin: c.Stdin}), m.tryDebug()...)
}

// awaited is the state of the debug container that the page waits for; empty: the page waits for none.
func (m Model) awaited() (name, state string) {
	if m.live == nil || m.live.debugging.awaited == "" {
		return "", ""
	}
	c, _ := pickContainer(m.containers(), m.live.debugging.awaited)
	return m.live.debugging.awaited, c.State
}
