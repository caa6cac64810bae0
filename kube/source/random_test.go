package source

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/rounds"
)

// writer writes random documents in as many ways as people do.
type writer struct {
	*rand.Rand
	b       strings.Builder
	newline string
}

func (w *writer) pick(words ...string) string { return words[w.IntN(len(words))] }

func (w *writer) comment() string {
	return w.pick("", "", "", " # why: it's so", "   # \"x\": {")
}

func (w *writer) line(text string) { w.b.WriteString(text + w.newline) }

// between is what may stand between two fields.
func (w *writer) between(indent int) {
	switch w.IntN(9) {
	case 0:
		w.line("")
	case 1:
		w.line(strings.Repeat(" ", indent) + "# about what follows: 1")
	}
}

func (w *writer) scalar(flow bool) string {
	all := []string{"plain", "two words", "1", "-2.5", "true", "null", "~", `"double \" \n \u00e4"`, `'it''s'`, "größe🌱", `"a: b # c"`, "'{x}'", "0x10", "2001-01-02", "on", "a:b", "x#y", "!!str 12", "! 12", "!!int \"3\"", "&anchored text", "1_000", `""`}
	if !flow {
		all = append(all, "it's, {odd} [x]", "a \"b\" c", "")
	}
	return all[w.IntN(len(all))]
}

func (w *writer) flow(depth int) string {
	if depth == 0 || w.IntN(3) == 0 {
		return w.scalar(true)
	}
	var parts []string
	isMap := w.IntN(2) == 0
	for i := range w.IntN(4) {
		part := w.flow(depth - 1)
		if isMap {
			part = w.pick(fmt.Sprintf("k%d: ", i), fmt.Sprintf("\"q%d\": ", i), fmt.Sprintf("\"j%d\":  ", i)) + part
		}
		parts = append(parts, part)
	}
	separator := w.pick(", ", ",", " , ")
	text := strings.Join(parts, separator)
	if len(parts) > 0 && w.IntN(5) == 0 {
		text += ","
	}
	if isMap {
		return "{" + text + "}"
	}
	return "[" + text + "]"
}

func (w *writer) key(i int) string {
	return fmt.Sprintf(w.pick("f%d", "g.x/%d", `"q %d"`, "'s%d'", "ü%d"), i)
}

// mapping writes fields; the first one goes where the line already is, if it has begun.
func (w *writer) mapping(indent, depth int, begun bool) {
	for i := range 1 + w.IntN(3) {
		if i > 0 {
			w.between(indent)
		}
		if i > 0 || !begun {
			w.b.WriteString(strings.Repeat(" ", indent))
		}
		w.b.WriteString(w.key(i) + w.pick(":", ":", ":", " :"))
		w.value(indent, depth, false)
	}
}

func (w *writer) list(indent, depth int) {
	for i := range 1 + w.IntN(3) {
		if i > 0 {
			w.between(indent)
		}
		w.b.WriteString(strings.Repeat(" ", indent) + "-")
		if depth > 0 && w.IntN(2) == 0 {
			w.b.WriteString(" ")
			w.mapping(indent+2, depth-1, true)
			continue
		}
		w.value(indent, depth, true)
	}
}

func (w *writer) value(indent, depth int, item bool) {
	switch n := w.IntN(9); {
	case n < 2 && depth > 0:
		w.line(w.comment())
		w.mapping(indent+2, depth-1, false)
	case n < 4 && depth > 0:
		w.line(w.comment())
		if item {
			indent += 2
		}
		w.list(indent+2*w.IntN(2), depth-1)
	case n == 4:
		w.line(" " + w.pick("|", "|-", "|+", ">", ">-") + w.comment())
		w.line(strings.Repeat(" ", indent+2) + w.pick("text: x", "# no comment"))
		for range w.IntN(3) {
			w.line(strings.Repeat(" ", indent+2) + w.pick("text: x", "# no comment", "  deeper", "- no item"))
			if w.IntN(5) == 0 {
				w.line("")
			}
		}
		w.line(strings.Repeat(" ", indent+2) + "end")
	case n == 5:
		w.line(" " + w.flow(2) + w.comment())
	case n == 6:
		w.line(w.pick(" several", ` "several`, " 'several"))
		last := strings.TrimSpace(w.b.String())
		quote := ""
		if strings.HasSuffix(last, `"several`) {
			quote = `"`
		} else if strings.HasSuffix(last, "'several") {
			quote = "'"
		}
		w.line(strings.Repeat(" ", indent+3) + "lines of text" + quote)
	default:
		w.line(" " + w.scalar(false) + w.comment())
	}
}

func (w *writer) document() string {
	w.b.Reset()
	w.line("apiVersion: v1")
	w.line("kind: Thing")
	w.line(w.pick("metadata: {name: x, labels: {a: b}}", "metadata:"+w.newline+"  name: x"))
	w.line("spec:")
	w.mapping(2, 3, false)
	return w.b.String()
}

// textsOf makes random texts of up to three documents.
func textsOf(seed uint64) (string, *rand.Rand) {
	r := rand.New(rand.NewPCG(seed, 5))
	w := &writer{Rand: r, newline: "\n"}
	if r.IntN(4) == 0 {
		w.newline = "\r\n"
	}
	var all []string
	for range 1 + r.IntN(3) {
		all = append(all, w.document())
	}
	text := strings.Join(all, "---"+w.newline)
	switch r.IntN(8) {
	case 0:
		text = "\ufeff" + text
	case 1:
		text = "--- # first" + w.newline + text
	case 2:
		text = strings.TrimRight(text, "\r\n")
	}
	return text, r
}

// read reads a document as API servers do.
func read(text string) (any, error) {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("as a server reads it: %w", err)
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	var v any
	err = d.Decode(&v)
	return v, err
}

func nodesOf(n *manifest.Node) []*manifest.Node {
	all := []*manifest.Node{n}
	for _, child := range n.Children {
		all = append(all, nodesOf(child)...)
	}
	return all
}

// pathTo is a path to a node that finds it: items by their places.
func pathTo(n *manifest.Node) string {
	if n.Parent == nil {
		return ""
	}
	if n.Index >= 0 {
		return fmt.Sprintf("%s[%d]", pathTo(n.Parent), n.Index)
	}
	return pathTo(n.Parent) + "." + n.Key
}

func TestDocumentsAreReadAsServersReadThem(t *testing.T) {
	for seed := range uint64(700) {
		text, _ := textsOf(seed)
		for _, d := range Parse(text).Documents {
			if d.Root == nil {
				t.Fatalf("not read: %+v\n%s", Parse(text).Problems, text)
			}
			if want, err := read(d.Text); err != nil || !sameValue(d.Root.Value, want) {
				t.Fatalf("%v\ngot  %v\nwant %v\n%s", err, d.Root.Value, want, text)
			}
		}
	}
}

// What a place says must read as the node's value by itself.
func TestPlacesHoldTheirValues(t *testing.T) {
	for seed := range uint64(rounds.Of(700)) {
		text, _ := textsOf(seed)
		for _, d := range Parse(text).Documents {
			for _, n := range nodesOf(d.Root)[1:] {
				p := d.places[n.ID]
				piece := strings.Repeat(" ", int(p.start)-strings.LastIndexAny(text[:p.start], "\r\n\ufeff")-1) + text[p.start:p.end]
				var v yamlAny
				if err := yaml.Unmarshal([]byte(piece), &v); err != nil {
					t.Fatalf("%s: %v\n%q\n%s", pathTo(n), err, piece, text)
				}
			}
		}
	}
}

type yamlAny struct{}

func (y *yamlAny) UnmarshalJSON([]byte) error { return nil }

func TestEditsChangeNothingElse(t *testing.T) {
	refused, done := 0, 0
	for seed := range uint64(rounds.Of(1500)) {
		text, r := textsOf(seed)
		parsed := Parse(text)
		d := parsed.Documents[r.IntN(len(parsed.Documents))]
		nodes := nodesOf(d.Root)[1:]
		n := nodes[r.IntN(len(nodes))]
		if n.Key == "apiVersion" || n.Key == "kind" || n.Key == "name" && r.IntN(2) == 0 {
			continue
		}
		var after string
		var err error
		what, value := "remove", any(nil)
		if r.IntN(2) == 0 {
			after, err = parsed.Remove(d.Index, pathTo(n), nil)
		} else {
			value = values()[r.IntN(len(values()))]
			what = "set " + fmt.Sprintf("%q", fmt.Sprint(value))
			after, err = parsed.Set(d.Index, pathTo(n), nil, value)
		}
		if err != nil {
			refused++
			t.Logf("seed %d: %s %s: %v", seed, what, pathTo(n), err)
			if testing.Verbose() && refused < 6 {
				e := parsed.editing(d, n)
				if what == "remove" {
					t.Logf("%s\n----\n%s", text, e.remove(e.nodeDetail().end))
				} else {
					got, _ := e.set(value)
					t.Logf("%s\n----\n%s", text, got)
				}
			}
			continue
		}
		done++
		if bad := strayed(text, after, d, n); bad != "" {
			t.Fatalf("seed %d: %s %s touched %q\n%s\n--- became\n%s", seed, what, pathTo(n), bad, text, after)
		}
	}
	if refused > done/100 {
		t.Errorf("%d edits were refused, %d done", refused, done)
	}
}

func values() []any {
	return []any{
		"x", "", "# no comment", "several\nlines\n", "  begins with blanks\nand goes on\n", "ends\n\n\n", "a: b", json.Number("3"), true, nil, "true", "1",
		map[string]any{},
		[]any{},
		map[string]any{"a": json.Number("1"), "b": []any{"x", map[string]any{"c": "d", "e": "l\nm\n"}}},
		[]any{"x", "y\nz"},
		[]any{[]any{"n"}, map[string]any{"a": nil}},
	}
}

// strayed looks for a line that was changed although the node has no part of it: all that stood before the node's line
// and after its last one is to be there still, in that order.
func strayed(before, after string, d Document, n *manifest.Node) string {
	top := n
	for top.Parent != d.Root && top.Parent.Parent != nil && len(top.Parent.Children) == 1 {
		top = top.Parent
	}
	span := d.Place(top)
	if top.Index >= 0 && top.Parent != nil {
		span.Start = d.whole.lines.position(textOf(d).editing(d, top).head())
	}
	lines := strings.SplitAfter(before, "\n")
	rest := strings.SplitAfter(after, "\n")
	head := lines[:span.Start.Line-1]
	tail := lines[min(span.End.Line, len(lines)):]
	if e := textOf(d).editing(d, top); e.inFlow() {
		if f := e.former(); f > 0 {
			head = head[:min(len(head), d.whole.lines.position(f).Line-1)]
		}
	}
	if len(rest) < len(head) || !slices.Equal(rest[:len(head)], head) {
		return strings.Join(head, "")
	}
	joined := strings.Join(tail, "")
	if strings.HasSuffix(after, joined) || strings.HasSuffix(after, strings.TrimLeft(joined, " \r\n")) {
		return ""
	}
	return joined
}

func textOf(d Document) Text { return Text{whole: *d.whole} }
