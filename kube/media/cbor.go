package media

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/fxamacker/cbor/v2"
)

// SelfDescribed is the tag by which CBOR can be recognized. The tag, 55799, means only "this is CBOR". No text in UTF-8 and no JSON begins
// with its three bytes.
const SelfDescribed = "\xd9\xd9\xf7"

// Notation is CBOR in a notation for people.
type Notation struct {
	Lines  []string
	More   int  // lines that were left out
	Tagged bool // it begins with SelfDescribed
	Count  Count
	Said   Said
}

// Count has the number of items of each type.
type Count struct {
	Maps, Arrays, ByteStrings, TextStrings, Numbers, Tags, Others int
	Later                                                         int // tags 21 to 23: bytes, with the encoding to use in JSON
}

// Bounds of the notation.
const (
	mostCBORDepth = 64
	mostElements  = 1 << 20
)

// errUnread replaces the library's own errors, which are about Go.
var errUnread = errors.New("these bytes aren't well-formed CBOR")

// ParseCBOR writes CBOR in diagnostic notation (RFC 8949, section 8), in at most most lines.
func ParseCBOR(content []byte, most int) (Notation, error) {
	mode, err := cbor.DiagOptions{ByteStringText: true, MaxNestedLevels: mostCBORDepth, MaxArrayElements: mostElements, MaxMapPairs: mostElements}.DiagMode()
	if err != nil {
		return Notation{}, fmt.Errorf("CBOR can't be shown: %w", err)
	}
	text, err := mode.Diagnose(content)
	if err != nil {
		return Notation{}, fmt.Errorf("%w: %w", errUnread, err)
	}
	n := Notation{Tagged: strings.HasPrefix(string(content[:min(len(content), len(SelfDescribed))]), SelfDescribed), Count: countItems(content)}
	n.lay(text, most)
	return n, nil
}

// countItems counts the items of well-formed CBOR. The content of a map or an array follows its head, so no recursion is needed.
func countItems(content []byte) (c Count) {
	for at := 0; at < len(content); {
		major, info := content[at]>>5, content[at]&31
		at++
		size := 0
		if info >= 24 && info <= 27 {
			size = 1 << (info - 24)
		}
		if at+size > len(content) {
			return c
		}
		value := argument(info, content[at:at+size])
		at += size
		if c.head(major, info, value); (major == 2 || major == 3) && info != 31 {
			at += int(min(value, uint64(len(content))))
		}
	}
	return c
}

// argument is the number in a head: in its first byte, or in the bytes after it.
func argument(info byte, behind []byte) uint64 {
	if len(behind) == 0 {
		return uint64(info)
	}
	var wide [8]byte
	copy(wide[8-len(behind):], behind)
	return binary.BigEndian.Uint64(wide[:])
}

func (c *Count) head(major, info byte, value uint64) {
	switch {
	case major == 7 && info == 31: // the end of an item without a length
	case major <= 1, major == 7 && info >= 25 && info <= 27:
		c.Numbers++
	case major == 2:
		c.ByteStrings++
	case major == 3:
		c.TextStrings++
	case major == 4:
		c.Arrays++
	case major == 5:
		c.Maps++
	case major == 6:
		c.Tags++
		if value >= 21 && value <= 23 {
			c.Later++
		}
	default:
		c.Others++
	}
}

// lay splits a notation into lines, one for each entry.
func (n *Notation) lay(text string, most int) {
	l := layout{text: text, most: most}
	for l.at < len(text) {
		l.step()
	}
	l.endLine()
	n.Lines, n.More, n.Said = l.lines, l.more, l.said
}

type layout struct {
	text  string
	at    int
	depth int
	line  strings.Builder
	lines []string
	more  int
	most  int
	said  Said
}

// longestLine is the number of bytes that are kept of a line.
const longestLine = 400

func (l *layout) step() {
	switch c := l.text[l.at]; c {
	case '"', '\'':
		l.quoted(c)
	case '{', '[':
		l.at++
		if l.at < len(l.text) && (l.text[l.at] == '}' || l.text[l.at] == ']') {
			l.put(l.text[l.at-1 : l.at+1])
			l.at++
			return
		}
		l.put(string(c))
		l.depth++
		l.endLine()
	case '}', ']':
		l.endLine()
		l.depth--
		l.put(string(c))
		l.at++
	case ',':
		l.put(",")
		l.endLine()
		l.at++
	case ' ':
		if l.line.Len() > 0 {
			l.put(" ")
		}
		l.at++
	default:
		l.put(string(c))
		l.at++
	}
}

// quoted takes a whole string.
func (l *layout) quoted(quote byte) {
	end := l.at + 1
	for end < len(l.text) && l.text[end] != quote {
		if l.text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end+1, len(l.text))
	l.put(l.text[l.at:end])
	l.at = end
}

func (l *layout) put(text string) {
	if len(l.lines) >= l.most && l.depth != 1 {
		text = text[:1] // the rest isn't shown, only counted
	}
	if l.line.Len() == 0 {
		l.line.WriteString(strings.Repeat("  ", min(max(0, l.depth), mostCBORDepth)))
	}
	if l.line.Len() <= longestLine {
		l.line.WriteString(clipRunes(text, longestLine))
	}
}

// endLine ends a line, unless it is empty.
func (l *layout) endLine() {
	if l.line.Len() == 0 {
		return
	}
	if name, value, ok := strings.Cut(strings.TrimSuffix(l.line.String(), ","), ": "); ok && l.depth == 1 {
		l.said.set(bare(name), bare(value))
	}
	if len(l.lines) < l.most {
		l.lines = append(l.lines, strings.ToValidUTF8(l.line.String(), "\ufffd"))
	} else {
		l.more++
	}
	l.line.Reset()
}

// bare is a string of diagnostic notation without its quotes and escapes.
func bare(text string) string {
	text = strings.Trim(strings.TrimSpace(text), `'"`)
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`).Replace(text)
}

func clipRunes(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
