package assist

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/ownership"
)

// LeastQuiet is how long a field must be quiet at least.
const LeastQuiet = 20 * time.Second

// Vigil watches a field until it is quiet. It is a value. The fight goes on if a manager that was to give up the field writes it, or if one
// manager takes it from another. One manager that writes alone is no fight.
//
//	begin ──── 4 s ──── gitops writes ──── 2 s ──── autoscaler writes ──────── 20 s, nobody takes it ────▶ quiet
//	  └ quiet counts from here  └ given up: goes on     └ another one: goes on, quiet counts from here
type Vigil struct {
	Begun  time.Time
	From   time.Time     // quiet counts from here
	Need   time.Duration // quiet for so long
	Period time.Duration // of the fight, as it was seen before; zero: unknown
	Writer ownership.Manager
	Writes int       // since From: by Writer alone
	Again  *Resumed  // the last time that the fight went on; nil: it didn't
	Times  int       // how often it went on
	Gap    time.Time // when versions may have been missed last; zero: never

	losers []ownership.Manager
	paused bool
}

// Resumed is a write with which a fight goes on.
type Resumed struct {
	By    ownership.Manager
	From  ownership.Manager // who wrote before; without a name: nobody since quiet was counted
	Value string            // as JSON; empty: the field was removed
	After time.Duration     // of quiet
	At    time.Time
}

// Settled is what a vigil has found out.
type Settled string

// What a vigil has found out.
const (
	Waiting Settled = "waiting" // it has been quiet, but not for long enough
	GoesOn  Settled = "goes on" // the fight went on, and it has not been quiet for long enough since
	Quiet   Settled = "quiet"
	Blind   Settled = "blind" // changes don't arrive
)

// NewVigil begins to watch. Losers are the managers that were to give up the field.
func NewVigil(now time.Time, period time.Duration, losers ...ownership.Manager) Vigil {
	return Vigil{Begun: now, From: now, Need: max(LeastQuiet, 3*period), Period: period, losers: losers}
}

// Hear takes in what a version did to the field.
func (v Vigil) Hear(w Write, at time.Time) Vigil {
	if !w.Took {
		return v
	}
	var by ownership.Manager
	if len(w.By) > 0 {
		by = w.By[0]
	}
	another := v.Writes > 0 && !v.Writer.Same(by)
	lost := v.Writes == 0 && slices.ContainsFunc(v.losers, by.Same)
	if !another && !lost {
		v.Writer, v.Writes = by, v.Writes+1
		return v
	}
	v.Again = &Resumed{By: by, Value: w.New, After: at.Sub(v.From), At: at}
	if another {
		v.Again.From = v.Writer
	}
	v.Times++
	v.From, v.Writer, v.Writes = at, by, 1
	return v
}

// Sees takes in whether changes arrive. Time without changes doesn't count.
func (v Vigil) Sees(live bool, now time.Time) Vigil {
	switch {
	case !live:
		v.paused = true
	case v.paused:
		v.paused, v.From, v.Gap = false, now, now
		v.Writes, v.Writer = 0, ownership.Manager{}
	}
	return v
}

// Judge says what is known now, and for how long it has been quiet.
func (v Vigil) Judge(now time.Time) (Settled, time.Duration) {
	quiet := max(0, now.Sub(v.From))
	switch {
	case v.paused:
		return Blind, 0
	case quiet >= v.Need:
		return Quiet, quiet
	case v.Again != nil:
		return GoesOn, quiet
	}
	return Waiting, quiet
}

// Given tells whether a manager was to give up the field.
func (v Vigil) Given(m ownership.Manager) bool { return slices.ContainsFunc(v.losers, m.Same) }
