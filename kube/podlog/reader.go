package podlog

import (
	"bytes"
	"time"
)

// MaxLine is how many bytes of a line are kept. It is the length of the parts in which container runtimes store longer lines.
const MaxLine = 16 << 10

// Line is one line of a log.
type Line struct {
	Time  time.Time `json:"time"`            // when the container's runtime read it; zero: the API server wasn't asked for timestamps
	Text  string    `json:"text"`            // valid UTF-8 without control characters except tabs
	Parts []Part    `json:"parts,omitempty"` // styled parts of Text, in their order
	Level Level     `json:"level,omitempty"`
	Lost  int       `json:"lost,omitempty"` // how many bytes at the end of the line were left out, because it is longer than MaxLine

	Source int  `json:"source,omitempty"` // which of several logs it is from, as their reader counts them
	Note   bool `json:"note,omitempty"`   // the log's reader wrote the text, to say what happened here
	Serial int  `json:"-"`                // counts the lines of a Log, in the order in which they were added
}

// Reader splits the body of a log into lines. The zero Reader reads a log without timestamps.
type Reader struct {
	Stamped bool // each line begins with its time, because the request has timestamps=true

	begun []byte // of the line whose end hasn't arrived
	lost  int    // bytes of that line that don't fit
}

// Read returns the lines that end in the next part of the body.
func (r *Reader) Read(part []byte) []Line {
	var all []Line
	for {
		line, rest, ended := bytes.Cut(part, []byte{'\n'})
		r.addBytes(line)
		if !ended {
			return all
		}
		all = append(all, r.endLine())
		part = rest
	}
}

// Rest returns the last line of a body that doesn't end with a line feed; ok is false if there is none.
func (r *Reader) Rest() (l Line, ok bool) {
	if len(r.begun) == 0 {
		return Line{}, false
	}
	return r.endLine(), true
}

// addBytes keeps the next bytes of a line, up to the bound.
func (r *Reader) addBytes(more []byte) {
	room := MaxLine + r.stamp() - len(r.begun)
	kept := min(len(more), max(room, 0))
	r.begun = append(r.begun, more[:kept]...)
	r.lost += len(more) - kept
}

// stamp is how long a timestamp can be, with the space after it.
func (r *Reader) stamp() int {
	if r.Stamped {
		return len(time.RFC3339Nano) + 1
	}
	return 0
}

func (r *Reader) endLine() Line {
	l := Line{Lost: r.lost}
	text := r.begun
	if r.Stamped {
		l.Time, text = cutTime(text)
	}
	l.Text, l.Parts = stripControls(text)
	l.Level = level(l.Text)
	r.begun, r.lost = r.begun[:0], 0
	return l
}

// cutTime separates the time at the beginning of a line. If there is none, the line stays as it is: a runtime's own errors have none.
func cutTime(line []byte) (time.Time, []byte) {
	stamp, rest, _ := bytes.Cut(line, []byte{' '})
	at, err := time.Parse(time.RFC3339Nano, string(stamp))
	if err != nil {
		return time.Time{}, line
	}
	return at, rest
}
