package relay

import (
	"fmt"
	"maps"
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// mirror is what a page makes of a subscription: the state as it was told, name → version, and what was odd
// about it.
type mirror struct {
	t    testing.TB
	page *page
	id   uint32

	gen      uint32
	objects  map[string]string // as shown
	arriving map[string]string // of the next generation; nil: nothing arrives
	synced   bool
	version  string
	gaps     []watch.Gap
	waiting  *status.Status
	waited   int
	failed   *status.Status
}

// mirrored follows as Tables what a path names.
func (p *page) mirrored(id uint32, cluster, path string) *mirror {
	p.t.Helper()
	p.send(wire.Request{Type: wire.Subscribe, ID: id, Cluster: cluster, Path: path, As: wire.Table})
	return &mirror{t: p.t, page: p, id: id, gen: 1, objects: map[string]string{}}
}

// until takes messages, and gives credit back for each, until something is so.
func (m *mirror) until(what string, so func() bool) {
	m.t.Helper()
	for !so() {
		w := m.page.next(m.id)
		m.take(w)
		switch w.Type {
		case wire.Waiting:
		case wire.Failed:
			if !so() {
				m.t.Fatalf("waiting until %s: failed with %+v", what, w.Status)
			}
		default:
			m.page.send(wire.Request{Type: wire.Credit, ID: m.id, N: 1})
		}
	}
}

func (m *mirror) take(w wire.Message) {
	m.t.Helper()
	if w.Gen != m.gen && (w.Type != wire.Gap || w.Gen != m.gen+1) {
		m.t.Errorf("%s of generation %d in generation %d", w.Type, w.Gen, m.gen)
	}
	switch w.Type {
	case wire.Gap:
		m.gen, m.synced, m.arriving = w.Gen, false, map[string]string{}
		m.gaps = append(m.gaps, w.Reason)
	case wire.Rows:
		m.arrive(w)
	case wire.Synced:
		if m.arriving != nil {
			m.objects, m.arriving = m.arriving, nil
		}
		m.synced, m.version, m.waiting = true, w.ResourceVersion, nil
	case wire.Events:
		m.happen(w)
	case wire.Bookmark:
		m.version = w.ResourceVersion
	case wire.Waiting:
		m.waiting, m.synced = w.Status, false
		m.waited++
	case wire.Failed:
		m.failed = w.Status
	}
}

func (m *mirror) arrive(w wire.Message) {
	if m.arriving == nil {
		m.arriving = map[string]string{}
	}
	for _, r := range w.Rows {
		m.arriving[r.Name] = r.ResourceVersion
	}
}

func (m *mirror) happen(w wire.Message) {
	m.t.Helper()
	// What went while the state arrived is told at the version of the state.
	if n := len(w.Events); !m.synced || n == 0 || w.Events[n-1].Type != watch.Deleted && w.ResourceVersion != w.Events[n-1].Row.ResourceVersion {
		m.t.Errorf("odd events (synced: %t): %+v", m.synced, w)
	}
	for _, e := range w.Events {
		have, known := m.objects[e.Row.Name]
		odd := known == (e.Type == watch.Added) || have == e.Row.ResourceVersion
		if odd && e.Type != watch.Deleted { // a deletion is told of what came and went unseen, too
			m.t.Errorf("%s of %s at %s, where %q was known", e.Type, e.Row.Name, e.Row.ResourceVersion, have)
		}
		if m.objects[e.Row.Name] = e.Row.ResourceVersion; e.Type == watch.Deleted {
			delete(m.objects, e.Row.Name)
		}
	}
	m.version = w.ResourceVersion
}

// equals tells whether the mirror shows exactly this.
func (m *mirror) equals(want map[string]string) func() bool {
	return func() bool { return m.synced && maps.Equal(m.objects, want) }
}

func (m *mirror) String() string { return fmt.Sprintf("%v at %s", m.objects, m.version) }
