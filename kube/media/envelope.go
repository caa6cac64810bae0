package media

import (
	"encoding/hex"
	"fmt"
	"strconv"
)

// Magic are the first bytes of Protobuf of Kubernetes: "k8s" and a zero byte.
const Magic = "k8s\x00"

// Span is a range of bytes, from From (included) to To (not included).
type Span struct{ From, To int }

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.To - s.From }

// Holds tells whether a byte is in the span.
func (s Span) Holds(at int) bool { return s.From <= at && at < s.To }

// Role is the purpose of a piece.
type Role string

// The roles.
const (
	RoleMagic  Role = "magic"
	RoleTag    Role = "tag"    // field number and wire type
	RoleLength Role = "length" // of the bytes that follow
	RoleValue  Role = "value"
	RoleRaw    Role = "raw" // the message of the object itself
)

// Piece is a range of bytes with a meaning of its own.
type Piece struct {
	Span
	Role Role
	Name string // of its field: "typeMeta.kind"
	Text string // its meaning: a number, a text
}

// Envelope is the message that contains the message of the object: runtime.Unknown of apimachinery. It comes after Magic.
type Envelope struct {
	APIVersion, Kind             string
	ContentEncoding, ContentType string
	Raw                          Span    // the message of the object, as far as its bytes are there
	RawLength                    int     // the length of that message, as the envelope has it
	Pieces                       []Piece // all bytes of the envelope, in order
	Cut                          bool    // the bytes end before the envelope does
}

// Wrong is the reason why bytes are not an envelope.
type Wrong struct {
	At    int // the offset of the wrong byte
	Words string
	Hint  string // what the bytes may be instead; empty: unknown
}

// Error says what is wrong, and where.
func (w *Wrong) Error() string { return w.Words }

// The fields of the envelope, and of the typeMeta in it.
var (
	outer = map[int]string{1: "typeMeta", 2: "raw", 3: "contentEncoding", 4: "contentType"}
	inner = map[int]string{1: "typeMeta.apiVersion", 2: "typeMeta.kind"}
)

// ParseEnvelope splits an envelope into its pieces. If data is only the beginning of a response, whole is false. The message of the object
// may then continue after the data.
func ParseEnvelope(data []byte, whole bool) (Envelope, error) {
	var e Envelope
	if err := checkMagic(data); err != nil {
		return e, err
	}
	e.addPiece(Piece{Span{0, len(Magic)}, RoleMagic, "magic", `k8s\0`})
	r := reader{data, len(Magic), len(data)}
	for r.at < r.end && !e.Cut {
		if err := e.field(&r, outer, whole); err != nil {
			return e, err
		}
	}
	return e, nil
}

func (e *Envelope) addPiece(p Piece) {
	if p.Len() > 0 {
		e.Pieces = append(e.Pieces, p)
	}
}

// mostFields is the maximum number of fields in an envelope. A real envelope has four.
const mostFields = 200

// field reads a field of the envelope, or of its typeMeta. names has the names of the known fields.
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
	e.addPiece(Piece{tag.Span, RoleTag, name, tag.String()})
	if tag.wire != Delimited {
		if known {
			return &Wrong{At: tag.From, Words: fmt.Sprintf("%s must be length-delimited, but it is %s.", name, tag.wire)}
		}
		value, err := r.skip(tag)
		e.addPiece(Piece{value, RoleValue, name, clip(hex.EncodeToString(data(r, value)), 24)})
		return err
	}
	return e.delimited(r, name, whole)
}

func data(r *reader, s Span) []byte { return r.data[s.From:s.To] }

// delimited reads the length of a field, and a value of that length.
func (e *Envelope) delimited(r *reader, name string, whole bool) error {
	length, span, err := r.varint()
	if err != nil {
		return err
	}
	e.addPiece(Piece{span, RoleLength, name, strconv.FormatUint(length, 10)})
	left := r.end - r.at
	if length > uint64(left) && (name != "raw" || whole) {
		return &Wrong{At: span.From, Words: fmt.Sprintf("%s has a length of %d bytes, but only %d are left.", name, length, left)}
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

// value notes the value of a field of the envelope.
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
	e.addPiece(Piece{at, role, name, clip(text, 80)})
}

func clip(text string, most int) string {
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// checkMagic returns what is wrong with the first bytes.
func checkMagic(data []byte) error {
	n := min(len(data), len(Magic))
	if string(data[:n]) == Magic {
		return nil
	}
	if n == 0 {
		return &Wrong{Words: "The message is empty."}
	}
	at := 0
	for at < n && data[at] == Magic[at] {
		at++
	}
	words := fmt.Sprintf(`The message must begin with 6b 38 73 00 (k8s\0), but it begins with % x.`, data[:n])
	if n < len(Magic) && at == n {
		words = fmt.Sprintf(`The message has only the bytes % x. It must begin with 6b 38 73 00 (k8s\0).`, data[:n])
	}
	return &Wrong{At: at, Words: words, Hint: looksLike(data)}
}

// beginnings are the first bytes of other formats.
var beginnings = []struct{ bytes, hint string }{
	{"8s\x00", "The first byte of k8s\\0 is missing."},
	{"\x1f\x8b", "The bytes begin like gzip, so they must be decompressed first."},
	{"\xd9\xd9\xf7", "The bytes begin with the tag 55799 of CBOR."},
	{"{", "The bytes look like JSON."},
	{"apiVersion:", "The bytes look like YAML."},
	{"kind:", "The bytes look like YAML."},
	{"\n", "The bytes look like Protobuf without an envelope."},
}

func looksLike(data []byte) string {
	for _, b := range beginnings {
		if len(data) >= len(b.bytes) && string(data[:len(b.bytes)]) == b.bytes {
			return b.hint
		}
	}
	return ""
}
