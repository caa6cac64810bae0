package media

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Wire is the wire type of a field: the last three bits of its tag.
type Wire int

// The wire types. Types 3 and 4 (groups) are deprecated, and Kubernetes never used them.
const (
	Varint    Wire = 0 // seven bits per byte
	Fixed64   Wire = 1
	Delimited Wire = 2 // a length, and this number of bytes: text, bytes, or another message
	Fixed32   Wire = 5
)

// String is the name of the wire type.
func (w Wire) String() string {
	switch w {
	case Varint:
		return "varint"
	case Fixed64:
		return "64-bit"
	case Delimited:
		return "length-delimited"
	case Fixed32:
		return "32-bit"
	}
	return "wire type " + strconv.Itoa(int(w))
}

// Guess is the type that the bytes of a field seem to have. Only the schema has the real one.
type Guess string

// The guesses.
const (
	Number  Guess = "number"
	Text    Guess = "text"
	Message Guess = "message"
	Opaque  Guess = "bytes"
	Empty   Guess = "empty" // text, bytes or a message of length zero, which all look the same
)

// Field is a field of a Protobuf message.
type Field struct {
	Span       // with its tag
	Value Span // the bytes after tag and length
	Depth int
	Num   int
	Wire  Wire
	As    Guess
	Shown string // the value, unless it is a message
	Cut   bool   // its end is missing
}

// Bounds of the result of Walk.
const (
	MostFields = 400
	MostDepth  = 12
	mostShown  = 120
)

// Walk reads a range of bytes as a message without a schema. It returns the fields in their order, and the fields of nested messages below
// them. more is true if there are more fields than it returns. If the bytes aren't a message, it returns the fields up to that place, and
// an error.
func Walk(bytes []byte, of Span, whole bool) (fields []Field, more bool, err error) {
	w := walker{reader: reader{bytes, of.From, of.To}, whole: whole}
	err = w.message(0)
	return w.fields, w.more, err
}

type walker struct {
	reader
	whole  bool
	fields []Field
	more   bool
}

func (w *walker) message(depth int) error {
	for w.at < w.end {
		if len(w.fields) == MostFields {
			w.more = true
			return nil
		}
		if err := w.field(depth); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) field(depth int) error {
	tag, err := w.tag()
	if err != nil {
		return err
	}
	f := Field{Span: tag.Span, Depth: depth, Num: tag.number, Wire: tag.wire, As: Number}
	if tag.wire != Delimited {
		f.Value, err = w.skip(tag)
		f.To, f.Shown = f.Value.To, number(tag.wire, data(&w.reader, f.Value))
		if err == nil {
			w.fields = append(w.fields, f)
		}
		return err
	}
	length, span, err := w.varint()
	if err != nil {
		return err
	}
	left := w.end - w.at
	if length > uint64(left) {
		if w.whole {
			return &Wrong{At: span.From, Words: fmt.Sprintf("Field %d has a length of %d bytes, but only %d are left.", f.Num, length, left)}
		}
		f.Cut = true
	}
	f.Value = Span{w.at, w.at + int(min(length, uint64(left)))}
	f.To = f.Value.To
	return w.value(f)
}

// value guesses the type of a length-delimited field, and reads its fields if it is a message.
func (w *walker) value(f Field) error {
	content := data(&w.reader, f.Value)
	f.As = guess(content, f.Cut)
	if f.As == Message && f.Depth+1 >= MostDepth {
		f.As = Opaque
	}
	switch f.As {
	case Text:
		f.Shown = clip(string(content), mostShown)
	case Opaque:
		f.Shown = fmt.Sprintf("% x", content[:min(len(content), 16)])
	}
	w.fields = append(w.fields, f)
	end := w.end
	if f.As == Message {
		w.end = f.Value.To
		if err := w.message(f.Depth + 1); err != nil && !f.Cut {
			return err
		}
	}
	w.at, w.end = f.Value.To, end
	return nil
}

// guess tells texts from messages. A text has no control characters. A message almost always begins with one, because the tags of its
// first fields are control characters.
func guess(content []byte, cut bool) Guess {
	switch {
	case len(content) == 0:
		return Empty
	case content[0] >= ' ' && readable(content):
		return Text
	case isMessage(content, cut):
		return Message
	case readable(content):
		return Text
	}
	return Opaque
}

func readable(content []byte) bool {
	for _, c := range content {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(content)
}

// isMessage tells whether bytes can be read as the fields of a message to their end.
func isMessage(content []byte, cut bool) bool {
	r := reader{content, 0, len(content)}
	for r.at < r.end {
		tag, err := r.tag()
		if err == nil {
			_, err = r.skip(tag)
		}
		if err != nil {
			return cut && r.at > 0
		}
	}
	return true
}

// number shows the value of a field that isn't length-delimited.
func number(w Wire, content []byte) string {
	switch {
	case w == Fixed64 && len(content) == 8:
		bits := binary.LittleEndian.Uint64(content)
		return fmt.Sprintf("%d, or %g", bits, math.Float64frombits(bits))
	case w == Fixed32 && len(content) == 4:
		bits := binary.LittleEndian.Uint32(content)
		return fmt.Sprintf("%d, or %g", bits, math.Float32frombits(bits))
	}
	n, _ := binary.Uvarint(content)
	if int64(n) < 0 {
		return strconv.FormatInt(int64(n), 10)
	}
	return strconv.FormatUint(n, 10)
}

// reader reads tags, lengths and numbers of Protobuf in a range of bytes.
type reader struct {
	data    []byte
	at, end int
}

// tag is the beginning of a field: its number and wire type.
type tag struct {
	Span
	number int
	wire   Wire
}

// String is the tag in words.
func (t tag) String() string { return fmt.Sprintf("field %d, %s", t.number, t.wire) }

// largestField is the largest number that a field can have.
const largestField = 1<<29 - 1

func (r *reader) tag() (tag, error) {
	v, span, err := r.varint()
	if err != nil {
		return tag{}, err
	}
	t := tag{span, int(min(v>>3, largestField+1)), Wire(v & 7)}
	if t.number == 0 || t.number > largestField {
		return t, &Wrong{At: span.From, Words: fmt.Sprintf("The field at byte %d has the number %d. Fields have numbers from 1 to %d.", span.From, v>>3, largestField)}
	}
	return t, nil
}

// varint reads a number of seven bits per byte, the lowest bits first. The highest bit of a byte says that another byte follows.
func (r *reader) varint() (uint64, Span, error) {
	v, n := binary.Uvarint(r.data[r.at:r.end])
	if n == 0 {
		return 0, Span{}, &Wrong{At: r.at, Words: fmt.Sprintf("The bytes end within a number that begins at byte %d.", r.at)}
	}
	if n < 0 {
		return 0, Span{}, &Wrong{At: r.at, Words: fmt.Sprintf("The number that begins at byte %d is longer than 64 bits.", r.at)}
	}
	span := Span{r.at, r.at + n}
	r.at += n
	return v, span, nil
}

// skip skips the value of a field.
func (r *reader) skip(t tag) (Span, error) {
	var size uint64
	switch t.wire {
	case Varint:
		_, span, err := r.varint()
		return span, err
	case Fixed64:
		size = 8
	case Fixed32:
		size = 4
	case Delimited:
		var err error
		if size, _, err = r.varint(); err != nil {
			return Span{r.at, r.at}, err
		}
	default:
		return Span{r.at, r.at}, &Wrong{At: t.From, Words: fmt.Sprintf("The field at byte %d has the %s, which is not in use.", t.From, t.wire)}
	}
	if left := uint64(r.end - r.at); size > left {
		return Span{r.at, r.at}, &Wrong{At: r.at, Words: fmt.Sprintf("Field %d needs %d bytes, but only %d are left.", t.number, size, left)}
	}
	span := Span{r.at, r.at + int(size)}
	r.at = span.To
	return span, nil
}
