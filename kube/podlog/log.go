package podlog

// Log has the newest lines of a log within bounds.
type Log struct {
	MaxLines, MaxBytes int // at least one line is kept

	lines   []Line
	bytes   int
	dropped int
}

// perLine is about what a line needs besides its text.
const perLine = 120

// Add adds lines at the end, and drops the oldest past the bounds.
func (l *Log) Add(more ...Line) {
	for _, line := range more {
		l.lines = append(l.lines, line)
		l.bytes += line.size()
	}
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

// Dropped is how many lines were dropped.
func (l *Log) Dropped() int { return l.dropped }

// Number is the number of the line at an index of Lines, from 1 for the first line ever added. It stays when older lines are dropped.
func (l *Log) Number(i int) int { return l.dropped + i + 1 }

func (l Line) size() int {
	n := perLine + len(l.Text) + len(l.Parts)*24
	for _, f := range l.Data {
		n += 32 + len(f.Name) + len(f.Text)
	}
	return n
}
