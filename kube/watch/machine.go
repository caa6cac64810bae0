// Package watch has the rules for following a collection without missing a change. First get the whole state, by a list or by a watch
// that begins with it. Then watch from its version. After a break, resume from the last version seen. If the server no longer keeps
// that version, start over.
//
//	          Synced             Broke              Waited
//	List ───────────────▶ Watch ───────▶ Wait ───────────────▶ Watch, from the last version seen
//	 ▲                      │                                  (or List, if the list broke off)
//	 └──────── 410 ─────────┘
//
// The Machine makes no requests. Its caller follows the collection: it does what the Machine says (Step), and reports the result.
//
// Versions are opaque. They are kept and sent again, but only compared for equality.
package watch

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Do is the next action of the follower.
type Do int

// The actions.
const (
	List   Do = iota // fetch the whole state, or continue after a break; then Synced, or Broke
	Watch            // follow the changes after Step.Version; Seen for each event, then Broke
	Wait             // wait for Step.Delay, then Waited
	Stop             // do nothing more: Step.Status says why
	Stream           // watch, beginning with the whole state; then Synced at the end of the state, and the stream is a Watch; or Broke, or Refused
)

// Gap is the reason why events may be missing.
type Gap string

// The gaps.
const (
	None      Gap = ""
	Expired   Gap = "expired"   // the API server no longer keeps the changes after the last version seen
	Slow      Gap = "slow"      // the follower was too slow for the events
	Restarted Gap = "restarted" // the followed type or object is no longer the same
	// Unanswered: the API server didn't answer the watch, so the state was listed again.
	Unanswered Gap = "unanswered"
)

// Step is an action, with its details.
type Step struct {
	Do Do
	// Gap is set for a List or a Stream that starts over, until Begun. All rows and events from before must be discarded.
	Gap Gap
	// Version is where a Watch resumes.
	Version string
	// Delay is how long to Wait.
	Delay time.Duration
	// Status says why to Wait or to Stop. Its code is 0 if the Wait only prevents requests in too quick succession.
	Status status.Status
}

// Break says how a list or a watch ended.
type Break struct {
	// Status is the reason. Code 0 is the normal end, which every watch has at some time. If there was no response, the code is
	// 500 or more, as from a gateway.
	Status status.Status
	// Lasted is how long the watch was open; 0 if it never was.
	Lasted time.Duration
	// Random spreads the waits; it is in [0, 1).
	Random float64
}

// Bounds of the waits.
const (
	MinDelay = 250 * time.Millisecond
	MaxDelay = 20 * time.Second
	// MaxRetryAfter is the longest wait that a server can request.
	MaxRetryAfter = 2 * time.Minute
	// brief: after two watches in a row that end normally within this time, the next one waits.
	brief = time.Second
	// healthy is how long a watch without events must last until earlier errors are forgotten.
	healthy = 10 * time.Second
)

// Machine has the rules for following one collection. Inputs that don't fit its state change nothing.
type Machine struct {
	backoff Backoff
	step    Step
	after   Step // the Step after a Wait

	streams bool   // get the whole state by Stream, until the server refuses one
	version string // last version seen
	some    bool   // the follower has rows that a new state would replace
	hasty   bool   // the last watch was brief
	expired bool   // the response to the last list or watch was 410
}

// New begins without a state, with a list.
func New() *Machine {
	return &Machine{backoff: Backoff{Min: MinDelay, Max: MaxDelay}}
}

// NewStreaming begins without a state. It first tries a watch that begins with the whole state.
func NewStreaming() *Machine {
	m := New()
	m.streams, m.step.Do = true, Stream
	return m
}

// Resume begins with a state of the given version. If it has to start over, it tries a Stream first.
func Resume(version string) *Machine {
	m := NewStreaming()
	m.Synced(version)
	return m
}

// Continue begins with a part of a list, and then fetches the rest. If it has to start over, it tries a Stream first.
func Continue() *Machine {
	m := New()
	m.Begun()
	m.streams = true
	return m
}

// Step is the next action. It stays the same until an input changes it.
func (m *Machine) Step() Step { return m.step }

// Begun says that the follower knows of the gap, or has received a part of the list. From now on, each result of this list belongs to the
// new state. Starting over would be a new gap.
func (m *Machine) Begun() {
	if m.fetching() {
		m.some, m.step.Gap = true, None
	}
}

// fetching tells whether the whole state is being fetched.
func (m *Machine) fetching() bool { return m.step.Do == List || m.step.Do == Stream }

// Synced says that the list is complete, and gives its version.
func (m *Machine) Synced(version string) {
	if !m.fetching() {
		return
	}
	m.some = true
	if version == "" {
		m.stop(unfollowable)
		return
	}
	m.version = version
	m.step = Step{Do: Watch, Version: version}
}

// unfollowable is a list without a version. A few aggregated API servers send such lists.
var unfollowable = status.Status{
	Code: status.CodeMethodNotAllowed, Reason: "MethodNotAllowed",
	Message: "the list has no resourceVersion, so it can't be watched from there on",
}

// Seen says that the watch received an event or a bookmark of this version.
func (m *Machine) Seen(version string) {
	if m.step.Do != Watch || version == "" {
		return
	}
	m.version = version
	m.step.Version = version
	m.expired = false
	m.backoff.Reset()
}

// Lose says that the follower has missed events, and why.
func (m *Machine) Lose(why Gap) {
	switch m.step.Do {
	case List, Stream, Watch:
		m.step = m.anew(why)
	case Wait:
		m.after = m.anew(why)
	case Stop:
	}
}

// Refused says that the server can't begin a watch with the whole state, or takes too long. From now on the Machine lists instead.
func (m *Machine) Refused() {
	if m.step.Do != Stream {
		return
	}
	m.streams = false
	m.step = m.again()
}

// again fetches the whole state from its beginning. The rows of a Stream that broke off can't be used.
func (m *Machine) again() Step {
	if m.some {
		return m.anew(Restarted)
	}
	return Step{Do: m.fetch(), Gap: m.step.Gap}
}

// Broke says that the list or the watch has ended.
func (m *Machine) Broke(b Break) {
	if !m.fetching() && m.step.Do != Watch {
		return
	}
	if m.step.Do == Watch && b.Lasted >= healthy {
		m.backoff.Reset()
		m.hasty, m.expired = false, false
	}
	switch {
	case b.Status.Code == 0:
		m.ended(b)
	case gone(b.Status):
		m.gone(b)
	case retried(b.Status.Code):
		m.wait(b)
	case m.step.Do == Stream && Refuses(b.Status.Code):
		m.Refused()
	default:
		m.stop(b.Status)
	}
}

// Waited says that the wait is over.
func (m *Machine) Waited() {
	if m.step.Do == Wait {
		m.step = m.after
	}
}

// ended reopens a watch that ended normally: at once, unless this watch and the one before were brief.
func (m *Machine) ended(b Break) {
	hasty := m.hasty
	m.hasty = b.Lasted < brief
	if m.fetching() || hasty && m.hasty {
		m.wait(b)
	}
}

// gone starts over: at once, unless the last response was 410, too.
func (m *Machine) gone(b Break) {
	again := m.expired
	m.expired = true
	m.step = m.anew(Expired)
	if again {
		m.wait(b)
	}
}

// anew is the next list. It is a gap only if the follower has rows.
func (m *Machine) anew(why Gap) Step {
	if !m.some {
		why = None
	}
	m.version, m.some = "", false
	return Step{Do: m.fetch(), Gap: why}
}

func (m *Machine) fetch() Do {
	if m.streams {
		return Stream
	}
	return List
}

func (m *Machine) wait(b Break) {
	m.after = m.step
	if m.step.Do == Stream {
		m.after = m.again()
	}
	asked := time.Duration(min(max(b.Status.RetryAfterSeconds, 0), int(MaxRetryAfter/time.Second))) * time.Second
	m.step = Step{Do: Wait, Delay: max(m.backoff.Next(b.Random), asked), Status: b.Status}
}

func (m *Machine) stop(why status.Status) { m.step = Step{Do: Stop, Status: why} }

// Refuses tells whether the server may still send a list after this response to a Stream: the server doesn't support such a Stream, or the
// user may list but not watch.
func Refuses(code int) bool {
	switch code {
	case status.CodeBadRequest, status.CodeForbidden, status.CodeMethodNotAllowed, status.CodeNotAcceptable,
		status.CodeUnsupportedMediaType, status.CodeUnprocessableEntity:
		return true
	}
	return false
}

// gone tells whether the server no longer keeps a version or a continue token.
func gone(s status.Status) bool {
	return s.Code == status.CodeGone || s.Is(status.Expired) || s.Is(status.Gone)
}

// retried tells whether the same request may succeed later. Any other refusal is final until somebody changes something, so the request
// isn't sent again.
func retried(code int) bool {
	return code >= status.CodeInternalError || code == status.CodeTooManyRequests
}
