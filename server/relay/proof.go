package relay

import (
	"context"
	"runtime/debug"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/follow"
)

// proof says whether a session may list and watch one thing, in any form. All of its subscriptions to this thing use it.
//
//	              granted: good for pace.proof           granted, about every pace.prove
//	subscription ──▶ ask ───────────────────▶ in the feed ◀──────────────────────────────┐
//	                  │ ▲                          │ ─────────────────────────────────────┘
//	          refused │ │ no answer: ask again     │ no answer, and the last proof is too old: waits, and gets nothing
//	                  ▼ │                          │ refused: leaves the feed at once
//	            a feed of its own ◀────────────────┘
//
// A refusal leads to a feed of the session's own: its watch shows what the API server really says, in its own words.
//
// A message of a shared feed is sent only while the proof is good, or the session's own watch is the feed's (outbox.may). Timers only
// bring the next proof in time (threat: withdrawn permission).
type proof struct {
	hub     *hub
	key     proofKey
	source  follow.Source
	account *account
	until   atomic.Int64 // in nanoseconds since 1970: until then, the last proof is good

	// The hub's lock guards these:

	subs   map[*subscription]struct{}
	timer  *time.Timer
	cancel context.CancelFunc // ends the check that is in progress; nil: there is none
	delays watch.Backoff      // between checks that had no answer
	heard  time.Time          // when the last proof was made, or when the first was asked for
	told   bool               // the pages know that they wait
	moving bool               // subscriptions that lead a feed are about to move to the feed of somebody else
	over   bool
}

// proofKey is what subscriptions must have in common to share a proof.
type proofKey struct {
	session, cluster, question string
	login                      <-chan struct{}
}

// proofOf finds the proof for a subscription, or makes one that isn't good yet.
func (h *hub) proofOf(s *subscription) *proof {
	key := proofKey{session: s.source.Session, cluster: s.source.Cluster, question: s.key.question, login: s.source.Over}
	p := h.proofs[key]
	if p == nil {
		p = &proof{
			hub: h, key: key, source: s.source, account: s.conn.account, subs: map[*subscription]struct{}{}, heard: h.relay.opt.Now(),
			delays: watch.Backoff{Min: h.relay.pace.prove / 40, Max: h.relay.pace.prove / 4},
		}
		p.timer = time.AfterFunc(p.pause(), p.tick)
		h.proofs[key] = p
	}
	p.subs[s] = struct{}{}
	s.proof.Store(p)
	return p
}

// leaveProof removes a subscription from its proof. The proof ends with its last subscription.
func (h *hub) leaveProof(s *subscription) {
	p := s.proof.Swap(nil)
	if p == nil {
		return
	}
	delete(p.subs, s)
	if len(p.subs) > 0 {
		return
	}
	p.over = true
	p.timer.Stop()
	if p.cancel != nil {
		p.cancel()
	}
	delete(h.proofs, p.key)
}

// isGranted tells whether the permission was proved a short time ago. It takes no lock.
func (p *proof) isGranted(now time.Time) bool {
	return now.UnixNano() < p.until.Load() && !p.source.IsOver()
}

// pause is the time until the next check. It differs, so that the checks of many people are spread.
func (p *proof) pause() time.Duration {
	usual := p.hub.relay.pace.prove
	return usual - time.Duration(p.hub.relay.opt.Random()*float64(usual/5))
}

// scheduleCheck lets a check begin after a time, unless one is in progress.
func (p *proof) scheduleCheck(after time.Duration) {
	if !p.over && p.cancel == nil {
		p.timer.Reset(max(after, 1))
	}
}

// needed tells whether any subscription follows, or waits to follow, the watch of somebody else.
func (p *proof) needed() bool {
	for s := range p.subs {
		if !s.leads.Load() {
			return true
		}
	}
	return p.moving
}

// tick begins a check, if one is needed and there is room for it.
func (p *proof) tick() {
	h := p.hub
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case p.over || p.cancel != nil:
	case p.source.IsOver():
		h.changeLogin(p)
	case !p.needed():
		p.scheduleCheck(p.pause())
	case !h.checks.startCheck(p):
		p.scheduleCheck(h.relay.pace.prove / 80)
		if !p.told {
			p.wait(busy, h.relay.pace.prove/80)
		}
	default:
		h.reviewProof(p)
	}
}

// busy is why a check can't begin yet.
var busy = ownStatus(status.CodeTooManyRequests, "Too many permissions are being checked at the same time.")

// reviewProof asks the API server. A subscription is still there, so its connection is counted and the relay isn't closed yet.
func (h *hub) reviewProof(p *proof) {
	ctx, cancel := context.WithTimeout(context.Background(), h.relay.pace.check)
	p.cancel = cancel
	h.relay.serving.Go(func() {
		defer cancel()
		sent := h.relay.opt.Now()
		err := h.reviewSafely(ctx, p)
		h.handleReview(p, sent, err)
	})
}

// reviewSafely is review. A panic in it counts as a check without an answer (threat: panic).
func (h *hub) reviewSafely(ctx context.Context, p *proof) (err error) {
	defer func() {
		if r := recover(); r != nil {
			h.relay.opt.Log.Error("a check panicked", "panic", r, "stack", string(debug.Stack()))
			err = errPanicked
		}
	}()
	return h.relay.review(ctx, p.source)
}

// handleReview handles the answer to a check that was sent at a time.
func (h *hub) handleReview(p *proof, sent time.Time, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.checks.endCheck(p)
	p.cancel = nil
	verdict, why := verdictOf(err)
	if p.over {
		return
	}
	h.relay.counts.checks[verdict].Add(1)
	switch {
	case p.source.IsOver():
		h.changeLogin(p)
	case verdict == granted:
		h.grantProof(p, sent)
	case verdict == refused:
		h.refuseProof(p)
	default:
		p.noteNoAnswer(why)
	}
}

// grantProof lets all subscriptions of a proof follow.
func (h *hub) grantProof(p *proof, sent time.Time) {
	late := !p.isGranted(h.relay.opt.Now())
	p.until.Store(sent.Add(h.relay.pace.proof).UnixNano())
	p.heard, p.told, p.moving = sent, false, false
	p.delays.Reset()
	p.scheduleCheck(p.pause())
	for s := range p.subs {
		switch {
		case s.feed == nil:
			h.joinFeed(s)
		case late && !s.leads.Load():
			s.feed.notifyNow(s)
		}
		h.mergeTwinsLocked(s.key)
	}
}

// refuseProof gives all subscriptions that follow the watch of somebody else a watch of their own. The API server refuses it, and says why.
func (h *hub) refuseProof(p *proof) {
	p.until.Store(0)
	p.moving = false
	p.scheduleCheck(p.pause())
	for s := range p.subs {
		if !s.leads.Load() {
			h.joinUnshared(s)
		}
	}
}

// changeLogin lets the subscriptions of a proof begin again with the next login. Those that lead do it when their watch has ended.
func (h *hub) changeLogin(p *proof) {
	p.scheduleCheck(p.pause())
	for s := range p.subs {
		if !s.leads.Load() {
			h.joinNextLogin(s)
		}
	}
}

// noteNoAnswer is called if a check had no answer. While the last proof is good, everything goes on.
func (p *proof) noteNoAnswer(why status.Status) {
	limit := p.hub.relay.pace.prove
	delay := max(p.delays.Next(p.hub.relay.opt.Random()), min(time.Duration(why.RetryAfterSeconds)*time.Second, limit))
	p.scheduleCheck(delay)
	p.wait(why, delay)
}

// wait tells pages that they get nothing until the permission is proved.
func (p *proof) wait(why status.Status, delay time.Duration) {
	now := p.hub.relay.opt.Now()
	if p.isGranted(now) {
		return
	}
	p.told = true
	why.Message = "Fieldmark can’t check whether you may still follow this. " + why.Message
	for s := range p.subs {
		if !s.leads.Load() {
			s.outbox.wait(waitMessage(follow.Trouble{Why: why, At: now, Sign: p.heard, Retry: now.Add(delay)}, now))
		}
	}
}

// notifyNow tells a subscription that waited what its feed is doing.
func (f *feed) notifyNow(s *subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, there := f.subscribers[s]; there {
		f.notifyOpen(s)
	}
}

// joinShared lets a subscription begin a shared feed, or join one once its permission is proved.
func (h *hub) joinShared(s *subscription) {
	p := h.proofOf(s)
	if len(h.feeds[s.key]) == 0 || p.isGranted(h.relay.opt.Now()) {
		h.joinFeed(s)
		return
	}
	for _, f := range h.feeds[s.key] {
		if f.lead.by == p && f.join(s, false, s.lost) {
			s.feed = f
			return
		}
	}
	p.scheduleCheck(0)
}

// joinUnshared moves a subscription from a shared feed to one of its session. What waits for the page is dropped: the page goes on from the version
// that it has.
func (h *hub) joinUnshared(s *subscription) {
	joined := s.feed != nil
	h.leaveFeed(s)
	version := s.outbox.dropWaiting()
	h.leaveProof(s)
	if joined {
		s.has, s.lost = follow.Had{Version: version}, watch.Restarted
	}
	s.key = feedKey{whose: only(s.source.Session), cluster: s.key.cluster, question: s.key.question, as: s.key.as, login: s.source.Over}
	h.joinFeed(s)
}

// joinNextLogin lets a subscription begin again with the next login of its session.
func (h *hub) joinNextLogin(s *subscription) {
	h.leaveFeed(s)
	s.outbox.dropWaiting()
	h.leaveProof(s)
	s.setLogin(h.relay.opt.Login(s.source.Session, s.source.Cluster))
	s.has, s.lost = follow.Had{}, watch.Restarted
	h.joinShared(s)
}

// verdict is the result of a check.
type verdict int

const (
	granted verdict = iota
	refused
	noAnswer
	verdicts // how many there are
)

// verdictOf reads the error of a review. Whether the API server will say the same again decides, as for a watch: if not, nobody knows yet.
func verdictOf(err error) (verdict, status.Status) {
	if err == nil {
		return granted, status.Status{}
	}
	why := api.StatusOf(err)
	switch {
	case why.Code >= status.CodeInternalError, why.Code == status.CodeTooManyRequests:
		return noAnswer, why
	}
	return refused, why
}
