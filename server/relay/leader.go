package relay

import (
	"context"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/follow"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// lead says with whose credentials a shared feed follows. One session leads, for a term. The next term goes on from the last version seen,
// so the others miss nothing, and nothing is requested again for them.
//
//	term of ada ──▶ she leaves, her session ends, or she is refused ──▶ term of ben ──▶ … ──▶ nobody follows
//
// The leader's own watch proves its permission. All others need proofs of their own (proof.go).
type lead struct {
	// The feed's lock guards these:

	by     *proof             // the leader
	sure   bool               // the leader's own requests have brought, or confirmed, what the feed sends
	end    context.CancelFunc // ends the term; nil: the first one has not begun
	passed time.Time          // when the lead was last passed on because the API server had no time for the leader

	// Of the goroutine that runs the feed:

	had     follow.Had     // what the first subscription has
	serving *proof         // the leader of this term; nil: the first one has not begun
	refused *status.Status // why the API server refused this leader
}

// runTerms follows with one leader after the other, until nobody follows.
func (f *feed) runTerms(ctx context.Context) {
	for {
		term, end := context.WithCancel(ctx)
		f.beginTerm(end)
		over := f.reflector.Run(term)
		end()
		f.cancelCount()
		if ctx.Err() != nil || !f.hub.nextTerm(f, over) {
			return
		}
	}
}

// beginTerm makes the reflector of a term. It continues with the state of the feed. A state that hasn't arrived is fetched again.
func (f *feed) beginTerm(end context.CancelFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.lead
	had := l.had
	if l.serving != nil {
		had = follow.Had{Version: f.state.version}
		if f.state.arriving != nil {
			had = follow.Had{}
			f.restart(watch.Restarted)
			l.sure = true
			f.markLeaders()
		}
	}
	l.serving, l.end, l.refused = l.by, end, nil
	f.source.Session, f.source.Over = l.by.source.Session, l.by.source.Over
	f.reflector = f.hub.relay.following.Reflector(f.source, f, had)
}

// confirmLeader notes that the leader's own watch is open. The caller holds the lock.
func (f *feed) confirmLeader() {
	if f.lead != nil && !f.lead.sure && f.lead.by == f.lead.serving {
		f.lead.sure = true
		f.markLeaders()
	}
}

// markLeader notes in a subscription whether the leader's own watch proves its permission. The caller holds the lock.
func (f *feed) markLeader(s *subscription) {
	if f.lead != nil {
		s.leads.Store(f.lead.sure && s.proof.Load() == f.lead.by)
	}
}

func (f *feed) markLeaders() {
	for s := range f.subscribers {
		f.markLeader(s)
	}
}

// electLeader makes another session the leader, if there is one: the one whose permission was proved last. The caller holds the lock.
func (f *feed) electLeader() (elected bool) {
	l := f.lead
	var next *proof
	for s := range f.subscribers {
		if p := s.proof.Load(); p != l.by && (next == nil || p.until.Load() > next.until.Load()) {
			next = p
		}
	}
	if next == nil {
		return false
	}
	l.by, l.sure = next, false
	f.markLeaders()
	f.endTerm()
	f.hub.relay.counts.takeovers.Add(1)
	return true
}

func (f *feed) endTerm() {
	if f.lead.end != nil {
		f.lead.end()
	}
}

// hasSubscriber tells whether a session has a subscription here. The caller holds the lock.
func (f *feed) hasSubscriber(by *proof) bool {
	for s := range f.subscribers {
		if s.proof.Load() == by {
			return true
		}
	}
	return false
}

// evict ends the subscriptions of accounts that keep too much. The caller holds the lock.
func (f *feed) evict(poor []*account) {
	if len(poor) == 0 {
		return
	}
	for s := range f.subscribers {
		if slices.Contains(poor, s.conn.account) {
			f.dropSubscriber(s)
			s.outbox.fail(api.StatusOf(tooMuch{}))
		}
	}
	switch {
	case f.lead == nil:
		f.handOver()
	case !f.hasSubscriber(f.lead.by):
		f.endTerm() // nextTerm elects the next one
	}
}

// refuseLeader tells the leader why the API server refused it, and nobody else. It returns the leader's subscriptions if its login has ended,
// so that they can begin again with the next login. The caller holds the lock.
func (f *feed) refuseLeader(over bool) (again []*subscription) {
	l := f.lead
	for s := range f.subscribers {
		switch {
		case s.proof.Load() != l.serving:
		case l.refused != nil:
			f.dropSubscriber(s)
			s.outbox.fail(*l.refused)
		case over:
			f.dropSubscriber(s)
			again = append(again, s)
		}
	}
	return again
}

// nextTerm is called after a term. It returns false if nobody follows any more.
func (h *hub) nextTerm(f *feed, over bool) (more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.mu.Lock()
	again := f.refuseLeader(over)
	f.ended = f.ended || len(f.subscribers) == 0
	ended := f.ended
	if !ended && !f.hasSubscriber(f.lead.by) {
		f.electLeader()
	}
	f.mu.Unlock()
	if ended {
		h.deleteFeed(f)
	}
	for _, s := range again {
		h.joinNextLogin(s)
	}
	return !ended
}

// handOverFrom finds another session for the requests of a feed, if the subscription that has left was the last one of the session that makes
// them.
func (h *hub) handOverFrom(f *feed, left *subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	by := left.proof.Load()
	switch {
	case f.lead == nil && f.source.Session == left.source.Session:
		f.handOver()
	case f.lead != nil && f.lead.by == by && !f.hasSubscriber(by):
		f.electLeader()
	}
}

// passPause is how long a leader leads at least that the API server has no time for, so that a busy API server isn't asked by everybody.
const passPause = 10 * time.Second

// handOverLead lets another session lead, because the API server has no time for this leader. It limits each user, so the next one may get
// through (threat: exhaustion). false: nobody else can lead now.
func (h *hub) handOverLead(f *feed) bool {
	if f.lead == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	was, now := f.lead.by, f.now()
	if !f.lead.passed.IsZero() && now.Sub(f.lead.passed) < passPause || !f.electLeader() {
		return false
	}
	f.lead.passed = now
	was.scheduleCheck(0)
	return true
}

// troubleMessage tells a subscription why nothing arrives. What an API server said to the leader may name it, so others get words of ours
// (threat: two sessions).
func (f *feed) troubleMessage(s *subscription, t follow.Trouble, now time.Time) wire.Message {
	if f.lead != nil && s.proof.Load() != f.lead.by && !t.Why.Is(status.Silent) && !t.Why.Is(status.Unanswered) {
		t.Why = status.Status{Code: t.Why.Code, Reason: t.Why.Reason, Message: sharedTrouble}
	}
	return waitMessage(t, now)
}

const sharedTrouble = "The watch that you share with other people was interrupted. Fieldmark tries again."
