package compare

import (
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// The actions of the page's buttons.
const (
	doSend    = "send-request"
	doConfirm = "confirm"
	doDry     = "dry-run"
	doLeave   = "leave"
	doCancel  = "cancel"
	doAll     = "all"
	doEqual   = "equal-lines"
	doMore    = "more"
)

const (
	askMay     = "may-"
	askVersion = "version-"
)

// sides are the names of the two servers in the ids of requests.
var sides = []string{"left", "right"}

// live is the state that only the browser has. All copies of a Model share it, and only the newest copy counts.
type live struct {
	awake    bool
	other    bool // the reader types a media type that has no name
	settling page.Settling
	asking   bool // the page asks whether to write
	may      [2]call.May
	sent     draft.Draft // the request that is under way, the other cluster, and the path there
	with     string
	there    string
	streams  bool // a response of it is a stream
	calls    [2]call.Call
	under    bool // the request is under way
	ticks    int  // seconds since a stream began
	stopped  bool // the page ended the stream
	equal    bool // equal lines are shown
	lines    int  // the number of lines that are shown
}

// firstLines is how many lines are shown at first.
const firstLines = 400

// mostSeconds is how long the page follows a stream.
const mostSeconds = 5

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) {
	m.live = &live{awake: true, lines: firstLines, other: m.Draft.Accept != "" && !draft.Named(draft.Accepts, m.Draft.Accept)}
	commands := m.mayI()
	if r := m.Result; r != nil && r.Found != nil && (r.Sides[0].Cut || r.Sides[1].Cut) && m.Opens() {
		next, more := m.sendNow() // the browser keeps more of the responses than the server
		return next, append(commands, more...)
	}
	return m, commands
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if m.live == nil {
		return m, nil
	}
	switch msg := msg.(type) {
	case page.Typed:
		return m.typed(msg)
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Tick:
		return m.ticked()
	case page.Response:
		return m.heard(msg), nil
	case page.Addressed:
		return m.addressed(msg)
	case page.Opened, page.Arrived, page.Ended:
		return m.handleMessage(msg)
	}
	return m, nil
}

// typed takes in what was typed into a field.
func (m Model) typed(msg page.Typed) (page.Page, []page.Cmd) {
	var commands []page.Cmd
	switch msg.Field {
	case draft.QueryMethod:
		before := m.Draft.Method
		m.Draft.Method = msg.Text
		m.Draft = m.Draft.Retyped(before)
	case draft.QueryPath:
		m.Draft.Target = strings.TrimSpace(msg.Text)
	case QueryThere:
		m.There = strings.TrimSpace(msg.Text)
	case draft.QueryAccept:
		if m.live.other = msg.Text == draft.Other; !m.live.other {
			m.Draft.Accept = draft.MediaOf(draft.Accepts, msg.Text)
		}
	case draft.QueryOther:
		m.Draft.Accept = strings.TrimSpace(msg.Text)
	case draft.QueryContentType:
		m.Draft.ContentType = draft.MediaOf(draft.Contents, msg.Text)
	case draft.QueryBody:
		m.Draft.Body = msg.Text
	case QueryWith:
		if slices.Contains(m.slugs(), msg.Text) && msg.Text != m.Other {
			m.Other, m.live.may[1] = msg.Text, call.May{}
			commands = append(commands, m.askVersion())
		}
	default:
		return m, nil
	}
	m.live.settling.Begin()
	m.live.asking = false
	return m, commands
}

// ticked acts on a change when the reader has stopped typing, and ends streams.
func (m Model) ticked() (page.Page, []page.Cmd) {
	var commands []page.Cmd
	if m.live.under && m.live.streams {
		if m.live.ticks++; m.live.ticks == mostSeconds {
			m.live.stopped = true
			commands = m.cancel()
		}
	}
	if !m.live.settling.Rested() {
		return m, commands
	}
	next, more := m.settled()
	return next, append(commands, more...)
}

func (m Model) settled() (Model, []page.Cmd) {
	m.live.settling.End()
	return m, append(m.mayI(), page.Remember{Address: m.link(m.Draft), Replace: true})
}

// mayI asks both API servers for the reader's permission to send the request.
func (m Model) mayI() []page.Cmd {
	var commands []page.Cmd
	for i := range sides {
		d := m.draft(i)
		p, ok := d.Path()
		if !ok {
			m.live.may[i] = call.May{}
			continue
		}
		of := access.Of(d.Method, p, d.Request().Query)
		if of == m.live.may[i].Of {
			continue
		}
		m.live.may[i] = call.May{Of: of}
		if of.Verb != "" && !m.silent(i) {
			var ask page.Cmd
			m.live.may[i], ask = call.Ask(askMay+sides[i], m.slug(i), of)
			commands = append(commands, ask)
		}
	}
	return commands
}

// silent tells whether a server has just sent no response, so that there is no use in asking it for permissions.
func (m Model) silent(side int) bool {
	return m.Result != nil && m.Result.Sides[side].Call.Cluster == m.slug(side) && m.Result.Sides[side].Call.Status == 0
}

// askVersion asks the other server for its version.
func (m *Model) askVersion() page.Cmd {
	m.Versions[1] = ""
	return page.Get(askVersion+m.Other, m.Other, VersionPath, "application/json")
}

// heard takes in the response to mayI or askVersion.
func (m Model) heard(r page.Response) Model {
	if slug, is := strings.CutPrefix(r.ID, askVersion); is && slug == m.Other {
		m.Versions[1] = VersionOf(r.Status, r.Body)
	}
	for i, side := range sides {
		if r.ID == askMay+side {
			m.live.may[i].Hear(r)
		}
	}
	return m
}

// addressed loads the draft of another address of this page. If the address is that of the submitted form, it sends the current draft instead.
func (m Model) addressed(msg page.Addressed) (page.Page, []page.Cmd) {
	if msg.Query.Get(querySend) != "" {
		next, commands := m.settled()
		last, more := next.sendOrConfirm()
		return last, append(commands, more...)
	}
	parsed := Parse(m.Shell.Cluster.Slug, m.slugs(), msg.Query)
	return m.load(parsed)
}

// load replaces the request, the other cluster and what counts. A request that only reads is sent.
func (m Model) load(to Model) (Model, []page.Cmd) {
	again := m.Result != nil && m.Other == to.Other && m.There == to.There && m.link(m.Draft) == m.link(to.Draft)
	var commands []page.Cmd
	if m.Other != to.Other {
		m.Other, m.live.may[1] = to.Other, call.May{}
		commands = append(commands, m.askVersion())
	}
	m.All = to.All
	if again {
		return m, commands
	}
	m.Draft, m.There, m.live.asking = to.Draft, to.There, false
	m.live.other = m.Draft.Accept != "" && !draft.Named(draft.Accepts, m.Draft.Accept)
	if m.Draft.HasBody() {
		commands = append(commands, page.Edit{Field: draft.QueryBody, Text: m.Draft.Body})
	}
	m.Result = nil
	m, more := m.settled()
	commands = append(commands, more...)
	if m.Opens() {
		m, more = m.sendNow()
		commands = append(commands, more...)
	}
	return m, commands
}

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	switch action {
	case doSend:
		return m.sendOrConfirm()
	case doConfirm:
		return m.sendNow()
	case doDry:
		m.Draft = m.Draft.Set("dryRun", "All")
		m, commands := m.settled()
		m, more := m.sendNow()
		return m, append(commands, more...)
	case doLeave:
		m.live.asking = false
		return m, []page.Cmd{page.Focus{ID: "send"}}
	case doCancel:
		return m, m.cancel()
	case doAll:
		m.All = !m.All
		return m, []page.Cmd{page.Remember{Address: m.link(m.Draft), Replace: true}}
	case doEqual:
		m.live.equal = !m.live.equal
	case doMore:
		m.live.lines += 2 * firstLines
	}
	return m, nil
}

func (m Model) cancel() []page.Cmd {
	var commands []page.Cmd
	for _, x := range &m.live.calls {
		if x.Under() {
			commands = append(commands, x.Cancel())
		}
	}
	return commands
}

// sendOrConfirm sends the request to both clusters, or asks first whether to write to them.
func (m Model) sendOrConfirm() (Model, []page.Cmd) {
	if no := m.mayNot(); no != "" {
		return m, []page.Cmd{page.Announce{Words: no}}
	}
	if m.Draft.Stores() {
		m.live.asking = true
		return m, []page.Cmd{page.Focus{ID: "confirm"}}
	}
	return m.sendNow()
}

func (m Model) sendNow() (Model, []page.Cmd) {
	if m.mayNot() != "" {
		return m, nil
	}
	m.live.asking, m.live.under, m.live.stopped, m.live.ticks = false, true, false, 0
	m.live.equal, m.live.lines = false, firstLines
	m.live.sent, m.live.with, m.live.there = m.Draft, m.Other, m.There
	m.live.streams = m.draft(0).Streams() || m.draft(1).Streams()
	m.Result = nil
	var commands []page.Cmd
	for i := range sides {
		x, begin := m.Request(i).Begin()
		m.live.calls[i] = x
		commands = append(commands, begin)
	}
	return m, commands
}

// handleMessage takes a part of a response in. When both responses have ended, it compares them.
func (m Model) handleMessage(msg page.Msg) (page.Page, []page.Cmd) {
	for i, x := range &m.live.calls {
		if next, mine := x.Hear(msg); mine && m.live.under {
			m.live.calls[i] = next
		}
	}
	if !m.live.under || !m.live.calls[0].Done() || !m.live.calls[1].Done() {
		return m, nil
	}
	m.live.under = false
	sent := m
	sent.Draft, sent.Other, sent.There = m.live.sent, m.live.with, m.live.there
	m.Result = sent.Settle(m.live.calls, [2]*components.Notice{})
	m.Result.Stopped = m.live.stopped
	m.live.calls = [2]call.Call{} // the bodies may be long, and may have secrets
	return m, []page.Cmd{page.Announce{Words: m.summary()}}
}
