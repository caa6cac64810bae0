package podlog

import (
	"slices"
	"strings"
	"time"
)

// Log has the newest lines of one or several logs within bounds, in the order of their times.
//
// A log of 100,000 lines would be as many texts and structs with pointers, and the garbage collector of a browser's program would stop the page for as
// long as it looks at all of them. So lines are kept as records without pointers, and the texts that were added together are one text.
type Log struct {
	MaxLines, MaxBytes int // at least one line is kept

	records []record
	blocks  map[int]*block
	newest  int // the key of the newest block
	styles  map[int][]Part
	bytes   int
	dropped int
	added   int
}

// record is a line that is kept.
type record struct {
	nanos          int64 // its time, as Unix time; 0: it has none
	serial, block  int
	from, to, lost int32 // from and to are bytes of the block
	source         int32
	level          Level
	note           bool
}

// block is the text of lines that were added together.
type block struct {
	text string
	left int // lines that are kept
}

// perLine is about what a line needs besides its text.
const perLine = 96

// Add adds lines of one log, which are in their order, and drops the oldest past the bounds. A line without a time belongs to the line before it.
// It returns the Number of the first line that isn't where it was before, or that is new.
func (l *Log) Add(more ...Line) (from int) {
	if len(more) == 0 {
		return l.Next()
	}
	added := l.keep(more)
	at := len(l.records)
	for first := added[0]; at > 0 && first.nanos != 0 && l.records[at-1].nanos > first.nanos; {
		at--
	}
	from = l.dropped + at + 1
	later := slices.Clone(l.records[at:])
	l.records = l.records[:at]
	for _, r := range added {
		for len(later) > 0 && later[0].nanos <= r.nanos {
			l.records, later = append(l.records, later[0]), later[1:]
		}
		l.records = append(l.records, r)
	}
	l.records = append(l.records, later...)
	l.trim()
	return max(from, l.dropped+1)
}

// keep makes records of lines, and one block of their texts.
func (l *Log) keep(lines []Line) []record {
	if l.blocks == nil {
		l.blocks, l.styles = map[int]*block{}, map[int][]Part{}
	}
	l.newest++
	var text strings.Builder
	records := make([]record, len(lines))
	for i, line := range lines {
		l.added++
		r := record{
			serial: l.added, block: l.newest, from: int32(text.Len()), lost: int32(min(line.Lost, maxLost)), source: int32(line.Source),
			level: line.Level, note: line.Note,
		}
		if !line.Time.IsZero() {
			r.nanos = line.Time.UnixNano()
		}
		text.WriteString(line.Text)
		r.to = int32(text.Len())
		records[i] = r
		if len(line.Parts) > 0 {
			l.styles[r.serial] = line.Parts
		}
		l.bytes += l.size(r)
	}
	l.blocks[l.newest] = &block{text: text.String(), left: len(lines)}
	return records
}

// maxLost bounds the count of bytes that a line has lost.
const maxLost = 1<<31 - 1

func (l *Log) size(r record) int { return perLine + int(r.to-r.from) + len(l.styles[r.serial])*24 }

func (l *Log) trim() {
	n := 0
	for ; n < len(l.records)-1 && (len(l.records)-n > l.MaxLines || l.bytes > l.MaxBytes); n++ {
		r := l.records[n]
		l.bytes -= l.size(r)
		delete(l.styles, r.serial)
		if b := l.blocks[r.block]; b.left == 1 {
			delete(l.blocks, r.block)
		} else {
			b.left--
		}
	}
	l.records = l.records[n:]
	l.dropped += n
}

// Line is the line with a Number, from 1 for the first line ever added. Numbers stay when older lines are dropped.
func (l *Log) Line(number int) Line {
	r := l.records[number-l.dropped-1]
	line := Line{
		Text: l.blocks[r.block].text[r.from:r.to], Parts: l.styles[r.serial], Level: r.level, Lost: int(r.lost), Source: int(r.source), Note: r.note, Serial: r.serial,
	}
	if r.nanos != 0 {
		line.Time = time.Unix(0, r.nanos).UTC()
	}
	return line
}

// Lines are the lines that are kept, the oldest first.
func (l *Log) Lines() []Line {
	all := make([]Line, len(l.records))
	for i := range all {
		all[i] = l.Line(l.dropped + i + 1)
	}
	return all
}

// Len is how many lines are kept.
func (l *Log) Len() int { return len(l.records) }

// Next is the Number that a line gets that is added at the end.
func (l *Log) Next() int { return l.dropped + len(l.records) + 1 }

// Dropped is how many lines were dropped.
func (l *Log) Dropped() int { return l.dropped }
