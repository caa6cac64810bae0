package representations

import (
	"errors"
	"fmt"

	"github.com/fieldmark/fieldmark/kube/media"
)

// inspector is a Protobuf body, decoded byte by byte.
type inspector struct {
	of       string // a name for the bytes
	content  []byte
	whole    bool
	envelope media.Envelope
	err      *media.Wrong
	fields   []media.Field // of the message in it
	more     bool
	fieldErr string
	withheld bool
	stops    []stop
}

// stop is a range of bytes that can be selected: a piece of the envelope, or a field of the message in it.
type stop struct {
	media.Span
	piece int // -1: it is a field
	field int // -1: it is a piece
}

// noStop: nothing is selected.
const noStop = -1

// mostFields is how many fields of a message are shown.
const mostFields = 150

// hexRows is how many rows of the hex view are shown at a time.
const hexRows = 24

func newInspector(of string, content []byte, whole bool) *inspector {
	in := &inspector{of: of, content: content, whole: whole}
	var err error
	in.envelope, err = media.ParseEnvelope(content, whole)
	if errors.As(err, &in.err) {
		in.stops = piecesOf(in.envelope)
		return in
	}
	fields, more, walkErr := media.Walk(content, in.envelope.Raw, whole)
	if walkErr != nil {
		in.fieldErr = walkErr.Error()
	}
	in.fields, in.more = fields[:min(len(fields), mostFields)], more || len(fields) > mostFields
	for i, p := range in.envelope.Pieces {
		in.stops = append(in.stops, stop{p.Span, i, -1})
		if p.Role == media.RoleRaw {
			for j, f := range in.fields {
				in.stops = append(in.stops, stop{f.Span, -1, j})
			}
		}
	}
	return in
}

func piecesOf(e media.Envelope) (stops []stop) {
	for i, p := range e.Pieces {
		stops = append(stops, stop{p.Span, i, -1})
	}
	return stops
}

// stopAt is the smallest range with a byte; noStop: there is none.
func (in *inspector) stopAt(at int) int {
	found := noStop
	for i, s := range in.stops {
		if s.Holds(at) && (found == noStop || s.Len() <= in.stops[found].Len()) {
			found = i
		}
	}
	return found
}

// explained is the explanation of a range.
type explained struct {
	title, read, words string
	span               media.Span
}

func (in *inspector) explain(i int) (explained, bool) {
	if i < 0 || i >= len(in.stops) {
		return explained{}, false
	}
	s := in.stops[i]
	e := explained{span: s.Span}
	if s.field >= 0 {
		f := in.fields[s.field]
		e.title, e.read, e.words = fmt.Sprintf("Field %d", f.Num), f.Shown, fieldWords(f)
		return e, true
	}
	p := in.envelope.Pieces[s.piece]
	e.title, e.read, e.words = pieceTitle(p), p.Text, pieceWords(p, in.envelope)
	return e, true
}

// first are the first bytes of a range, as hex digits.
func (in *inspector) first(s media.Span, most int) string {
	to := min(s.To, s.From+most, len(in.content))
	text := fmt.Sprintf("% x", in.content[min(s.From, to):to])
	if to < s.To {
		text += " …"
	}
	return text
}
