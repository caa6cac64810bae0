package relay

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// feedKey is what two subscriptions have in common that one feed serves. The session is part of it: nothing that was
// read for one is told to another (threat: two sessions).
type feedKey struct {
	session, cluster, question string
	as                         wire.As
	login                      <-chan struct{} // closed when it is over
}

// hub knows which feeds there are, and which subscription follows which. Its lock is taken before those of feeds.
type hub struct {
	relay *Relay

	mu    sync.Mutex
	feeds map[feedKey][]*feed
}

// join finds a feed that can take a subscription, or starts one.
//
// The first of its kind begins with what the page has, so that nothing is asked for twice; it then knows what happens,
// but not what there is. A later page that has a version which was seen here joins it. One that hasn't begins a
// second feed, which knows the whole state and takes all that come later.
func (h *hub) join(s *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, f := range h.feeds[s.key] {
		if f.join(s, false, s.lost) {
			s.feed = f
			return
		}
	}
	has := s.has
	if len(h.feeds[s.key]) > 0 {
		has = follow.Had{}
	}
	h.start(s, has, s.lost)
}

// start makes a feed for a subscription. A reason says why the subscription gets the state again.
func (h *hub) start(s *subscription, has follow.Had, reason watch.Gap) {
	f := newFeed(h, s, has)
	f.join(s, has != follow.Had{}, reason)
	s.feed = f
	h.feeds[s.key] = append(h.feeds[s.key], f)
	h.introduce(s.key)
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	h.spawn(f, func() {
		defer cancel()
		f.run(ctx)
	})
}

// introduce lets feeds of one kind know of each other.
func (h *hub) introduce(key feedKey) {
	for _, f := range h.feeds[key] {
		f.twin.Store(len(h.feeds[key]) > 1)
	}
}

// leave ends what a subscription follows, and the feed with the last.
func (h *hub) leave(s *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.part(s)
}

func (h *hub) part(s *subscription) {
	if f := s.feed; f != nil && f.leave(s) {
		f.cancel()
		h.forget(f)
	}
	s.feed = nil
}

// renew gives a subscription the state again.
func (h *hub) renew(s *subscription, reason watch.Gap) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.feed == nil || s.feed.renew(s, reason) {
		return
	}
	h.part(s)
	s.has = follow.Had{}
	for _, f := range h.feeds[s.key] {
		if f.join(s, false, reason) {
			s.feed = f
			return
		}
	}
	h.start(s, follow.Had{}, reason)
}

// replace gives the subscriptions of a feed whose login is over what the next login reads, from its beginning.
func (h *hub) replace(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(f)
	for s := range f.dismiss() {
		s.enter(h.relay.opt.Login(s.key.cluster))
		s.has = follow.Had{}
		if i := slices.IndexFunc(h.feeds[s.key], func(f *feed) bool { return f.join(s, false, watch.Restarted) }); i >= 0 {
			s.feed = h.feeds[s.key][i]
			continue
		}
		h.start(s, follow.Had{}, watch.Restarted)
	}
}

// remove lets nobody join a feed any more.
func (h *hub) remove(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(f)
}

func (h *hub) forget(f *feed) {
	all := slices.DeleteFunc(h.feeds[f.key], func(other *feed) bool { return other == f })
	if h.feeds[f.key] = all; len(all) == 0 {
		delete(h.feeds, f.key)
	}
	h.introduce(f.key)
}

// meet makes one of two feeds of a kind once both have seen the same: the subscriptions of the one that knows no
// state go over to the one that does.
func (h *hub) meet(key feedKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := slices.Clone(h.feeds[key])
	for _, from := range all {
		for _, to := range all {
			if from != to && h.merge(from, to) {
				from.cancel()
				h.forget(from)
			}
		}
	}
}

func (h *hub) merge(from, to *feed) bool {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	if from.ended || to.ended || from.state.whole || !to.state.whole || from.state.arriving != nil || to.state.arriving != nil || !to.open {
		return false
	}
	missed, ok := to.state.ring.since(from.state.version)
	if !ok {
		return false
	}
	for s := range from.followers {
		s.outbox.catchUp(missed)
		to.take(s)
		s.feed = to
	}
	from.ended, from.followers = true, nil
	return true
}

// spawn runs f for a feed. What panics in it ends the connections that follow the feed, not the process (threat: panic).
func (h *hub) spawn(of *feed, f func()) {
	h.relay.serving.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				h.relay.opt.Log.Error("a feed panicked", "panic", r, "stack", string(debug.Stack()))
				h.endAll(of)
			}
		}()
		f()
	})
}

// endAll ends the connections of those who follow a feed.
func (h *hub) endAll(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(f)
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for s := range f.followers {
		go s.conn.broken()
	}
}
