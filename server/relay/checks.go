package relay

import "sync/atomic"

// Bounds of the checks that are in progress at the same time. The bound for an account is small, so that somebody whose checks take long
// leaves room for everybody else (threat: exhaustion).
const (
	maxChecks        = 128 // for each cluster
	maxAccountChecks = 4   // for each account
)

// checks counts the checks that are in progress. The hub's lock guards it.
type checks struct {
	byCluster map[string]int
	byAccount map[*account]int
}

// startCheck counts a check; false: there are too many.
func (c *checks) startCheck(p *proof) bool {
	if c.byCluster[p.key.cluster] >= maxChecks || c.byAccount[p.account] >= maxAccountChecks {
		return false
	}
	c.byCluster[p.key.cluster]++
	c.byAccount[p.account]++
	return true
}

func (c *checks) endCheck(p *proof) {
	c.byCluster[p.key.cluster]--
	if c.byAccount[p.account]--; c.byAccount[p.account] == 0 {
		delete(c.byAccount, p.account)
	}
}

// counts are counted since the start.
type counts struct {
	checks    [verdicts]atomic.Uint64
	takeovers atomic.Uint64
}

// Sharing is how watches are shared at this moment, and what happened since the start. It has no names.
type Sharing struct {
	// Watches are the shared watches that are open or wait for their API server. Followers are the subscriptions that use the watch of
	// somebody else.
	Watches, Followers int
	// Granted, Refused and Unanswered are results of checks.
	Granted, Refused, Unanswered uint64
	// Takeovers is how often somebody else went on with a watch.
	Takeovers uint64
}

// Sharing counts.
func (r *Relay) Sharing() Sharing {
	c := &r.counts
	all := Sharing{
		Granted: c.checks[granted].Load(), Refused: c.checks[refused].Load(), Unanswered: c.checks[noAnswer].Load(), Takeovers: c.takeovers.Load(),
	}
	r.hub.mu.Lock()
	defer r.hub.mu.Unlock()
	for key, feeds := range r.hub.feeds {
		if key.shared {
			all.Watches += len(feeds)
		}
	}
	for _, p := range r.hub.proofs {
		for s := range p.subs {
			if s.feed != nil && !s.leads.Load() {
				all.Followers++
			}
		}
	}
	return all
}
