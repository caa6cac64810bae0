package relay

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

func TestAPageThatHasAWholeState(t *testing.T) {
	h, s := scripted(t, nil, stays(event("MODIFIED", "a", 8)))
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "7", Gen: 3})
	if m := p.want(1, wire.Synced); m.Gen != 3 || m.ResourceVersion != "7" {
		t.Errorf("%+v", m)
	}
	if m := p.happened(1, "MODIFIED a 8"); m.Gen != 3 {
		t.Errorf("%+v", m)
	}
	if asked := s.Requests(); len(asked) != 1 {
		t.Errorf("%q", asked)
	}
}

func TestAPageThatHasAWholeStateTooOld(t *testing.T) {
	h, _ := scripted(t, fiveWithA, turns(refuses(410, "Expired"), stays()))
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "2"})
	if m := p.want(1, wire.Gap); m.Gen != 2 || m.Reason != watch.Expired {
		t.Errorf("%+v", m)
	}
	if m := p.want(1, wire.Rows); m.Gen != 2 || len(m.Columns) == 0 {
		t.Errorf("%+v", m)
	}
	p.want(1, wire.Synced)
}

func TestAPageThatHasTheFirstChunk(t *testing.T) {
	h, s := scripted(t, turns(says(tableOf(5, "three", 1, row("b", 2))), says(tableOf(5, "", 0, row("c", 3)))), stays())
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "5", Continue: "two"})
	if got := p.arrives(1, 1); !slices.Equal(got, []string{"b", "c"}) {
		t.Errorf("%q", got)
	}
	if m := p.want(1, wire.Synced); m.Gen != 1 || m.ResourceVersion != "5" {
		t.Errorf("%+v", m)
	}
	if asked := s.Requests(); !strings.Contains(asked[0], "continue=two") || !slices.Equal(s.Versions(), []string{"5"}) {
		t.Errorf("%q", asked)
	}
}

func TestAPageWhoseNextChunkIsGone(t *testing.T) {
	h, s := scripted(t, turns(refuses(410, "Expired"), fiveWithA), stays())
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "3", Continue: "two", Gen: 1})
	if m := p.want(1, wire.Gap); m.Gen != 2 || m.Reason != watch.Expired {
		t.Errorf("%+v", m)
	}
	p.began(1)
	if asked := s.Requests(); strings.Contains(asked[1], "continue") || !slices.Equal(s.Versions(), []string{"5"}) {
		t.Errorf("%q", asked)
	}
}

func TestAPageThatHasNothingOfUseAnyMore(t *testing.T) {
	h, _ := scripted(t, fiveWithA, stays())
	p := h.open()
	p.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, Gen: 4})
	if m := p.want(1, wire.Rows); m.Gen != 5 {
		t.Errorf("%+v", m)
	}
}

func TestNothingThereIsTold(t *testing.T) {
	h, _ := scripted(t, says(tableOf(5, "", 0)), stays(event("ADDED", "a", 6)))
	p := h.open()
	p.follow(1)
	if m := p.want(1, wire.Rows); len(m.Rows) != 0 || len(m.Columns) != 2 || *m.Remaining != 0 {
		t.Errorf("%+v", m)
	}
	p.want(1, wire.Synced)
	p.happened(1, "ADDED a 6")
}

// What is left is told where the server counts it, and what was listed already counts in.
func TestRowsComeInBoundedMessages(t *testing.T) {
	all := many(853)
	uncounted := strings.Replace(tableOf(5, "most", 0, all[600:851]...), `,"remainingItemCount":0`, "", 1)
	two, three := make(chan struct{}), make(chan struct{})
	h, _ := scripted(t, turns(says(tableOf(5, "more", 600, all[:600]...)), after(two, says(uncounted)), after(three, says(tableOf(5, "", 0, all[851:]...)))), stays())
	p := h.open()
	p.follow(1)
	for i, want := range []struct{ rows, left int64 }{{250, 950}, {250, 700}, {100, 600}, {250, -1}, {1, -1}, {2, 0}} {
		switch i {
		case 3:
			close(two)
		case 5:
			close(three)
		}
		m := p.want(1, wire.Rows)
		left := int64(-1)
		if m.Remaining != nil {
			left = *m.Remaining
		}
		if int64(len(m.Rows)) != want.rows || left != want.left {
			t.Errorf("%d rows, %d left; want %+v", len(m.Rows), left, want)
		}
	}
	p.want(1, wire.Synced)
}

func TestPathsThatCannotBeFollowed(t *testing.T) {
	h, s := scripted(t, fiveWithA, stays())
	p := h.open()
	for i, path := range []string{
		"/", "/api", "/apis", "/apis/apps/v1", "/version", "/api/v1/watch/pods", "/api/v1/watch/namespaces/n/pods/x",
		"/api/v1/namespaces/n/pods/x/log", "/api/v1/namespaces/n/services/x/proxy/a", "/api/v1/namespaces/n/deployments/x/scale",
		"/api/v1/proxy/nodes/x", "/api/v1/../v1/pods", "/api/v1/pods?labelSelector=%zz", "pods", "/api/v1//pods", "/api/v1/nodes/n%2fproxy",
	} {
		id := uint32(i + 1)
		p.send(wire.Request{Type: wire.Subscribe, ID: id, Cluster: "k", Path: path, As: wire.Table})
		if m := p.want(id, wire.Failed); m.Status.Code != 400 || m.Status.Message == "" {
			t.Errorf("%s: %+v", path, m.Status)
		}
	}
	if asked := s.Requests(); len(asked) != 0 {
		t.Errorf("asked all the same: %q", asked)
	}
}

func TestQuestions(t *testing.T) {
	for path, want := range map[string][2]string{
		"/api/v1/pods": {"/api/v1/pods?limit=500", "/api/v1/pods?allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=300&watch=1"},
		"/apis/apps/v1/namespaces/n/deployments?labelSelector=a%3Db&limit=3&watch=0&resourceVersion=4&sort=x&sendInitialEvents=true": {
			"/apis/apps/v1/namespaces/n/deployments?labelSelector=a%3Db&limit=500",
			"/apis/apps/v1/namespaces/n/deployments?allowWatchBookmarks=true&labelSelector=a%3Db&resourceVersion=7&timeoutSeconds=300&watch=1",
		},
		"/api/v1/namespaces/n/pods/web?labelSelector=no": {
			"/api/v1/namespaces/n/pods?fieldSelector=metadata.name%3Dweb&limit=500",
			"/api/v1/namespaces/n/pods?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dweb&resourceVersion=7&timeoutSeconds=300&watch=1",
		},
		"/api/v1/namespaces/n": {
			"/api/v1/namespaces?fieldSelector=metadata.name%3Dn&limit=500",
			"/api/v1/namespaces?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dn&resourceVersion=7&timeoutSeconds=300&watch=1",
		},
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:a,b=c": {
			"/apis/rbac.authorization.k8s.io/v1/clusterroles?fieldSelector=metadata.name%3Dsystem%3Aa%5C%2Cb%5C%3Dc&limit=500",
			"/apis/rbac.authorization.k8s.io/v1/clusterroles?allowWatchBookmarks=true&fieldSelector=metadata.name%3Dsystem%3Aa%5C%2Cb%5C%3Dc&resourceVersion=7&timeoutSeconds=300&watch=1",
		},
	} {
		q, err := newQuestion(path)
		must(t, err)
		if list, watch := q.List(500, ""), q.Watch("7", 300); list != want[0] || watch != want[1] {
			t.Errorf("%s: %s and %s", path, list, watch)
		}
	}
}
