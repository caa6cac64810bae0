package request

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/draft"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// The actions of the page's buttons, and its fields. An action on one of several things is followed by the number of the thing.
const (
	doSend    = "send-request"
	doConfirm = "confirm"
	doDry     = "dry-run"
	doLeave   = "leave"
	doCancel  = "cancel"
	doFill    = "fill"
	doFound   = "found"
	doTab     = "tab"
	doMore    = "more"
	doReveal  = "reveal"
	doHold    = "hold"
	doEvent   = "event"
	doSame    = "same"
	doForget  = "forget"
	doDrop    = "drop-field"

	fieldMethod = draft.QueryMethod
	fieldTarget = draft.QueryPath
	fieldAccept = draft.QueryAccept
	fieldOther  = draft.QueryOther
	fieldType   = draft.QueryContentType
	fieldBody   = draft.QueryBody
	fieldPaste  = "paste"
)

// live is the state that only the browser has. All copies of a Model share it, and only the newest copy counts.
type live struct {
	awake    bool
	now      time.Time
	other    bool          // the reader types a media type that has no name here
	settling page.Settling // what was changed
	trouble  string
	names    map[string][]string // of objects, by collection
	may      may
	filling  schema.Kind // the kind whose schema was requested
	pasted   string      // what the page says about the pasted text
	found    []request.Found
	history  []draft.Draft
	same     string      // which form of the same request is shown
	asking   bool        // the page asks whether to write
	sent     draft.Draft // the request that the response is to
	call     call.Call
	answer   answer
	stream   *stream
}

// Awake implements page.Page.
func (m Model) Awake(now time.Time) (page.Page, []page.Cmd) {
	m.live = &live{awake: true, now: now}
	m.live.other = m.Draft.Accept != "" && !draft.Named(draft.Accepts, m.Draft.Accept)
	commands := m.mayI()
	return m, append(commands, m.name()...)
}

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Typed:
		return m.typed(msg)
	case page.Acted:
		return m.handleAction(msg.Action)
	case page.Tick:
		return m.ticked(msg.Now)
	case page.Response:
		return m.fetched(msg)
	case page.Kept:
		return m.kept(msg.Values), nil
	case page.Addressed:
		return m.addressed(msg)
	case page.Opened, page.Arrived, page.Ended:
		return m.handleMessage(msg)
	}
	return m, nil
}

// typed takes in what was typed into a field.
func (m Model) typed(msg page.Typed) (page.Page, []page.Cmd) {
	before := m.Draft
	if name, is := strings.CutPrefix(msg.Field, draft.QueryParameter); is {
		m.Draft = m.Draft.Set(name, strings.TrimSpace(msg.Text))
		return m.changed(nil)
	}
	switch msg.Field {
	case fieldMethod:
		m.Draft.Method = msg.Text
		m.Draft = m.Draft.Retyped(before.Method)
	case fieldTarget:
		if looksPasted(msg.Text) {
			return m.paste(msg.Text)
		}
		m.Draft.Target = strings.TrimSpace(msg.Text)
	case fieldAccept:
		if m.live.other = msg.Text == draft.Other; !m.live.other {
			m.Draft.Accept = draft.MediaOf(draft.Accepts, msg.Text)
		}
	case fieldOther:
		m.Draft.Accept = strings.TrimSpace(msg.Text)
	case fieldType:
		m.Draft.ContentType = draft.MediaOf(draft.Contents, msg.Text)
	case fieldBody:
		m.Draft.Body = msg.Text
	case fieldPaste:
		return m.paste(msg.Text)
	default:
		return m, nil
	}
	return m.changed(nil)
}

// changed notes a change of the draft. The page acts on it when the reader stops typing; see ticked.
func (m Model) changed(commands []page.Cmd) (page.Page, []page.Cmd) {
	m.live.settling.Begin()
	m.live.asking, m.live.trouble = false, ""
	return m, append(commands, m.name()...)
}

// ticked acts on a change when the reader has stopped typing: it requests an access review, and updates the page's address.
func (m Model) ticked(now time.Time) (page.Page, []page.Cmd) {
	m.live.now = now
	if !m.live.settling.Rested() {
		return m, nil
	}
	return m.settled()
}

func (m Model) settled() (Model, []page.Cmd) {
	m.live.settling.End()
	commands := m.mayI()
	return m, append(commands, page.Remember{Address: m.link(m.Draft), Replace: true})
}

// looksPasted tells whether the text in the path field is a command, an address or a log that a request can be read from.
func looksPasted(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "curl ") || strings.HasPrefix(text, "kubectl ") || strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://") ||
		strings.Contains(text, "round_trippers.go:")
}

// paste reads requests from a text.
func (m Model) paste(text string) (page.Page, []page.Cmd) {
	m.live.found, m.live.pasted = nil, ""
	if strings.TrimSpace(text) == "" {
		return m, nil
	}
	found, err := request.Parse(text)
	switch {
	case err != nil:
		m.live.pasted = err.Error()
		return m, nil
	case len(found) == 1:
		return m.loadFoundRequest(found[0])
	}
	m.live.found, m.live.pasted = found, fmt.Sprintf("This text has %s. Choose one.", words.Count(int64(len(found)), "request", "requests"))
	return m, nil
}

// loadFoundRequest loads a request that was found in a text.
func (m Model) loadFoundRequest(f request.Found) (page.Page, []page.Cmd) {
	m.live.found, m.live.pasted = nil, strings.Join(append([]string{fmt.Sprintf("Read: %s %s.", f.Request.Method, f.Request.Target())}, f.Left...), " ")
	next, commands := m.load(draft.Of(f.Request))
	return next, append(commands, page.Announce{Words: m.live.pasted})
}

// load replaces the draft.
func (m Model) load(d draft.Draft) (page.Page, []page.Cmd) {
	m.Draft = d
	m.live.other = d.Accept != "" && !draft.Named(draft.Accepts, d.Accept)
	m.live.asking, m.live.trouble = false, ""
	var commands []page.Cmd
	if d.HasBody() {
		commands = append(commands, page.Edit{Field: fieldBody, Text: d.Body})
	}
	m, more := m.settled()
	commands = append(append(commands, more...), m.name()...)
	return m, commands
}

// addressed loads the draft of another address of this page. If the address is that of the submitted form, it sends the current draft instead.
func (m Model) addressed(msg page.Addressed) (page.Page, []page.Cmd) {
	if msg.Query.Get(querySend) == "" {
		return m.load(draft.Parse(msg.Query))
	}
	next, commands := m.settled()
	last, more := next.sendOrConfirm()
	return last, append(commands, more...)
}

func (m Model) handleAction(action string) (page.Page, []page.Cmd) {
	what, rest, _ := strings.Cut(action, " ")
	n, _ := strconv.Atoi(rest)
	switch what {
	case doSend:
		return m.sendOrConfirm()
	case doConfirm:
		return m.sendNow()
	case doDry:
		m.Draft = m.Draft.Set("dryRun", "All")
		next, commands := m.settled()
		last, more := next.sendNow()
		return last, append(commands, more...)
	case doLeave:
		m.live.asking = false
		return m, []page.Cmd{page.Focus{ID: "send"}}
	case doCancel:
		return m, []page.Cmd{m.live.call.Cancel()}
	case doFill:
		if all := m.templates(); n >= 0 && n < len(all) {
			return m.fill(all[n])
		}
	case doFound:
		if n >= 0 && n < len(m.live.found) {
			return m.loadFoundRequest(m.live.found[n])
		}
	case doSame:
		m.live.same = rest
	case doForget:
		m.live.history = nil
		return m, []page.Cmd{m.keep()}
	case doDrop:
		if n >= 0 && n < len(m.Draft.Header) {
			m.Draft.Header = append(m.Draft.Header[:n:n], m.Draft.Header[n+1:]...)
		}
	default:
		return m.looked(what, rest, n), nil
	}
	return m, nil
}

// sendOrConfirm sends the request, or asks first whether to write.
func (m Model) sendOrConfirm() (page.Page, []page.Cmd) {
	if m.mayNot() != "" {
		return m, []page.Cmd{page.Announce{Words: m.mayNot()}}
	}
	if m.Draft.Stores() && !m.Practice {
		m.live.asking = true
		return m, []page.Cmd{page.Focus{ID: "confirm"}}
	}
	return m.sendNow()
}

// mostKept is how much of a response the page keeps, in bytes.
const mostKept = 1 << 20

func (m Model) sendNow() (page.Page, []page.Cmd) {
	if m.mayNot() != "" {
		return m, nil
	}
	r := m.Draft.Request()
	m.live.asking, m.live.sent, m.live.trouble = false, m.Draft, ""
	m.live.answer, m.live.stream = answer{lines: mostLines}, nil
	x := call.Call{ID: "console", Cluster: m.Shell.Cluster.Slug, Method: r.Method, Path: r.Target(), Body: r.Body, Keep: mostKept}
	x.Header = append(x.Header, r.Header...)
	if m.Draft.Streams() {
		m.live.stream, x.Keep = &stream{log: strings.HasSuffix(r.Path, "/log")}, 0
		x.Coding = "identity" // API servers compress streams that begin with the state, and hold events back in that
	}
	x, begin := x.Begin()
	m.live.call = x
	m, kept := m.addToHistory()
	return m, []page.Cmd{begin, kept}
}

func (m Model) fetched(f page.Response) (page.Page, []page.Cmd) {
	what, _, _ := strings.Cut(f.ID, " ")
	switch what {
	case askMay, askRules:
		return m.heardMay(f), nil
	case askNames:
		return m.storeNames(f), nil
	case askSchema:
		return m.fromSchema(f)
	case askLive:
		return m.fromLive(f)
	}
	return m, nil
}

// pathTrouble says why the path can't be read; empty: it can.
func (m Model) pathTrouble() string {
	if _, err := apipath.Parse(m.Draft.Request().Path); err != nil {
		return err.Error()
	}
	return ""
}
