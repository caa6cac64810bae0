package contention

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/follow/fake"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// patience is how long a test waits for what must come. It is long: the machine may be busy.
const patience = 60 * time.Second

var configmaps = discovery.Type{Version: "v1", Resource: "configmaps", Kind: "ConfigMap", Namespaced: true}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// lab is scans of servers that the test chooses.
type lab struct {
	*Scans
	t   testing.TB
	tap *wiretap.Log
}

func newLab(t testing.TB, resolve func(context.Context, string) (*upstream.Target, error)) *lab {
	t.Helper()
	l := &lab{t: t, tap: wiretap.New(wiretap.Options{})}
	l.Scans = New(Options{Resolve: resolve, Tap: l.tap, Random: func() float64 { return 0 }})
	l.following.Pace.Stream = patience // the machine may be busy
	t.Cleanup(l.Close)
	return l
}

func plan(types ...discovery.Type) Plan {
	return Plan{Types: types, Lasts: Longest, Served: func(string) bool { return true }}
}

// until waits until the scan is as wanted.
func (l *lab) until(session string, so func(r report.Run) bool) report.Run {
	l.t.Helper()
	var r report.Run
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var ok bool
		if r, ok = l.Show(session, "c"); ok && so(r) {
			return r
		}
	}
	l.t.Fatalf("it did not come about: %+v", r)
	return r
}

func watching(r report.Run) bool { return r.Phase == report.Watching }

// scripted is one whose watches begin with the whole state as told; nil: they are refused.
func scripted(t testing.TB, whole, list, watch http.HandlerFunc) *fake.Server {
	t.Helper()
	s := fake.New(t, list, watch)
	s.Whole = whole
	return s
}

// streams sends events and then nothing, until whoever asked goes.
func streams(events ...string) http.HandlerFunc {
	if len(events) == 0 {
		return fake.Stays()
	}
	return fake.Stays(strings.Join(events, "\n") + "\n")
}

func configmap(name string, version int, value string) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":%q,"namespace":"n","uid":%q,"resourceVersion":"%d"},"data":{"a":%q}}`, name, name, version, value)
}

func event(kind, object string) string { return fmt.Sprintf(`{"type":%q,"object":%s}`, kind, object) }

func bookmark(version int, end bool) string {
	return event("BOOKMARK", fmt.Sprintf(`{"metadata":{"resourceVersion":"%d","annotations":{"k8s.io/initial-events-end":"%v"}}}`, version, end))
}
