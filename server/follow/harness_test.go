package follow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

// notes is a sink that writes down what it is told, in words.
type notes struct {
	came   chan string
	waits  chan Trouble
	form   string // another one makes it ask for the whole state again
	full   bool   // it takes in no more
	opened func()
}

func newNotes() *notes {
	return &notes{came: make(chan string, 1000), waits: make(chan Trouble, 1000), opened: func() {}}
}

func (n *notes) note(format string, args ...any) {
	n.came <- strings.TrimSpace(fmt.Sprintf(format, args...))
}

// thing is an object, or a list of them.
type thing struct {
	Metadata struct{ Name, ResourceVersion, Continue string }
	Items    []thing
	Form     string // of a server that prints its watches in another one than its lists
}

func (t thing) String() string { return t.Metadata.Name + " " + t.Metadata.ResourceVersion }

func (n *notes) Begin(_ context.Context, s Start) bool {
	how := "begin"
	if s.Streams {
		how = "stream"
	}
	if s.Continues {
		how = "continue"
	}
	n.note("%s %s", how, s.Gap)
	return true
}

func (n *notes) Chunk(body []byte) (Chunk, error) {
	var l thing
	if err := json.Unmarshal(body, &l); err != nil {
		return Chunk{}, err
	}
	c := Chunk{Version: l.Metadata.ResourceVersion, Chunk: watch.Chunk{Items: len(l.Items), Next: l.Metadata.Continue}}
	var names []string
	for _, i := range l.Items {
		names = append(names, i.Metadata.Name)
	}
	if len(names) > 0 {
		c.First = names[0]
	}
	c.Keep = func() error {
		n.note("chunk %s", strings.Join(names, " "))
		return n.room()
	}
	return c, nil
}

// enough is why the sink takes in no more.
type enough struct{}

func (enough) Error() string   { return "that is enough" }
func (enough) HTTPStatus() int { return 413 }

func (n *notes) room() error {
	if n.full {
		return enough{}
	}
	return nil
}

func (n *notes) Whole(version string, _ []byte) error {
	n.note("whole %s", version)
	return nil
}

func (n *notes) Opened() { n.opened() }

func (n *notes) Event(kind watch.Type, object []byte) (string, error) {
	var o thing
	if err := json.Unmarshal(object, &o); err != nil {
		return "", err
	}
	if o.Metadata.Name == "" {
		return "", errors.New("it has no name")
	}
	if o.Form != n.form {
		n.form = o.Form
		return "", ErrMoved
	}
	n.note("%s %s", kind, o)
	return o.Metadata.ResourceVersion, n.room()
}

func (n *notes) Passed(version string) { n.note("passed %s", version) }
func (n *notes) Silent(t Trouble)      { n.note("silent %s", t.Why.Reason) }

func (n *notes) Wait(t Trouble) {
	n.waits <- t
	if t.Why.Code != 0 {
		n.note("wait %d", t.Why.Code)
	}
}

func (n *notes) Stop(why status.Status) { n.note("stop %d", why.Code) }

// expect waits for these notes, and for nothing else.
func (n *notes) expect(t testing.TB, want ...string) {
	t.Helper()
	var got []string
	late := time.After(patience)
	for len(got) < len(want) {
		select {
		case word := <-n.came:
			got = append(got, word)
		case <-late:
			t.Fatalf("noted %q, want %q", got, want)
		}
		if !slices.Equal(got, want[:len(got)]) {
			t.Fatalf("noted %q, want %q", got, want)
		}
	}
}

var pods = Question{Collection: apipath.Collection("", "v1", "n", "pods")}

// group is one for the server. Its waits are the shortest that the rules allow.
func group(s *fake.Server) *Group {
	pace := UsualPace()
	pace.Stream = patience // the machine may be busy
	return NewGroup(Options{
		Resolve: s.Resolve, Tap: wiretap.New(wiretap.Options{}), Origin: wiretap.Relay, Pace: pace, Now: time.Now,
		Random: func() float64 { return 0 }, Go: func(f func()) { go f() },
	})
}

// follow runs a Reflector until the test ends.
func (g *Group) follow(t testing.TB, had Had) *notes {
	n := newNotes()
	g.run(t, Source{Session: "s", Cluster: "k", Question: pods, Limit: 500}, n, had)
	return n
}

func (g *Group) run(t testing.TB, source Source, n *notes, had Had) (over <-chan bool) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ended <- g.Reflector(source, n, had).Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return ended
}

func object(name string, version int) string {
	return fmt.Sprintf(`{"metadata":{"name":%q,"resourceVersion":"%d"}}`, name, version)
}

// listOf is a list's answer.
func listOf(version int, next string, objects ...string) string {
	return fmt.Sprintf(`{"metadata":{"resourceVersion":"%d","continue":%q},"items":[%s]}`, version, next, strings.Join(objects, ","))
}

func event(kind, name string, version int) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`+"\n", kind, object(name, version))
}

func bookmark(version int) string { return event("BOOKMARK", "", version) }

// ends marks the end of the whole state.
func ends(version int) string {
	return fmt.Sprintf(`{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"true"}}}}`+"\n", version)
}

func failure(code int, reason string) string {
	return fmt.Sprintf(`{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","status":"Failure","message":"m","reason":%q,"code":%d}}`+"\n", reason, code)
}
