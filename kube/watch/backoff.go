package watch

import "time"

// Backoff is the wait before the next attempt. It doubles each time, from Min to Max. It has a random part, so that many clients of one
// server don't return at the same moment.
type Backoff struct {
	Min, Max time.Duration

	step time.Duration
}

// Next is the wait before the next attempt: between half a step and a whole one. random is in [0, 1).
func (b *Backoff) Next(random float64) time.Duration {
	b.step = min(max(2*b.step, b.Min), b.Max)
	if !(random >= 0 && random < 1) { // not a number, too
		random = 0
	}
	half := b.step / 2
	return half + time.Duration(random*float64(b.step-half))
}

// Reset starts over after a success.
func (b *Backoff) Reset() { b.step = 0 }
