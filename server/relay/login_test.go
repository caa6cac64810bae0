package relay

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// logins is a cluster whose address and credentials change.
type logins struct {
	mu     sync.Mutex
	script *script
	target *upstream.Target
	over   chan struct{}
	later  bool
	gone   error
}

func (l *logins) resolve(ctx context.Context, slug string) (*upstream.Target, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone != nil {
		return nil, l.gone
	}
	if l.target == nil {
		target, err := l.script.Resolve(ctx, slug)
		if err != nil {
			return nil, err
		}
		l.target = target
	}
	return l.target, nil
}

func (l *logins) now(string, string) Login {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Login{Over: l.over, Later: l.later}
}

// change gives the cluster another login, or none, as a kubeconfig that changes does.
func (l *logins) change(to *script, gone error) {
	l.mu.Lock()
	over, target := l.over, l.target
	l.script, l.target, l.gone, l.later, l.over = to, nil, gone, true, nil
	if gone == nil {
		l.over = make(chan struct{})
	}
	close(over)
	l.mu.Unlock()
	target.Cut()
}

// twoLogins is a house whose cluster's login changes from the first script to the second.
func twoLogins(t *testing.T, first *script) (*house, *logins) {
	l := &logins{script: first, over: make(chan struct{})}
	h := newHouse(t, l.resolve)
	h.relay.opt.Login = l.now
	return h, l
}

func sixWithB(t *testing.T) *script {
	return newScript(t, says(tableOf(6, "", 0, row("b", 1))), stays())
}

func TestAnotherLoginIsToldNothingOfTheFirst(t *testing.T) {
	h, l := twoLogins(t, newScript(t, fiveWithA, stays()))
	p := h.open()
	p.follow(1)
	p.began(1)
	second := sixWithB(t)
	l.change(second, nil)
	if m := p.want(1, wire.Gap); m.Gen != 2 || m.Reason != watch.Restarted {
		t.Errorf("%+v", m)
	}
	if got := p.arrives(1, 2); !slices.Equal(got, []string{"b"}) {
		t.Errorf("the page is told of %q", got)
	}
	if m := p.want(1, wire.Synced); m.ResourceVersion != "6" {
		t.Errorf("%+v", m)
	}
	late := h.open()
	late.follow(1)
	if got := late.arrives(1, 1); !slices.Equal(got, []string{"b"}) {
		t.Errorf("a page that comes later is told of %q", got)
	}
	if asked := second.Requests(); len(asked) != 2 {
		t.Errorf("they share no watch: %q", asked)
	}
}

// TestWhatAPageHasFromAnotherLogin lets a page come back with what it had before the login changed.
func TestWhatAPageHasFromAnotherLogin(t *testing.T) {
	h, l := twoLogins(t, newScript(t, fiveWithA, stays()))
	p := h.open()
	p.follow(1)
	p.began(1)
	p.leave()
	second := sixWithB(t)
	l.change(second, nil)
	again := h.open()
	again.send(wire.Request{Type: wire.Subscribe, ID: 1, Cluster: "k", Path: pods, As: wire.Table, ResourceVersion: "5", Gen: 3})
	if m := again.want(1, wire.Gap); m.Gen != 4 || m.Reason != watch.Restarted {
		t.Errorf("%+v", m)
	}
	if got := again.arrives(1, 4); !slices.Equal(got, []string{"b"}) {
		t.Errorf("it is told of %q", got)
	}
}

func TestAClusterThatIsNoMoreIsNotFollowed(t *testing.T) {
	h, l := twoLogins(t, newScript(t, fiveWithA, stays()))
	p := h.open()
	p.follow(1)
	p.began(1)
	l.change(nil, noCluster{})
	p.want(1, wire.Gap)
	if m := p.want(1, wire.Failed); m.Status == nil || m.Status.Code != http.StatusNotFound {
		t.Errorf("%+v", m)
	}
}

type noCluster struct{}

func (noCluster) Error() string   { return "there is no cluster" }
func (noCluster) HTTPStatus() int { return http.StatusNotFound }
