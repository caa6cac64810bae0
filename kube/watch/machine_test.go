package watch

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
)

// input is one thing told to a machine.
type input func(*Machine)

func synced(v string) input { return func(m *Machine) { m.Synced(v) } }
func seen(v string) input   { return func(m *Machine) { m.Seen(v) } }
func lose(g Gap) input      { return func(m *Machine) { m.Lose(g) } }

func begun(m *Machine)   { m.Begun() }
func waited(m *Machine)  { m.Waited() }
func refused(m *Machine) { m.Refused() }

// code is a list or a watch that a status ended.
func code(code int) input {
	return func(m *Machine) { m.Broke(Break{Status: status.Status{Code: code}}) }
}

// after is code for a watch that was open for a while before.
func after(lasted time.Duration, code int) input {
	return func(m *Machine) { m.Broke(Break{Status: status.Status{Code: code}, Lasted: lasted}) }
}

func retryAfter(seconds int) input {
	return func(m *Machine) { m.Broke(Break{Status: status.Status{Code: 429, RetryAfterSeconds: seconds}}) }
}

func reason(reason string) input {
	return func(m *Machine) { m.Broke(Break{Status: status.Status{Code: 500, Reason: reason}}) }
}

// step words a step; what it is for stays out.
func (s Step) word() string {
	switch s.Do {
	case List:
		return "list" + gapped(s.Gap)
	case Stream:
		return "stream" + gapped(s.Gap)
	case Watch:
		return "watch " + s.Version
	case Wait:
		return "wait " + s.Delay.String()
	default:
		return fmt.Sprintf("stop %d", s.Status.Code)
	}
}

func gapped(g Gap) string {
	if g == None {
		return ""
	}
	return " after " + string(g)
}

const (
	first = "wait 125ms" // half of the first step, as random is 0
	long  = 10 * time.Minute
)

// rule says what a machine wants after some inputs.
type rule struct {
	name   string
	inputs []input
	want   string
}

var rules = []rule{
	{"begins with a list", nil, "list"},
	{"watches from the list's version", []input{synced("5")}, "watch 5"},
	{"resumes after the last event", []input{synced("5"), seen("7"), after(long, 0)}, "watch 7"},
	{"an event moves the version at once", []input{synced("5"), seen("7"), seen("6")}, "watch 6"},
	{"a version that is missing moves nothing", []input{synced("5"), seen("")}, "watch 5"},
	{"a clean end is no reason to wait", []input{synced("5"), after(long, 0)}, "watch 5"},
	{"one brief watch is no reason to wait", []input{synced("5"), code(0)}, "watch 5"},
	{"brief watches one after the other are", []input{synced("5"), code(0), code(0)}, first},
	{"and each waits longer", []input{synced("5"), code(0), code(0), waited, code(0)}, "wait 250ms"},
	{"unless something happens in them", []input{synced("5"), code(0), code(0), waited, seen("6"), code(0)}, first},
	{"a watch that lasts ends the haste", []input{synced("5"), code(0), after(long, 0), code(0)}, "watch 5"},
	{"no answer is waited for", []input{synced("5"), seen("6"), code(503)}, first},
	{"and then resumed", []input{synced("5"), seen("6"), code(503), waited}, "watch 6"},
	{"longer each time", []input{synced("5"), code(502), waited, code(502), waited, code(502)}, "wait 500ms"},
	{"up to a bound", []input{
		synced("5"), code(502), waited, code(502), waited, code(502), waited, code(502), waited, code(502),
		waited, code(502), waited, code(502), waited, code(502), waited, code(502),
	}, "wait 10s"},
	{"until something happens", []input{synced("5"), code(502), waited, code(502), waited, seen("6"), code(502)}, first},
	{"or nothing, for long", []input{synced("5"), code(502), waited, code(502), waited, after(long, 502)}, first},
	{"but not for a moment", []input{synced("5"), code(502), waited, code(502), waited, after(time.Second, 502)}, "wait 500ms"},
	{"429 waits", []input{code(429)}, first},
	{"500 waits", []input{code(500)}, first},
	{"504 waits", []input{synced("5"), code(504)}, first},
	{"Retry-After is honoured", []input{synced("5"), retryAfter(3)}, "wait 3s"},
	{"and bounded", []input{synced("5"), retryAfter(100_000)}, "wait 2m0s"},
	{"and no shorter than the back-off", []input{synced("5"), code(502), waited, code(502), waited, retryAfter(-5)}, "wait 500ms"},
	{"even if it is absurd", []input{synced("5"), retryAfter(math.MaxInt)}, "wait 2m0s"},
	{"a list that fails is tried again", []input{code(503), waited}, "list"},
	{"and goes on where it was", []input{begun, code(503), waited}, "list"},
	{"410 begins anew", []input{synced("5"), code(410)}, "list after expired"},
	{"410 within the watch does, too", []input{synced("5"), seen("8"), after(long, 410)}, "list after expired"},
	{"by its reason as well", []input{synced("5"), reason(status.Expired)}, "list after expired"},
	{"by either", []input{synced("5"), reason(status.Gone)}, "list after expired"},
	{"410 of a chunk begins anew", []input{begun, code(410)}, "list after expired"},
	{"410 of the first is no gap", []input{code(410)}, "list"},
	{"410 right after a fresh list waits", []input{synced("5"), code(410), begun, synced("9"), code(410)}, first},
	{"and then begins anew", []input{synced("5"), code(410), begun, synced("9"), code(410), waited}, "list after expired"},
	{"410 after something was seen doesn't", []input{synced("5"), code(410), synced("9"), seen("10"), code(410)}, "list after expired"},
	{"a gap stays until it was told", []input{synced("5"), code(410), code(503), waited}, "list after expired"},
	{"and no longer", []input{synced("5"), code(410), begun, code(503), waited}, "list"},
	{"a fresh list leads to its own version", []input{synced("5"), code(410), begun, synced("9")}, "watch 9"},
	{"400 stops", []input{synced("5"), code(400)}, "stop 400"},
	{"401 stops", []input{synced("5"), code(401)}, "stop 401"},
	{"403 stops", []input{synced("5"), seen("6"), after(long, 403)}, "stop 403"},
	{"404 stops", []input{code(404)}, "stop 404"},
	{"405 stops", []input{synced("5"), code(405)}, "stop 405"},
	{"a redirect stops", []input{code(302)}, "stop 302"},
	{"nothing moves what has stopped", []input{code(403), waited, synced("5"), seen("6"), lose(Slow), begun, code(0)}, "stop 403"},
	{"a list without a version can't be followed", []input{synced("")}, "stop 405"},
	{"a slow follower begins anew", []input{synced("5"), seen("6"), lose(Slow)}, "list after slow"},
	{"also while it waits", []input{synced("5"), code(503), lose(Slow), waited}, "list after slow"},
	{"what is another thing now is begun anew", []input{synced("5"), lose(Restarted)}, "list after restarted"},
	{"what doesn't fit changes nothing", []input{seen("3"), waited, synced("5"), begun, waited, synced("6")}, "watch 5"},
}

func TestRules(t *testing.T) {
	for _, rule := range rules {
		rule.holds(t, New())
	}
}

func (r rule) holds(t *testing.T, m *Machine) {
	t.Helper()
	for _, in := range r.inputs {
		in(m)
	}
	if got := m.Step().word(); got != r.want {
		t.Errorf("%s: %s, want %s", r.name, got, r.want)
	}
}

// streaming are the rules where the server may give the whole state with the watch.
var streaming = []rule{
	{"begins with a stream", nil, "stream"},
	{"which becomes a watch", []input{begun, synced("5")}, "watch 5"},
	{"and is resumed like one", []input{begun, synced("5"), seen("7"), after(long, 0)}, "watch 7"},
	{"nothing is seen before its end", []input{begun, seen("3")}, "stream"},
	{"410 of the watch streams anew", []input{begun, synced("5"), code(410)}, "stream after expired"},
	{"one that breaks off is of no use", []input{begun, code(503), waited}, "stream after restarted"},
	{"unless nothing of it was told", []input{code(503), waited}, "stream"},
	{"a gap stays until it was told", []input{begun, synced("5"), code(410), code(503), waited}, "stream after expired"},
	{"one that ends in its middle does as well", []input{begun, code(0), waited}, "stream after restarted"},
	{"a server that doesn't know it is asked for a list", []input{code(422)}, "list"},
	{"by any of these", []input{code(400)}, "list"},
	{"also who may not watch", []input{code(403)}, "list"},
	{"who may not list either has to stop", []input{code(403), code(403)}, "stop 403"},
	{"who may list then learns about the watch", []input{code(403), begun, synced("5"), code(403)}, "stop 403"},
	{"a watch that is refused is no stream", []input{begun, synced("5"), code(422)}, "stop 422"},
	{"401 stops", []input{code(401)}, "stop 401"},
	{"404 stops", []input{code(404)}, "stop 404"},
	{"what was refused is not tried again", []input{code(422), begun, synced("5"), code(410)}, "list after expired"},
	{"a stream may take too long", []input{refused}, "list"},
	{"also in its middle", []input{begun, refused}, "list after restarted"},
	{"and keeps the gap it was for", []input{begun, synced("5"), code(410), refused}, "list after expired"},
	{"a list can't be refused so", []input{code(422), begun, refused}, "list"},
	{"a slow follower begins anew", []input{begun, lose(Slow)}, "stream after slow"},
	{"one without a version can't be followed", []input{synced("")}, "stop 405"},
}

func TestStreaming(t *testing.T) {
	for _, rule := range streaming {
		rule.holds(t, NewStreaming())
	}
}

func TestContinue(t *testing.T) {
	m := Continue()
	if got := m.Step().word(); got != "list" {
		t.Errorf("begins with %s", got)
	}
	code(410)(m)
	if got := m.Step().word(); got != "stream after expired" {
		t.Errorf("when the rest is gone: %s", got)
	}
}

func TestResume(t *testing.T) {
	m := Resume("5")
	if got := m.Step().word(); got != "watch 5" {
		t.Errorf("begins with %s", got)
	}
	code(410)(m)
	if got := m.Step().word(); got != "stream after expired" {
		t.Errorf("when that is gone: %s", got)
	}
}

func TestStepsSayWhy(t *testing.T) {
	for _, code := range []int{403, 503} {
		m := Resume("5")
		m.Broke(Break{Status: status.Status{Code: code, Message: "because"}})
		if s := m.Step().Status; s.Code != code || s.Message != "because" {
			t.Errorf("%d: %+v", code, s)
		}
	}
}

func TestBackoff(t *testing.T) {
	b := Backoff{Min: 250 * time.Millisecond, Max: 20 * time.Second}
	for step := b.Min; ; step = min(2*step, b.Max) {
		if got := b.Next(0.999); got < step*9/10 || got > step {
			t.Fatalf("%v where the step is %v", got, step)
		}
		if step == b.Max {
			break
		}
	}
	for _, random := range []float64{0, 0.5, 1, -1, 7, math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := b.Next(random); got < b.Max/2 || got > b.Max {
			t.Errorf("%v: %v", random, got)
		}
	}
	b.Reset()
	if got := b.Next(0); got != b.Min/2 {
		t.Errorf("after a success: %v", got)
	}
}

// FuzzMachine tells a machine things in any order, whether they make sense or not.
func FuzzMachine(f *testing.F) {
	f.Add([]byte("\x00\x01\x03\x02\x04"))
	f.Add([]byte("\x07\x03\x03\x03\x02"))
	codes := []int{0, 200, 302, 400, 401, 403, 404, 410, 429, 500, 503, 504, -1}
	f.Fuzz(func(t *testing.T, script []byte) {
		m, versions, owed := New(), map[string]bool{}, false
		if len(script)%2 == 1 {
			m = NewStreaming()
		}
		for i, b := range script {
			before := m.Step()
			v := fmt.Sprint(i % 7)
			switch b % 9 {
			case 0:
				m.Synced(v)
				versions[v] = versions[v] || before.Do == List || before.Do == Stream
			case 1:
				m.Seen(v)
				versions[v] = versions[v] || before.Do == Watch
			case 2:
				m.Waited()
			case 3, 4:
				s := status.Status{Code: codes[int(b/8)%len(codes)], RetryAfterSeconds: (int(b) - 100) << (b % 57)}
				m.Broke(Break{Status: s, Lasted: time.Duration(b) * time.Second / 10, Random: float64(b) / 200})
			case 5:
				m.Lose(Slow)
			case 6:
				m.Begun()
			case 7:
				m.Synced("")
			case 8:
				m.Refused()
			}
			owed = check(t, before, m.Step(), versions, owed)
		}
	})
}

// check holds what is promised of every step. owed says that a gap was told and no list has been begun since.
func check(t *testing.T, before, s Step, versions map[string]bool, owed bool) bool {
	t.Helper()
	switch s.Do {
	case List, Stream:
		owed = owed && s.Gap != None
		if s.Gap != None && before.Do == Watch {
			clear(versions) // what was seen is void
			owed = true
		}
	case Watch:
		if owed && before.Do != List && before.Do != Stream {
			t.Fatal("a watch follows a gap without a list between them")
		}
		if !versions[s.Version] {
			t.Fatalf("it watches from %q, which was never seen", s.Version)
		}
		owed = false
	case Wait:
		if s.Delay <= 0 || s.Delay > MaxRetryAfter {
			t.Fatalf("it waits for %v", s.Delay)
		}
	case Stop:
		if s.Status.Code == 0 {
			t.Fatal("it stops without saying why")
		}
	default:
		t.Fatalf("it wants %d", s.Do)
	}
	return owed
}
