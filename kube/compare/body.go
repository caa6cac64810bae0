package compare

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/media"
	"github.com/fieldmark/fieldmark/kube/object"
)

// mostLines is how many lines of a body are compared.
const mostLines = 20_000

// body is a body with its lines to compare. There are as many as lines to show.
type body struct {
	Body
	lines []line
}

// bodyOf lays a body out as its format allows.
func bodyOf(r Response) body {
	kind := mediaType(r)
	secret := r.Secret || object.MayHold(r.Body)
	var b body
	switch {
	case len(r.Body) == 0:
		return body{}
	case kind == media.TypeJSON || strings.HasSuffix(kind, "+json"):
		b = ofJSON(r.Body, secret)
	case secret:
		b = opaque(r.Body, Withheld)
	case kind == media.TypeCBOR && !r.Cut:
		b = ofCBOR(r.Body)
	case kind == media.TypeProtobuf:
		b = ofProtobuf(r.Body, !r.Cut)
	case media.Binary(kind) || !utf8.Valid(r.Body) && !r.Cut || bytes.IndexByte(r.Body, 0) >= 0:
		b = opaque(r.Body, Binary)
	default:
		b = ofText(r.Body, kind == media.TypeYAML)
	}
	b.More = b.More || r.Cut
	return b
}

// opaque is a body that is compared as a whole, and not shown.
func opaque(content []byte, why Note) body {
	b := body{Body: Body{Note: why}}
	b.addLine(manifest.Line{{Text: fmt.Sprintf("%d B", len(content))}}, line{exact: string(content), place: string(content)})
	return b
}

func (b *body) addLine(shown manifest.Line, l line) {
	b.Lines, b.lines = append(b.Lines, shown), append(b.lines, l)
}

// ofJSON lays JSON out line by line. It may be cut, or have several documents.
func ofJSON(text []byte, secret bool) body {
	exact, more := layout.Of(text, layout.How{Whole: true}).To(mostLines)
	shown, moreShown := layout.Of(text, layout.How{Hide: secret}).To(mostLines)
	n := min(len(exact), len(shown))
	b := body{Body: Body{More: more || moreShown}}
	if secret {
		b.Note = Hidden
	}
	for i := range n {
		l := line{exact: withoutComma(exact[i].Line)}
		l.place = l.exact
		if way, begins := exact[i].Way(); begins && VariesAt(way) {
			l.place, _, _ = strings.Cut(l.exact, ":")
		}
		b.addLine(shown[i].Line, l)
	}
	return b
}

func withoutComma(l manifest.Line) string {
	if n := len(l); n > 0 && l[n-1] == (manifest.Token{Text: ","}) {
		l = l[:n-1]
	}
	return l.String()
}

// ofText splits a text into lines.
func ofText(text []byte, yaml bool) body {
	var b body
	var at outline
	for rest := string(text); rest != ""; {
		if len(b.lines) == mostLines {
			b.More = true
			break
		}
		var one string
		one, rest, _ = strings.Cut(rest, "\n")
		one = strings.TrimSuffix(one, "\r")
		l := line{exact: one, place: one}
		if yaml && at.varies(one) {
			l.place, _, _ = strings.Cut(one, ":")
		}
		shown, _ := layout.Text([]byte(one), 1)
		if len(shown) == 0 {
			shown = []layout.Line{layout.Plain("")}
		}
		b.addLine(shown[0].Line, l)
	}
	return b
}

// ofProtobuf shows the envelope of Kubernetes around a message. Messages have no names of fields, so a message is compared as a whole.
func ofProtobuf(content []byte, whole bool) body {
	e, err := media.ParseEnvelope(content, whole)
	if err != nil {
		return opaque(content, Binary)
	}
	b := body{Body: Body{Note: Binary}}
	for _, text := range []string{"apiVersion: " + e.APIVersion, "kind: " + e.Kind} {
		b.addLine(manifest.Line{{Text: text}}, line{exact: text, place: text})
	}
	message := content[min(e.Raw.From, len(content)):]
	text := fmt.Sprintf("raw: %d B", len(message))
	b.addLine(manifest.Line{{Text: text}}, line{exact: string(message), place: string(message)})
	return b
}

// longestNotation is the length from which media.ParseCBOR cuts a line.
const longestNotation = 400

// ofCBOR writes CBOR in its notation for people. Maps in CBOR have no order, so their fields are sorted.
func ofCBOR(content []byte) body {
	n, err := media.ParseCBOR(content, mostLines)
	if err != nil {
		return opaque(content, Binary)
	}
	b := body{Body: Body{More: n.More > 0}}
	lines := n.Lines
	if n.More == 0 {
		lines = sorted(lines)
	}
	var at outline
	for _, one := range lines {
		l := line{exact: strings.TrimSuffix(one, ",")}
		l.place = l.exact
		if at.variesInNotation(one) {
			l.place, _, _ = strings.Cut(l.exact, ":")
		}
		b.More = b.More || len(one) > longestNotation
		b.addLine(manifest.Line{{Text: one}}, l)
	}
	return b
}

// sorted sorts the fields of each map in a notation. Each entry of a map or a list is a line, with the lines below it.
func sorted(lines []string) []string {
	entries := entriesOf(lines)
	for i, entry := range entries {
		n := len(entry)
		if n <= 2 {
			continue
		}
		inner := sorted(entry[1 : n-1])
		if strings.HasSuffix(entry[0], "{") {
			inner = byField(inner)
		}
		entries[i] = slices.Concat(entry[:1], inner, entry[n-1:])
	}
	return slices.Concat(entries...)
}

// byField sorts the entries of one map. A comma separates each from the next.
func byField(lines []string) []string {
	entries := entriesOf(lines)
	slices.SortStableFunc(entries, func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	for i, entry := range entries {
		end := &entry[len(entry)-1]
		*end = strings.TrimSuffix(*end, ",")
		if i < len(entries)-1 {
			*end += ","
		}
	}
	return slices.Concat(entries...)
}

// entriesOf splits lines into entries. A line with more spaces than the first one, or a bracket that closes, continues its entry.
func entriesOf(lines []string) [][]string {
	var entries [][]string
	for _, one := range lines {
		closes := strings.ContainsAny(one[indent(one):min(len(one), indent(one)+1)], "}]")
		if n := len(entries); n > 0 && (indent(one) > indent(lines[0]) || closes) {
			entries[n-1] = append(entries[n-1], one)
		} else {
			entries = append(entries, []string{one})
		}
	}
	return entries
}

func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }
