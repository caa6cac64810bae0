package podlog

import "slices"

// Log has the newest lines of one or several logs within bounds, in the order of their times.
type Log struct {
	MaxLines, MaxBytes int // at least one line is kept

	lines   []Line
	bytes   int
	dropped int
	added   int
}

// perLine is about what a line needs besides its text.
const perLine = 140

// Add adds lines of one log, which are in their order, and drops the oldest past the bounds. A line without a time belongs to the line before it.
// It returns the Number of the first line that isn't where it was before, or that is new.
func (l *Log) Add(more ...Line) (from int) {
	if len(more) == 0 {
		return l.dropped + len(l.lines) + 1
	}
	for i := range more {
		l.added++
		more[i].Serial = l.added
		l.bytes += more[i].size()
	}
	at := len(l.lines)
	for first := more[0]; at > 0 && !first.Time.IsZero() && l.lines[at-1].Time.After(first.Time); {
		at--
	}
	from = l.dropped + at + 1
	later := slices.Clone(l.lines[at:])
	l.lines = l.lines[:at]
	for _, line := range more {
		for len(later) > 0 && !later[0].Time.After(line.Time) {
			l.lines, later = append(l.lines, later[0]), later[1:]
		}
		l.lines = append(l.lines, line)
	}
	l.lines = append(l.lines, later...)
	l.trim()
	return max(from, l.dropped+1)
}

func (l *Log) trim() {
	n := 0
	for ; n < len(l.lines)-1 && (len(l.lines)-n > l.MaxLines || l.bytes > l.MaxBytes); n++ {
		l.bytes -= l.lines[n].size()
		l.lines[n] = Line{}
	}
	l.lines = l.lines[n:]
	l.dropped += n
}

// Lines are the lines that are kept, the oldest first. They are valid until the next Add.
func (l *Log) Lines() []Line { return l.lines }

// Line is the line with a Number.
func (l *Log) Line(number int) Line { return l.lines[number-l.dropped-1] }

// Next is the Number that a line gets that is added at the end.
func (l *Log) Next() int { return l.dropped + len(l.lines) + 1 }

// Dropped is how many lines were dropped.
func (l *Log) Dropped() int { return l.dropped }

// Number is the number of the line at an index of Lines, from 1 for the first line ever added. It stays when older lines are dropped.
func (l *Log) Number(i int) int { return l.dropped + i + 1 }

func (l Line) size() int { return perLine + len(l.Text) + len(l.Parts)*24 }
