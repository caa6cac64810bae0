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

// feedKey is what subscriptions must have in common to share a feed. The identity is a part of it: no session gets data that was read with
// other credentials (threat: two sessions). A shared feed has no identity and no login. It is only for data that is the same for all who
// may read it, and each session must prove that it may (proof.go).
type feedKey struct {
	whose             any // the identity, or the session if it shares nothing
	cluster, question string
	as                wire.As
	login             <-chan struct{} // closed when it is over
	shared            bool
}

// only is the identity of a session that shares nothing. No identity of the composition has this type.
type only string

// hub knows which feeds there are, and which subscription follows which. Its lock is taken before those of feeds.
type hub struct {
	relay *Relay

	mu     sync.Mutex
	feeds  map[feedKey][]*feed
	proofs map[proofKey]*proof
	checks checks
}

// join lets a subscription follow. If it shares a feed, it may have to wait.
func (h *hub) join(s *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.key.shared {
		h.joinShared(s)
		return
	}
	h.joinFeed(s)
}

// joinFeed finds a feed that can take a subscription, or starts one.
//
// The first feed of a key resumes from the version of its page, so that nothing is requested twice. So it knows the changes, but not
// the state. A later page joins it if the feed has seen the version of that page. Otherwise a second feed starts, which reads the
// whole state, and all later pages join that one.
func (h *hub) joinFeed(s *subscription) {
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
	h.noteTwins(s.key)
	ctx, cancel := context.WithCancel(context.Background())
	f.cancel = cancel
	h.runFeed(ctx, f)
}

// noteTwins tells the two feeds of a key that each has a twin.
func (h *hub) noteTwins(key feedKey) {
	for _, f := range h.feeds[key] {
		f.twin.Store(len(h.feeds[key]) > 1)
	}
}

// removeSubscription removes a subscription from its feed. The feed ends with its last subscription.
func (h *hub) removeSubscription(s *subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leaveFeed(s)
	h.leaveProof(s)
}

func (h *hub) leaveFeed(s *subscription) {
	f := s.feed
	switch {
	case f == nil:
	case f.removeSubscription(s):
		f.cancel()
		h.deleteFeed(f)
	default:
		h.handOverFrom(f, s)
	}
	s.feed = nil
	s.leads.Store(false)
}

// renewState gives a subscription the state again.
func (h *hub) renewState(s *subscription, reason watch.Gap) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s.feed == nil || s.feed.renewState(s, reason) {
		return
	}
	h.leaveFeed(s)
	s.has = follow.Had{}
	for _, f := range h.feeds[s.key] {
		if f.join(s, false, reason) {
			s.feed = f
			return
		}
	}
	h.start(s, follow.Had{}, reason)
}

// moveToNextLogin moves the subscriptions of a feed whose login has ended to a new feed with the next login. They get the whole state again.
func (h *hub) moveToNextLogin(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deleteFeed(f)
	for s := range f.closeFeed() {
		s.setLogin(h.relay.opt.Login(s.source.Session, s.key.cluster))
		s.has = follow.Had{}
		if i := slices.IndexFunc(h.feeds[s.key], func(f *feed) bool { return f.join(s, false, watch.Restarted) }); i >= 0 {
			s.feed = h.feeds[s.key][i]
			continue
		}
		h.start(s, follow.Had{}, watch.Restarted)
	}
}

// removeFeed removes a feed, so that no subscription can join it.
func (h *hub) removeFeed(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deleteFeed(f)
}

func (h *hub) deleteFeed(f *feed) {
	all := slices.DeleteFunc(h.feeds[f.key], func(other *feed) bool { return other == f })
	if h.feeds[f.key] = all; len(all) == 0 {
		delete(h.feeds, f.key)
	}
	h.noteTwins(f.key)
}

// mergeTwins merges the two feeds of a key once both have the same version: the subscriptions of the feed without a state move to the feed
// with the state.
func (h *hub) mergeTwins(key feedKey) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.mergeTwinsLocked(key)
}

func (h *hub) mergeTwinsLocked(key feedKey) {
	all := slices.Clone(h.feeds[key])
	for _, from := range all {
		for _, to := range all {
			if from != to && h.merge(from, to) {
				from.cancel()
				h.deleteFeed(from)
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
	if !ok || !h.mayMove(from, to) {
		return false
	}
	for s := range from.subscribers {
		s.outbox.catchUp(missed)
		to.addSubscription(s)
		s.feed = to
	}
	from.ended, from.subscribers = true, nil
	return true
}

// mayMove tells whether all who follow a feed may follow another one of the same key. If not, it asks for the proofs that are missing.
func (h *hub) mayMove(from, to *feed) bool {
	all := true
	for s := range from.subscribers {
		if p := s.proof.Load(); p != nil && p != to.lead.by && !p.isGranted(h.relay.opt.Now()) {
			p.moving, all = true, false
			p.scheduleCheck(0)
		}
	}
	return all
}

// spawn runs f for a feed. A panic in f ends the connections that use the feed, not the process (threat: panic).
func (h *hub) spawn(of *feed, f func()) {
	h.relay.serving.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				h.relay.opt.Log.Error("a feed panicked", "panic", r, "stack", string(debug.Stack()))
				h.closeFeed(of)
			}
		}()
		f()
	})
}

// closeFeed ends the connections of those who follow a feed.
func (h *hub) closeFeed(f *feed) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deleteFeed(f)
	f.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	for s := range f.subscribers {
		go s.conn.broken()
	}
}
