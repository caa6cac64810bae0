package media

import (
	"encoding/hex"
	"fmt"
	"strconv"
)

// Magic is what Protobuf of Kubernetes begins with: "k8s" and a zero byte.
const Magic = "k8s\x00"

// Span is a range of bytes, from From up to To, which is not in it.
type Span struct{ From, To int }

// Len is how many bytes a span has.
func (s Span) Len() int { return s.To - s.From }

// Holds tells whether a byte is in the span.
func (s Span) Holds(at int) bool { return s.From <= at && at < s.To }

// Role is what the bytes of a piece do.
type Role string

// The roles.
const (
	RoleMagic  Role = "magic"
	RoleTag    Role = "tag"    // field number and wire type
	RoleLength Role = "length" // of what follows
	RoleValue  Role = "value"
	RoleRaw    Role = "raw" // the object's own message
)

// Piece is a range of bytes with a meaning of its own.
type Piece struct {
	Span
	Role Role
	Name string // of what it belongs to: "typeMeta.kind"
	Text string // as what it is read
}

// Envelope is what the object's own message is sent in: runtime.Unknown of apimachinery, behind the magic.
type Envelope struct {
	APIVersion, Kind             string
	ContentEncoding, ContentType string
	Raw                          Span    // the object's own message; what is missing of its end does not count
	RawLength                    int     // as the envelope says
	Pieces                       []Piece // all bytes of the envelope, in their order
	Cut                          bool    // the bytes end before it does
}

// Wrong says why bytes are no envelope.
type Wrong struct {
	At    int // the byte that is wrong
	Words string
	Hint  string // what they might be; empty: nobody knows
}

// Error tells what is wrong, and where.
func (w *Wrong) Error() string { return w.Words }

// The fields of the envelope, and of the typeMeta in it.
var (
	outer = map[int]string{1: "typeMeta", 2: "raw", 3: "contentEncoding", 4: "contentType"}
	inner = map[int]string{1: "typeMeta.apiVersion", 2: "typeMeta.kind"}
)

// ParseEnvelope takes an envelope apart. Of an answer of which only the first bytes are there, whole is false, and the object's own
// message may go on past them.
func ParseEnvelope(data []byte, whole bool) (Envelope, error) {
	var e Envelope
	if err := checkMagic(data); err != nil {
		return e, err
	}
	e.add(Piece{Span{0, len(Magic)}, RoleMagic, "magic", `k8s\0`})
	r := reader{data, len(Magic), len(data)}
	for r.at < r.end && !e.Cut {
		if err := e.field(&r, outer, whole); err != nil {
			return e, err
		}
	}
	return e, nil
}

func (e *Envelope) add(p Piece) {
	if p.Len() > 0 {
		e.Pieces = append(e.Pieces, p)
	}
}

// mostFields bounds how many pieces an envelope is taken into. A real one has four fields.
const mostFields = 200

// field reads a field of the envelope, or of the typeMeta in it, by the names that it may have.
func (e *Envelope) field(r *reader, names map[int]string, whole bool) error {
	if len(e.Pieces) > 3*mostFields {
		return &Wrong{At: r.at, Words: fmt.Sprintf("The envelope has more than %d fields.", mostFields)}
	}
	tag, err := r.tag()
	if err != nil {
		return err
	}
	name, known := names[tag.number]
	if !known {
		name = fmt.Sprintf("field %d", tag.number)
	}
	e.add(Piece{tag.Span, RoleTag, name, tag.String()})
	if tag.wire != Delimited {
		if known {
			return &Wrong{At: tag.From, Words: fmt.Sprintf("%s is %s; it can only be length-delimited.", name, tag.wire)}
		}
		value, err := r.skip(tag)
		e.add(Piece{value, RoleValue, name, clip(hex.EncodeToString(data(r, value)), 24)})
		return err
	}
	return e.delimited(r, name, whole)
}

func data(r *reader, s Span) []byte { return r.data[s.From:s.To] }

// delimited reads the length of a field, and what is so long.
func (e *Envelope) delimited(r *reader, name string, whole bool) error {
	length, span, err := r.varint()
	if err != nil {
		return err
	}
	e.add(Piece{span, RoleLength, name, strconv.FormatUint(length, 10)})
	left := r.end - r.at
	if length > uint64(left) && (name != "raw" || whole) {
		return &Wrong{At: span.From, Words: fmt.Sprintf("%s says that it has %d bytes, but only %d are left.", name, length, left)}
	}
	e.Cut = length > uint64(left)
	value := Span{r.at, r.at + int(min(length, uint64(left)))}
	if name == "raw" {
		e.Raw, e.RawLength = value, int(min(length, 1<<62))
	}
	if name == "typeMeta" {
		r.at = value.To
		return e.typeMeta(&reader{r.data, value.From, value.To})
	}
	e.value(name, value, string(data(r, value)))
	r.at = value.To
	return nil
}

// typeMeta reads apiVersion and kind.
func (e *Envelope) typeMeta(r *reader) error {
	for r.at < r.end {
		if err := e.field(r, inner, true); err != nil {
			return err
		}
	}
	return nil
}

// value notes what a field of the envelope holds.
func (e *Envelope) value(name string, at Span, text string) {
	role := RoleValue
	switch name {
	case "typeMeta.apiVersion":
		e.APIVersion = text
	case "typeMeta.kind":
		e.Kind = text
	case "contentEncoding":
		e.ContentEncoding = text
	case "contentType":
		e.ContentType = text
	case "raw":
		role, text = RoleRaw, strconv.Itoa(e.RawLength)+" bytes"
	}
	e.add(Piece{at, role, name, clip(text, 80)})
}

func clip(text string, most int) string {
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// checkMagic tells what is wrong with the first bytes.
func checkMagic(data []byte) error {
	n := min(len(data), len(Magic))
	if string(data[:n]) == Magic {
		return nil
	}
	if n == 0 {
		return &Wrong{Words: "There is not a single byte."}
	}
	at := 0
	for at < n && data[at] == Magic[at] {
		at++
	}
	words := fmt.Sprintf(`The message has to begin with 6b 38 73 00 (k8s\0), but begins with % x.`, data[:n])
	if n < len(Magic) && at == n {
		words = fmt.Sprintf(`The message ends within its first four bytes: 6b 38 73 00 (k8s\0) is wanted, % x is there.`, data[:n])
	}
	return &Wrong{At: at, Words: words, Hint: looksLike(data)}
}

// beginnings are what other things begin with.
var beginnings = []struct{ bytes, hint string }{
	{"8s\x00", "These are the other three of them: the first byte is missing."},
	{"\x1f\x8b", "That is how gzip begins: it has to be unpacked first."},
	{"\xd9\xd9\xf7", "That is the tag 55799, with which CBOR describes itself."},
	{"{", "That looks like JSON."},
	{"apiVersion:", "That looks like YAML."},
	{"kind:", "That looks like YAML."},
	{"\n", "That looks like Protobuf without an envelope: the first field of a message."},
}

func looksLike(data []byte) string {
	for _, b := range beginnings {
		if len(data) >= len(b.bytes) && string(data[:len(b.bytes)]) == b.bytes {
			return b.hint
		}
	}
	return ""
}
