// Package logs makes up what the containers of simulated nodes write.
//
// A log is a function of its container: the same one has the same lines at the same times, however much of it is read and however often. Nothing
// is stored.
//
//	start          +2 s                                     end
//	  │ opening ·····│ slot │ slot │ slot │ slot │ ···········│ closing
//	                    each has the lines of one second
//
// A slot's lines follow from the container and the number of the slot. So a reader that wants the last lines, or those since a time, begins there.
package logs

import (
	"iter"
	"math"
	"time"
)

const (
	// opening is how long a container needs to start; its first lines fall into this time.
	opening = 2 * time.Second
	// closing is when, after the second in which a container ends, it writes its last lines.
	closing = 900 * time.Millisecond
	// fileLines is how many lines a file of a log has before a new one begins. As with a real kubelet, only the newest file can be read.
	fileLines = 1_000_000
)

// Line is one line of a log, without its newline.
type Line struct {
	At     time.Time
	Stderr bool
	Text   string
	// Open tells that the line has no end yet: the next one continues it.
	Open bool
}

// Log is what one run of a container writes.
type Log struct {
	source  Source
	voice   voice
	rate    float64 // lines a second, after the opening
	seed    uint64
	started time.Time
	ended   time.Time // zero while the container runs
}

// New returns the log of one run of a container.
func New(s Source) *Log {
	l := &Log{source: s, voice: voiceOf(s), started: s.Started.UTC(), ended: s.Ended.UTC(), seed: s.seed()}
	if l.rate = s.Rate; l.rate <= 0 {
		l.rate = l.voice.rate
	}
	return l
}

// Ended tells whether the container has ended, so that the log doesn't grow.
func (l *Log) Ended() bool { return !l.ended.IsZero() }

// Between returns the lines from a time (included) to a time (excluded) that can be read at that second time. If the container has ended, it
// returns all lines from the first time on.
func (l *Log) Between(from, to time.Time) iter.Seq[Line] {
	return func(yield func(Line) bool) {
		end := l.readableUntil(to)
		if !l.each(l.openingLines(end), from, end, yield) {
			return
		}
		for slot := max(l.firstSlot(end), l.slotAt(from)); from.Before(end) && l.slotStart(slot).Before(end); slot++ {
			if !l.each(l.slotLines(slot), from, end, yield) {
				return
			}
		}
		if l.Ended() {
			l.each(l.closingLines(), from, l.ended.Add(time.Second), yield)
		}
	}
}

// Rest returns what remains of the log of a container that has ended, for a reader who has read up to a time: at least all of its last lines.
func (l *Log) Rest(from time.Time) iter.Seq[Line] {
	if last := l.ended.Add(closing); from.After(last) {
		from = last
	}
	return l.Between(from, from)
}

// Tail returns the last lines, at most n of them, that can be read at a time.
func (l *Log) Tail(n int, at time.Time) []Line {
	from := l.tailFrom(n, at)
	kept := make([]Line, 0, min(n, 1024))
	for line := range l.Between(from, at) {
		kept = append(kept, line)
	}
	return kept[max(0, len(kept)-n):]
}

// tailFrom returns a time from which on there are at least n lines, if there are as many.
func (l *Log) tailFrom(n int, at time.Time) time.Time {
	end := l.readableUntil(at)
	first := l.firstSlot(end)
	found := 0
	if l.Ended() {
		found = len(l.closingLines())
	}
	// The slot that is being written may have fewer lines than it will have, so it isn't counted.
	for slot := l.slotAt(end) - 1; slot >= first; slot-- {
		if found >= n {
			return l.slotStart(slot + 1)
		}
		found += l.lineCount(slot)
	}
	if found >= n {
		return l.slotStart(first)
	}
	return l.started
}

// each yields those lines that are within the time, and tells whether to go on.
func (l *Log) each(lines []Line, from, end time.Time, yield func(Line) bool) bool {
	for _, line := range lines {
		if !line.At.Before(from) && line.At.Before(end) && !yield(line) {
			return false
		}
	}
	return true
}

// readableUntil returns until when a reader at that time finds lines of the opening and of slots.
func (l *Log) readableUntil(at time.Time) time.Time {
	if l.Ended() {
		return l.ended.Add(closing)
	}
	return at
}

// firstSlot is the first one of the newest file.
func (l *Log) firstSlot(at time.Time) int64 {
	perFile := int64(math.Ceil(fileLines / l.rate))
	return max(0, l.slotAt(at)/perFile*perFile)
}

func (l *Log) slotAt(t time.Time) int64 {
	first := l.slotStart(0)
	if t.Before(first) {
		return 0
	}
	return int64(t.Sub(first) / time.Second)
}

func (l *Log) slotStart(slot int64) time.Time {
	return l.started.Add(opening + time.Duration(slot)*time.Second)
}

// lineCount returns how many lines a slot has: those of a whole number, and one more as often as the fraction says.
func (l *Log) lineCount(slot int64) int {
	if l.voice.line == nil {
		return 0
	}
	whole, fraction := math.Modf(l.rate)
	if newDice(l.seed, slot, -1).share() < fraction {
		whole++
	}
	return int(whole)
}

func (l *Log) slotLines(slot int64) []Line {
	n := l.lineCount(slot)
	lines := make([]Line, 0, n)
	start := l.slotStart(slot)
	for i := range n {
		d := newDice(l.seed, slot, i)
		at := start.Add(time.Duration((float64(i) + d.share()) / float64(n) * float64(time.Second)))
		text, stderr := l.voice.line(l.source, at, d)
		lines = append(lines, Line{At: at, Text: text, Stderr: stderr, Open: l.voice.open})
	}
	return lines
}

// openingLines are written while the container starts. A newer file doesn't have them.
func (l *Log) openingLines(end time.Time) []Line {
	if l.voice.opening == nil || l.firstSlot(end) > 0 {
		return nil
	}
	return spread(l.started, opening, l.seed, func(at func() time.Time) []Line { return l.voice.opening(l.source, at) })
}

// closingLines are the last ones. They say how the container ended.
func (l *Log) closingLines() []Line {
	if l.voice.closing == nil {
		return nil
	}
	start := l.ended.Add(closing)
	return spread(start, time.Second-closing, l.seed, func(at func() time.Time) []Line { return l.voice.closing(l.source, at) })
}

// mostOpening is how many lines an opening or a closing has at most.
const mostOpening = 16

// spread gives lines their times, one after the other within the given time.
func spread(start time.Time, within time.Duration, seed uint64, lines func(at func() time.Time) []Line) []Line {
	i := 0
	return lines(func() time.Time {
		step := within / mostOpening
		at := start.Add(time.Duration(i)*step + time.Duration(newDice(seed, -1, i).share()*float64(step)))
		i++
		return at
	})
}
