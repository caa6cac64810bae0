package lesson

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
	"github.com/fieldmark/fieldmark/web/lab/wirelog"
	"github.com/fieldmark/fieldmark/web/learn/lesson/anatomy"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// kubectl is what the page knows of steps that are tried with kubectl. It finds their requests in the record of the session, in
// which programs' requests are, too.
type kubectl struct {
	mode   map[int]bool // steps that are tried so
	follow uint32       // id of the subscription; 0: nothing is followed
	slug   string       // of the cluster that is followed
	before uint64       // the newest request that was there at first; what is not newer is none of the step's
	known  bool
	taken  map[uint64]bool // requests of which the answer was asked for
	open   block           // the block of the stream that goes on
	stream uint64          // its request; 0: there is none
	stale  bool            // it has said something new
}

// following is where the ids of its subscriptions begin.
const following = 1

// withKubectl tells whether a step is tried with kubectl.
func (m Model) withKubectl(step int) bool { return m.live != nil && m.live.kubectl.mode[step] }

// switched changes how the step in sight is tried.
func (m Model) switched() []page.Cmd {
	l := m.live
	if l.at < 0 || l.at >= m.end() {
		return nil
	}
	l.kubectl.mode[l.at] = !l.kubectl.mode[l.at]
	return m.listen()
}

// awaited is the request of the step in sight that kubectl is to make; false: none is.
func (m Model) awaited() (block, bool) {
	l := m.live
	if l.at < 0 || l.at >= m.end() || !m.withKubectl(l.at) || l.phase == reading && !m.Shell.In() {
		return block{}, false
	}
	at := block{l.at, m.reach(l.at)}
	if l.phase == reading {
		at.n = slices.IndexFunc(m.Lesson.Steps[l.at].Blocks, func(b lesson.Block) bool { return b.Request != nil })
	}
	return at, m.block(at).Request != nil && m.mayNot(at) == ""
}

// listen follows the record of the cluster that the next request goes to, while a step is tried with kubectl.
func (m Model) listen() []page.Cmd {
	k := &m.live.kubectl
	wanted := ""
	if m.withKubectl(m.live.at) && m.Shell.In() {
		wanted = m.Shell.Cluster.Slug
		if at, ok := m.awaited(); ok {
			wanted = m.slugFor(*m.block(at).Request)
		}
	}
	if wanted == k.slug {
		return nil
	}
	var cmds []page.Cmd
	if k.slug != "" {
		cmds = append(cmds, page.Unsubscribe{ID: k.follow})
	}
	k.slug, k.known, k.stream = wanted, false, 0
	if wanted != "" {
		k.follow = max(following, k.follow+1)
		cmds = append(cmds, page.Subscribe{ID: k.follow, Cluster: wanted, As: wire.Requests})
	}
	return cmds
}

// recorded looks in the record for the answer that the step waits for.
func (m Model) recorded(msg wire.Message) []page.Cmd {
	k := &m.live.kubectl
	if msg.Type != wire.Recorded || msg.ID != k.follow || k.slug == "" {
		return nil
	}
	if !k.known {
		k.known = true
		for _, line := range msg.Lines {
			k.before = max(k.before, line.ID)
		}
		return nil
	}
	for _, line := range msg.Lines {
		if line.ID == k.stream {
			k.stale = true
		}
		at, waits := m.awaited()
		if waits && line.ID > k.before && !k.taken[line.ID] && m.answers(line, at) {
			if k.taken == nil {
				k.taken = map[uint64]bool{}
			}
			k.taken[line.ID] = true
			return []page.Cmd{m.ask(line.ID, at)}
		}
	}
	return nil
}

// answers tells whether a recorded request is the one that a block has, with parameters of its own at most.
func (m Model) answers(line record.Line, at block) bool {
	want, err := m.block(at).Request.Expanded(m.live.vars)
	return err == nil && line.Origin == record.Client && line.Status != 0 && (line.Done || want.Watch) && want.IsMadeBy(line.Method, line.Path, line.Query)
}

const askEntry = "entry/"

// ask asks for all that is kept of a recorded request.
func (m Model) ask(id uint64, at block) page.Cmd {
	address := web.WithQuery(web.Tool(m.live.kubectl.slug, web.Requests), url.Values{web.EntryField: {strconv.FormatUint(id, 10)}})
	return page.Ask{ID: askEntry + at.String(), Address: address, Accept: wirelog.MediaType}
}

// look asks once more for a stream that kubectl reads, when it has brought something new.
func (m Model) look() []page.Cmd {
	k := &m.live.kubectl
	if k.stream == 0 || !k.stale {
		return nil
	}
	k.stale = false
	return []page.Cmd{m.ask(k.stream, k.open)}
}

// fetched takes in what is kept of a recorded request.
func (m Model) fetched(f page.Response) []page.Cmd {
	text, mine := strings.CutPrefix(f.ID, askEntry)
	at, ok := parseBlock(text)
	var e record.Entry
	if !mine || !ok || f.Status != status.CodeOK || json.Unmarshal(f.Body, &e) != nil || m.block(at).Request == nil {
		return nil
	}
	if strings.HasPrefix(e.Request.Get("User-Agent"), "Mozilla/") {
		return nil // a page's own, such as this one's
	}
	return append(m.take(at, e), m.proceed()...)
}

// take makes the answer that kubectl got the answer of the step. What the record has no more than the beginning of is asked for once
// more, where that only reads.
func (m Model) take(at block, e record.Entry) []page.Cmd {
	l, r := m.live, *m.block(at).Request
	filled, err := r.Expanded(l.vars)
	if err != nil {
		return nil
	}
	a := &sent.Request{Call: recordedCall(e, m.call("lesson/"+at.String(), filled)), Watch: r.Watch, By: byKubectl, Lines: sent.LinesAtOnce}
	first := !l.sent[at].Known()
	if first {
		m.undo(at)
	}
	if (e.Answer.Cut || e.Answer.Withheld != "") && r.Reads() && !r.Watch {
		x, call := m.call("lesson/"+at.String(), filled).Begin()
		l.sent[at] = &sent.Request{Call: x, Lines: sent.LinesAtOnce, Note: "The record has not all of kubectl’s answer, so the page has asked for the same."}
		return []page.Cmd{call}
	}
	if e.Answer.Cut || e.Answer.Redacted || e.Answer.Withheld != "" {
		a.Note = "The record has not all of this answer, so a check may miss something in it."
	}
	l.sent[at] = a
	if r.Watch {
		l.kubectl.open, l.kubectl.stream = at, e.ID
	}
	if !first {
		return nil
	}
	return []page.Cmd{page.Announce{Words: "kubectl’s answer came. " + a.Call.Outcome()}, m.keep()}
}

// recordedCall is a recorded request with its answer.
func recordedCall(e record.Entry, x call.Call) call.Call {
	x.Method, x.Path, x.Entry = e.Method, e.Target(), strconv.FormatUint(e.ID, 10)
	x.Header, x.Body = nil, e.Request.Body
	for _, f := range e.Request.Header {
		if request.Carried(f.Name) {
			x.Header = append(x.Header, request.Header{Name: f.Name, Value: f.Value})
		}
	}
	for _, f := range e.Answer.Header {
		x.Answer = append(x.Answer, request.Header{Name: strings.ToLower(f.Name), Value: f.Value})
	}
	x.State, x.Status, x.Kept, x.Wire = call.Answering, e.Status, e.Answer.Body, e.Answer.Bytes
	x.Took = e.Lasted(e.Began())
	if e.Done {
		x.State = call.Whole
	}
	x.Bytes, _ = e.Decoded()
	return x
}

// commands are those for the request of a block, and what has to be said of them.
func (m Model) commands(r lesson.Request) (text, note string) {
	return anatomy.Filled(r, m.vars()).Commands(m.Viewer)
}
