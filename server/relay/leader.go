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

// terms follows with one leader after the other, until nobody follows.
func (f *feed) terms(ctx context.Context) {
	for {
		term, end := context.WithCancel(ctx)
		f.beginTerm(end)
		over := f.reflector.Run(term)
		end()
		f.uncount()
		if ctx.Err() != nil || !f.hub.succeed(f, over) {
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
			f.anew(watch.Restarted)
			l.sure = true
			f.markAll()
		}
	}
	l.serving, l.end, l.refused = l.by, end, nil
	f.source.Session, f.source.Over = l.by.source.Session, l.by.source.Over
	f.reflector = f.hub.relay.following.Reflector(f.source, f, had)
}

// confirm notes that the leader's own watch is open. The caller holds the lock.
func (f *feed) confirm() {
	if f.lead != nil && !f.lead.sure && f.lead.by == f.lead.serving {
		f.lead.sure = true
		f.markAll()
	}
}

// mark notes in a subscription whether the leader's own watch proves its permission. The caller holds the lock.
func (f *feed) mark(s *subscription) {
	if f.lead != nil {
		s.leads.Store(f.lead.sure && s.proof.Load() == f.lead.by)
	}
}

func (f *feed) markAll() {
	for s := range f.followers {
		f.mark(s)
	}
}

// elect makes another session the leader, if there is one: the one whose permission was proved last. The caller holds the lock.
func (f *feed) elect() (elected bool) {
	l := f.lead
	var next *proof
	for s := range f.followers {
		if p := s.proof.Load(); p != l.by && (next == nil || p.until.Load() > next.until.Load()) {
			next = p
		}
	}
	if next == nil {
		return false
	}
	l.by, l.sure = next, false
	f.markAll()
	f.endTerm()
	f.hub.relay.counts.takeovers.Add(1)
	return true
}

func (f *feed) endTerm() {
	if f.lead.end != nil {
		f.lead.end()
	}
}

// followed tells whether a session has a subscription here. The caller holds the lock.
func (f *feed) followed(by *proof) bool {
	for s := range f.followers {
		if s.proof.Load() == by {
			return true
		}
	}
	return false
}

// expel ends the subscriptions of accounts that keep too much. The caller holds the lock.
func (f *feed) expel(poor []*account) {
	if len(poor) == 0 {
		return
	}
	for s := range f.followers {
		if slices.Contains(poor, s.conn.account) {
			f.drop(s)
			s.outbox.fail(api.StatusOf(tooMuch{}))
		}
	}
	switch {
	case f.lead == nil:
		f.handOver()
	case !f.followed(f.lead.by):
		f.endTerm() // succeed elects the next one
	}
}

// refuse tells the leader why the API server refused it, and nobody else. It returns the leader's subscriptions if its login has ended,
// so that they can begin again with the next login. The caller holds the lock.
func (f *feed) refuse(over bool) (again []*subscription) {
	l := f.lead
	for s := range f.followers {
		switch {
		case s.proof.Load() != l.serving:
		case l.refused != nil:
			f.drop(s)
			s.outbox.fail(*l.refused)
		case over:
			f.drop(s)
			again = append(again, s)
		}
	}
	return again
}

// succeed is called after a term. It returns false if nobody follows any more.
func (h *hub) succeed(f *feed, over bool) (more bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f.mu.Lock()
	again := f.refuse(over)
	f.ended = f.ended || len(f.followers) == 0
	ended := f.ended
	if !ended && !f.followed(f.lead.by) {
		f.elect()
	}
	f.mu.Unlock()
	if ended {
		h.forget(f)
	}
	for _, s := range again {
		h.logIn(s)
	}
	return !ended
}

// succession finds another session for the requests of a feed, if the subscription that has left was the last one of the session that makes
// them.
func (h *hub) succession(f *feed, left *subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	by := left.proof.Load()
	switch {
	case f.lead == nil && f.source.Session == left.source.Session:
		f.handOver()
	case f.lead != nil && f.lead.by == by && !f.followed(by):
		f.elect()
	}
}

// passPause is how long a leader leads at least that the API server has no time for, so that a busy API server isn't asked by everybody.
const passPause = 10 * time.Second

// passOn lets another session lead, because the API server has no time for this leader. It limits each user, so the next one may get
// through (threat: exhaustion). false: nobody else can lead now.
func (h *hub) passOn(f *feed) bool {
	if f.lead == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	f.mu.Lock()
	defer f.mu.Unlock()
	was, now := f.lead.by, f.now()
	if !f.lead.passed.IsZero() && now.Sub(f.lead.passed) < passPause || !f.elect() {
		return false
	}
	f.lead.passed = now
	was.scheduleCheck(0)
	return true
}

// waiting tells a subscription why nothing arrives. What an API server said to the leader may name it, so others get words of ours
// (threat: two sessions).
func (f *feed) waiting(s *subscription, t follow.Trouble, now time.Time) wire.Message {
	if f.lead != nil && s.proof.Load() != f.lead.by && !t.Why.Is(status.Silent) && !t.Why.Is(status.Unanswered) {
		t.Why = status.Status{Code: t.Why.Code, Reason: t.Why.Reason, Message: sharedTrouble}
	}
	return waitMessage(t, now)
}

const sharedTrouble = "The watch that you share with other people was interrupted. Fieldmark tries again."
