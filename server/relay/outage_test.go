package relay

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/practice"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// ownLab has a practice cluster of its own, for what its neighbours on the shared one could not bear.
func ownLab(t *testing.T) *lab {
	t.Helper()
	binary := os.Getenv("FIELDMARK_PRACTICE_BIN")
	if os.Getenv(practiceEnv) == "" || binary == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s and FIELDMARK_PRACTICE_BIN are not set; make test-cluster sets them", practiceEnv)
	}
	t.Setenv("TMPDIR", t.TempDir())
	p, err := practice.Start(t.Context(), practice.Options{Binary: binary, Grace: 30 * time.Second}) // on a busy machine, the kernel takes long to free the memory of what was killed
	must(t, err)
	t.Cleanup(func() {
		if err := p.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	select {
	case <-p.APIReady():
	case <-p.Done():
		t.Fatalf("%+v", p.Progress())
	case <-time.After(3 * time.Minute):
		t.Fatalf("the API server is not ready: %+v", p.Progress())
	}
	return newLab(t, p.KubeconfigPath)
}

// eventually tries until it succeeds: a server that restarts refuses for a while.
func (l *lab) eventually(method, path, media, body string) []byte {
	l.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
		answer, err := l.try(method, path, media, body)
		if err == nil {
			return answer
		}
		if time.Now().After(deadline) {
			l.t.Fatalf("%s %s: %v", method, path, err)
		}
	}
}

const scenarios = "/apis/practice.fieldmark.dev/v1alpha1/scenarios"

// scenario brings a fault about; it may be on its way when this returns.
func (l *lab) scenario(name, fault string) {
	l.t.Helper()
	l.eventually("PATCH", scenarios+"/"+name+"?fieldManager=test", "application/apply-patch+yaml",
		`{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":"`+name+`"},"spec":{"faults":[`+fault+`]}}`)
}

// holds waits until a Scenario is so.
func (l *lab) holds(name string) {
	l.t.Helper()
	for deadline := time.Now().Add(3 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		var s struct {
			Status struct {
				Conditions []struct{ Type, Status string }
			}
		}
		must(l.t, json.Unmarshal(l.eventually("GET", scenarios+"/"+name, "", ""), &s))
		for _, c := range s.Status.Conditions {
			if c.Type == "Holds" && c.Status == "True" {
				return
			}
		}
		if time.Now().After(deadline) {
			l.t.Fatalf("%s never holds: %+v", name, s)
		}
	}
}

// TestPracticeOutages is what a page lives through when the API server restarts, and when it forgets.
func TestPracticeOutages(t *testing.T) {
	l := ownLab(t)
	l.eventually("GET", scenarios, "", "")
	path := "/api/v1/namespaces/" + l.namespace() + "/configmaps"
	for i := range 5 {
		l.create(path, fmt.Sprintf("m%d", i))
	}
	p := l.open()
	m := p.mirrored(1, cluster.Practice, path)
	m.until("the state is there", m.equals(l.truth(path)))
	t.Run("restart", func(t *testing.T) { l.restart(t, path, m) })
	t.Run("compaction", func(t *testing.T) { l.compaction(t, path, m) })
	t.Run("chunk", func(t *testing.T) { l.oldChunk(t, path) })
}

func (l *lab) restart(t *testing.T, path string, m *mirror) {
	l.scenario("outage", `{"name":"down","restart":{"downSeconds":2}}`)
	m.until("the outage is told", func() bool { return m.waiting != nil })
	t.Logf("told: %d %s", m.waiting.Code, m.waiting.Message)
	l.holds("outage")
	l.eventually("POST", path, asJSON, `{"metadata":{"name":"after"}}`)
	m.until("it has healed", m.equals(l.truth(path)))
	t.Logf("%d waits, gaps %q", m.waited, m.gaps)
}

func (l *lab) compaction(t *testing.T, path string, m *mirror) {
	gaps := len(m.gaps)
	l.lines.cut()
	m.until("the cut is told", func() bool { return m.waiting != nil })
	l.eventually("PATCH", path+"/m0", asMerge, `{"data":{"n":"7"}}`)
	l.eventually("DELETE", path+"/m1", "", "")
	l.scenario("forget", `{"name":"forget","compact":{"watchCache":"Forget"}}`)
	l.holds("forget")
	l.lines.mend()
	m.until("it begins anew", func() bool { return len(m.gaps) > gaps })
	if !slices.Contains(m.gaps[gaps:], watch.Expired) {
		t.Errorf("gaps %q", m.gaps)
	}
	m.until("it has caught up", m.equals(l.truth(path)))
	l.create(path, "live")
	m.until("it is live", m.equals(l.truth(path)))
}

// oldChunk is about a page that was rendered before the compaction, of a session that shares no state with the other.
func (l *lab) oldChunk(t *testing.T, path string) {
	p := l.dial("late")
	var chunk struct {
		Metadata struct{ ResourceVersion, Continue string }
	}
	must(t, json.Unmarshal(l.ask("GET", path+"?limit=2", "", ""), &chunk))
	l.eventually("PATCH", path+"/m2", asMerge, `{"data":{"n":"8"}}`)
	l.scenario("again", `{"name":"forget","compact":{"watchCache":"Keep"}}`)
	l.holds("again")
	p.send(wire.Request{
		Type: wire.Subscribe, ID: 2, Cluster: cluster.Practice, Path: path, As: wire.Table, Gen: 1,
		ResourceVersion: chunk.Metadata.ResourceVersion, Continue: chunk.Metadata.Continue,
	})
	m := &mirror{t: t, page: p, id: 2, gen: 1, objects: map[string]string{}}
	m.until("it is whole", m.equals(l.truth(path)))
	if !slices.Equal(m.gaps, []watch.Gap{watch.Expired}) {
		t.Errorf("gaps %q", m.gaps)
	}
}
