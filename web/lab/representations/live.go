package representations

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// How much of a response is kept, in bytes.
const (
	keptText   = 256 << 10
	keptBinary = 1 << 20
	keptTried  = 64 << 10
	// For a Secret in a binary format: enough for the envelope, and for the tag of CBOR. The content of the envelope is dropped at once.
	keptEnvelope = 32
	keptTag      = 3
	// keptNothing is the least that can be kept.
	keptNothing = 1
)

// live is the state that only the browser has. All copies of a Model share it, and only the newest copy counts.
type live struct {
	now    time.Time
	lanes  []*lane
	queue  []job
	all    int // jobs since the queue was empty the last time
	seq    int
	doing  *job
	open   call.Call // the current request
	tried  []attempt // Accept lists, the newest first
	sent   *call.Call
	typed  string     // the Accept list as it is typed
	pasted string     // bytes as they are typed
	wrong  string     // why these can't be read; empty: they can
	broken *inspector // bytes that the reader made; nil: none
	piece  int        // the selected stop
	from   int        // the first byte in the hex view
}

// lane is one format of the response.
type lane struct {
	form   media.Form
	plain  sample
	gzip   sample
	inside *inside // the decoded response; nil: not decoded yet
}

// sample has the responses to the same request, sent as often as the reader wants.
type sample struct {
	last  call.Call
	times []time.Duration
}

// median is the median of the times.
func (s sample) median() time.Duration {
	sorted := slices.Sorted(slices.Values(s.times))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}

// what tells jobs apart.
type what int

const (
	compare what = iota
	try
	send
)

// job is a request in the queue. Jobs run one after the other, so that none slows down another.
type job struct {
	what what
	lane int
	gzip bool
	x    call.Call
}

// attempt is an Accept list that was tried out.
type attempt struct {
	list string
	x    call.Call
	said media.Said
}

// mostTried bounds the attempts that are kept.
const mostTried = 8

func (l *live) resetLanes(m Model) {
	l.lanes = nil
	for _, f := range m.forms() {
		l.lanes = append(l.lanes, &lane{form: f})
	}
	l.typed = m.Accept
	if l.typed == "" {
		l.typed = media.TypeProtobuf
	}
	l.piece, l.from = noStop, 0
}

// queueAllFormats puts requests for all formats into the queue, uncompressed and compressed, so many times.
func (l *live) queueAllFormats(m Model, times int) {
	for range times {
		for i, lane := range l.lanes {
			x := m.request(lane.form.ID, lane.form.Accept)
			x.Coding, x.Keep = "identity", m.keep(lane.form.ID)
			l.put(job{what: compare, lane: i, x: x})
			x.Coding, x.Keep = "gzip", keptNothing
			l.put(job{what: compare, lane: i, gzip: true, x: x})
		}
	}
}

// keep is how much of a response is kept, in bytes.
func (m Model) keep(id media.ID) int64 {
	switch {
	case m.secret() && id == media.Protobuf:
		return keptEnvelope
	case m.secret() && id == media.CBOR:
		return keptTag
	case m.secret() && id == media.YAML:
		return keptNothing
	case id == media.Protobuf || id == media.CBOR:
		return keptBinary
	}
	return keptText
}

func (m Model) request(id media.ID, accept string) call.Call {
	return call.Call{Cluster: m.Shell.Cluster.Slug, Method: "GET", Path: m.target(id), Header: []request.Header{{Name: "Accept", Value: accept}}}
}

// tryOut puts a request with an Accept list at the front of the queue. It keeps no bodies of Secrets, because the server chooses the format.
func (l *live) tryOut(m Model, list string) {
	x := m.request(media.JSON, list)
	x.Coding, x.Keep = "identity", keptTried
	if m.secret() {
		x.Keep = keptNothing
	}
	l.typed = list
	l.put(job{what: try, x: x})
	last := len(l.queue) - 1
	l.queue = append([]job{l.queue[last]}, l.queue[:last]...)
}

func (l *live) put(j job) {
	l.queue = append(l.queue, j)
	l.all++
}

// sendNextRequest sends the next request, unless one is on its way.
func (l *live) sendNextRequest() []page.Cmd {
	if l.doing != nil || len(l.queue) == 0 {
		return nil
	}
	j := l.queue[0]
	l.queue = l.queue[1:]
	l.seq++
	j.x.ID = "representation-" + strconv.Itoa(l.seq)
	l.doing = &j
	var cmd page.Cmd
	l.open, cmd = j.x.Begin()
	return []page.Cmd{cmd}
}

// handleMessage takes a part of the current response in.
func (l *live) handleMessage(m Model, msg page.Msg) []page.Cmd {
	x, mine := l.open.Hear(msg)
	if l.doing == nil || !mine {
		return nil
	}
	l.open = x
	if !x.Done() {
		return nil
	}
	j := *l.doing
	l.doing = nil
	l.recordResponse(m, j, x)
	commands := l.sendNextRequest()
	if l.doing == nil {
		l.all = 0
		commands = append(commands, page.Announce{Words: "All responses have arrived."})
	}
	return commands
}

func (l *live) recordResponse(m Model, j job, x call.Call) {
	switch j.what {
	case try:
		a := attempt{list: request.Field(x.Header, "Accept"), x: x, said: media.Read(x.MediaType(), x.Kept)}
		a.x.Kept = nil
		l.tried = append([]attempt{a}, l.tried...)
		l.tried = l.tried[:min(len(l.tried), mostTried)]
	case send:
		l.sent = &x
	case compare:
		lane := l.lanes[j.lane]
		s := &lane.plain
		if j.gzip {
			s = &lane.gzip
		} else {
			lane.inside = nil
		}
		s.last = x
		if x.State == call.Whole {
			s.times = append(s.times, x.Took)
		}
		if m.secret() && lane.form.ID == media.Protobuf {
			s.last.Kept = withoutMessage(x.Kept)
		}
	}
}

// withoutMessage is an envelope without its content.
func withoutMessage(kept []byte) []byte {
	e, err := media.ParseEnvelope(kept, false)
	if err != nil || e.Raw.To == 0 {
		return kept[:min(len(kept), len(media.Magic))]
	}
	return kept[:e.Raw.From:e.Raw.From]
}

// stop cancels the current request, and empties the queue.
func (l *live) stop() []page.Cmd {
	l.queue, l.all = nil, 0
	if l.doing == nil {
		return nil
	}
	return []page.Cmd{l.open.Cancel()}
}

// lane is the lane of a format.
func (m Model) lane() *lane {
	if m.live == nil {
		return nil
	}
	for _, l := range m.live.lanes {
		if l.form.ID == m.form().ID {
			return l
		}
	}
	return nil
}

func (m Model) liveness() components.Liveness {
	l := m.live
	if l == nil || l.doing == nil {
		return components.Liveness{}
	}
	done := l.all - len(l.queue) - 1
	return components.Liveness{Tone: components.Busy, Words: fmt.Sprintf("waiting for responses, %d of %d", done, l.all), Done: int64(done), All: int64(l.all)}
}

// creation is the path that creates an object of the path's type as a dry run.
func (m Model) creation() string {
	collection := apipath.CollectionOf(m.Path)
	if m.Type.Namespaced && collection.Namespace == "" {
		collection.Namespace = "default"
	}
	return collection.String() + "?dryRun=All"
}

// sendable tells whether the page can send Protobuf bytes to the path. The type must have Protobuf, because API servers break the connection if they
// get Protobuf for a custom resource.
func (m Model) sendable() bool {
	l := m.lane()
	return m.Path.IsResource() && m.Type.Can("create") && l != nil && l.form.ID == media.Protobuf && l.plain.last.OK() && l.plain.last.MediaType() == media.TypeProtobuf
}

// queueCreation puts a request with the bytes into the queue.
func (l *live) queueCreation(m Model, content []byte) {
	l.sent = nil
	l.put(job{what: send, x: call.Call{
		Cluster: m.Shell.Cluster.Slug, Method: "POST", Path: m.creation(), Body: content, Keep: keptTried,
		Header: []request.Header{{Name: "Content-Type", Value: media.TypeProtobuf}, {Name: "Accept", Value: media.TypeJSON}},
	}})
}

// whole tells whether a response is kept completely.
func (m Model) whole(x call.Call) bool {
	return x.State == call.Whole && int64(len(x.Kept)) == x.Bytes
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }
