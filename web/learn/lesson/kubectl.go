package lesson

import (
	"encoding/json"
	"maps"
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
	"github.com/fieldmark/fieldmark/web/lab/requests"
	"github.com/fieldmark/fieldmark/web/learn/lesson/anatomy"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// kubectl is the state of steps that the learner does with kubectl. The page finds their requests in the wire log, which also has the requests
// of programs:
//
//	wire log ──▶ recorded: lines since the step is in sight ──▶ seek: a line that matches a request of the step
//	                                                              ├──▶ ask, fetched ──▶ take: the response of that request
//	                                                              └──▶ none: the newest line that could be meant ──▶ near
//	wire logs of other contexts ──▶ a line that would match ──▶ near: another context
type kubectl struct {
	mode   map[int]bool           // the steps that are done with kubectl
	follow uint32                 // id of the subscription to the wire log; 0: none yet
	slug   string                 // of the cluster whose wire log is followed; empty: none
	before uint64                 // requests up to this number don't count for the step in sight
	known  bool                   // the first lines have arrived, so before is right
	lines  map[uint64]record.Line // requests of programs after before
	taken  map[uint64]bool        // requests whose entries were requested
	asked  uint64                 // the matching request whose entry is on its way; 0: none
	near   nearly                 // the newest request that could be meant, but differs
	others []otherLog             // the wire logs of other contexts. Their subscriptions are the numbers after follow
	open   block                  // the block of a stream that is still open
	stream uint64                 // the stream's request; 0: there is none
	stale  bool                   // the stream has new events
}

// otherLog is the wire log of a context that the step doesn't need: the other user's, or that of another cluster.
type otherLog struct {
	slug   string
	newest uint64 // the newest request; 0: the log is unknown
}

// following is the first id of the subscriptions.
const following = 1

// mostElsewhere bounds the other contexts whose wire logs are followed.
const mostElsewhere = 8

// withKubectl tells whether the learner does a step with kubectl.
func (m Model) withKubectl(step int) bool { return m.live != nil && m.live.kubectl.mode[step] }

// switched changes between the page and kubectl for the step in sight.
func (m Model) switched() []page.Cmd {
	l := m.live
	if l.at < 0 || l.at >= m.endPlace() {
		return nil
	}
	l.kubectl.mode[l.at] = !l.kubectl.mode[l.at]
	return m.listen()
}

// awaited are the requests of the step in sight that kubectl can make now: those without a good response, up to the next one, and of the same user as
// that one.
func (m Model) awaited() []block {
	l := m.live
	if l.at < 0 || l.at >= m.endPlace() || !m.withKubectl(l.at) || l.phase == reading && !m.Shell.In() {
		return nil
	}
	last := m.reach(l.at)
	var all []block
	for n, b := range m.Lesson.Steps[l.at].Blocks {
		at := block{l.at, n}
		if b.Request != nil && n <= last && m.mayNot(at) == "" && !m.good(at) {
			all = append(all, at)
		}
		if l.phase == reading && len(all) > 0 {
			break
		}
	}
	if len(all) == 0 {
		return nil
	}
	as := m.block(all[len(all)-1]).Request.As
	return slices.DeleteFunc(all, func(at block) bool { return m.block(at).Request.As != as })
}

// listen follows the wire log of the cluster that the next request goes to, as long as the step is done with kubectl.
func (m Model) listen() []page.Cmd {
	k := &m.live.kubectl
	wanted := ""
	if m.withKubectl(m.live.at) && m.Shell.In() {
		wanted = m.Shell.Cluster.Slug
		if all := m.awaited(); len(all) > 0 {
			wanted = m.slugFor(*m.block(all[len(all)-1]).Request)
		} else if k.slug != "" && k.slug == m.Viewer {
			wanted = k.slug // its stream may still be open
		}
	}
	if wanted == k.slug {
		return nil
	}
	var cmds []page.Cmd
	if k.slug != "" {
		for n := range 1 + len(k.others) {
			cmds = append(cmds, page.Unsubscribe{ID: k.follow + uint32(n)})
		}
	}
	k.follow += uint32(1 + len(k.others))
	k.slug, k.known, k.stream, k.others = wanted, false, 0, m.otherLogs(wanted)
	k.begins()
	k.before = 0
	if wanted != "" {
		cmds = append(cmds, page.Subscribe{ID: k.follow, Cluster: wanted, As: wire.Requests})
		for n, o := range k.others {
			cmds = append(cmds, page.Subscribe{ID: k.follow + 1 + uint32(n), Cluster: o.slug, As: wire.Requests})
		}
	}
	return cmds
}

// recorded takes new lines of the wire log in.
func (m Model) recorded(msg wire.Message) []page.Cmd {
	k := &m.live.kubectl
	switch {
	case msg.Type != wire.Recorded || k.slug == "":
		return nil
	case msg.ID > k.follow && msg.ID <= k.follow+uint32(len(k.others)):
		m.recordedElsewhere(&k.others[msg.ID-k.follow-1], msg.Lines)
		return nil
	case msg.ID != k.follow:
		return nil
	}
	for _, line := range msg.Lines {
		if line.ID == k.stream {
			k.stale = true
		}
		switch {
		case !k.known:
			k.before = max(k.before, line.ID)
		case line.ID > k.before && line.Passed():
			k.lines[line.ID] = line
		}
	}
	k.known = true
	for len(k.lines) > mostLines {
		delete(k.lines, slices.Min(slices.Collect(maps.Keys(k.lines))))
	}
	return m.seek()
}

// otherLogs lists the contexts besides the one that the step needs, the other user of the same cluster first.
func (m Model) otherLogs(wanted string) []otherLog {
	var all []otherLog
	add := func(slug string) {
		if slug != "" && slug != wanted && wanted != "" && len(all) < mostElsewhere && !slices.Contains(all, otherLog{slug: slug}) {
			all = append(all, otherLog{slug: slug})
		}
	}
	add(m.Viewer)
	add(m.Shell.Cluster.Slug)
	for _, c := range m.Shell.Clusters {
		add(c.Slug)
	}
	return all
}

// recordedElsewhere takes new lines of another context's wire log in. The first ones are from before.
func (m Model) recordedElsewhere(o *otherLog, lines []record.Line) {
	known := o.newest != 0
	for _, line := range lines {
		if known && line.ID > o.newest && line.Passed() && line.Status != 0 {
			m.otherContext(o.slug, line)
		}
	}
	for _, line := range lines {
		if line.Status != 0 || !known {
			o.newest = max(o.newest, line.ID)
		}
	}
	o.newest = max(o.newest, 1)
}

// mostLines bounds the lines of the wire log that are kept.
const mostLines = 500

// seek requests the entry of the next line that matches a request of the step. A newer line replaces an older one whose checks failed, so
// the right command after a wrong one counts. If no line matches, seek requests the newest one that nearly does.
func (m Model) seek() []page.Cmd {
	k := &m.live.kubectl
	waits := m.awaited()
	if len(waits) == 0 || k.asked != 0 {
		return nil
	}
	var near uint64
	var nearAt block
	for _, id := range slices.Sorted(maps.Keys(k.lines)) {
		line := k.lines[id]
		if k.taken[id] || line.Status == 0 {
			continue
		}
		for _, at := range waits {
			switch all, same := m.differences(line, at); {
			case same && len(all) == 0:
				k.taken[id], k.asked = true, id
				return []page.Cmd{m.requestEntry(id, at)}
			case (same || line.Done && m.akin(line, at)) && id > k.near.id:
				near, nearAt = id, at
			}
		}
	}
	if near == 0 {
		return nil
	}
	k.taken[near] = true
	return []page.Cmd{m.requestEntry(near, nearAt)}
}

// differences are the parameters in which a line of the wire log differs from the request of a block; false: the line is another request.
func (m Model) differences(line record.Line, at block) ([]lesson.Difference, bool) {
	want, err := m.block(at).Request.Expanded(m.live.vars)
	if err != nil || !line.Done && !want.Watch {
		return nil, false
	}
	return want.Differences(line.Method, line.Path, line.Query)
}

// begins ignores all requests until now, because another step is in sight.
func (k *kubectl) begins() {
	for id := range k.lines {
		k.before = max(k.before, id)
	}
	k.lines, k.taken, k.near, k.asked = map[uint64]record.Line{}, map[uint64]bool{}, nearly{}, 0
}

const askEntry = "entry/"

// requestEntry requests the entry of a recorded request: its headers and bodies.
func (m Model) requestEntry(id uint64, at block) page.Cmd {
	address := web.WithQuery(web.Tool(m.live.kubectl.slug, web.Requests), url.Values{web.EntryField: {strconv.FormatUint(id, 10)}})
	return page.Ask{ID: askEntry + at.String(), Address: address, Accept: requests.MediaType}
}

// refreshStreamEntry requests the entry of kubectl's stream again, if the stream has new events.
func (m Model) refreshStreamEntry() []page.Cmd {
	k := &m.live.kubectl
	if k.stream == 0 || !k.stale {
		return nil
	}
	k.stale = false
	return []page.Cmd{m.requestEntry(k.stream, k.open)}
}

// fetched takes the entry of a recorded request in.
func (m Model) fetched(f page.Response) []page.Cmd {
	text, mine := strings.CutPrefix(f.ID, askEntry)
	at, ok := parseBlock(text)
	if !mine || !ok || m.block(at).Request == nil {
		return nil
	}
	k := &m.live.kubectl
	var e record.Entry
	read := f.Status == status.CodeOK && json.Unmarshal(f.Body, &e) == nil
	if !read || e.ID == k.asked {
		k.asked = 0
	}
	if !read || byPage(e) {
		return m.seek()
	}
	if all := m.mistakes(e, at); len(all) > 0 {
		k.near = nearly{id: e.ID, at: at, words: all}
		return append(m.seek(), page.Announce{Words: nearWords})
	}
	k.near = nearly{id: max(k.near.id, e.ID)}
	cmds := append(m.adoptEntry(m.fitting(at, e), e), m.proceed()...)
	return append(cmds, m.seek()...)
}

// dryInBody is the difference between two deletes if only one of them is a dry run by the options in its body.
func (m Model) dryInBody(e record.Entry, at block) []lesson.Difference {
	want := m.block(at).Request
	if e.Method != request.Delete {
		return nil
	}
	var options struct {
		DryRun []string `json:"dryRun"`
	}
	_ = json.Unmarshal(e.Request.Body, &options) // a body that can't be read requests no dry run
	got, wanted := strings.Join(options.DryRun, ", "), strings.Contains(want.Body, "dryRun")
	switch {
	case got != "" && !wanted && !strings.Contains(want.Target, "dryRun"):
		return []lesson.Difference{{Name: "dryRun", Got: got}}
	case got == "" && wanted && !strings.Contains(e.Query, "dryRun"):
		return []lesson.Difference{{Name: "dryRun", Want: "All"}}
	}
	return nil
}

// fitting is the block that a response belongs to, if several blocks wait for the same request: the first one whose checks pass. If none
// passes, it is the last one, which is the next in the step.
func (m Model) fitting(at block, e record.Entry) block {
	a := &sent.Request{Call: recordedCall(e, call.Call{})}
	for _, b := range m.awaited() {
		if all, same := m.differences(e.Line, b); !same || len(all) > 0 {
			continue
		}
		at = b
		if !slices.ContainsFunc(m.checksOf(b, b.step), func(c block) bool { return !m.wouldHold(m.block(c).Check, a) }) {
			break
		}
	}
	return at
}

// adoptEntry puts the response to kubectl in its place in the step. If the wire log has only the beginning of it, and the request only reads, the
// page sends the same request itself.
func (m Model) adoptEntry(at block, e record.Entry) []page.Cmd {
	l, r := m.live, *m.block(at).Request
	filled, err := r.Expanded(l.vars)
	if err != nil {
		return nil
	}
	a := &sent.Request{Call: recordedCall(e, m.call("lesson/"+at.String(), filled)), Watch: r.Watch, By: byKubectl, Lines: sent.LinesAtOnce}
	was := l.sent[at]
	first := !was.Known() || was.Call.Entry != a.Call.Entry
	if first {
		m.undo(at)
		a.Order = m.nextOrder()
	} else {
		a.Order = was.Order
	}
	if (e.Answer.Cut || e.Answer.Withheld != "") && r.Reads() && !r.Watch {
		x, call := m.lasting(at, filled).Begin()
		l.sent[at] = &sent.Request{Call: x, Lines: sent.LinesAtOnce, Note: "The wire log has only a part of the response to kubectl, so the page sent the same request itself."}
		return []page.Cmd{call}
	}
	if e.Answer.Cut || e.Answer.Redacted || e.Answer.Withheld != "" {
		a.Note = "The wire log has only a part of this response, so its checks can fail."
	}
	l.sent[at] = a
	if r.Watch {
		l.kubectl.open, l.kubectl.stream = at, e.ID
	}
	if !first {
		return nil
	}
	return []page.Cmd{page.Announce{Words: "The response to kubectl has arrived. " + a.Call.Outcome()}, m.keep()}
}

// recordedCall is a recorded request with its response, as a call. x gives the rest.
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

// commands are the commands for a request, with a note on them.
func (m Model) commands(r lesson.Request) (text, note string) {
	return anatomy.Filled(r, m.vars()).Commands(m.Viewer)
}
