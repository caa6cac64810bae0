package source

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// EditError is the reason, in words, why an edit of a text isn't possible.
type EditError struct{ Words string }

func (e *EditError) Error() string { return e.Words }

// Each edit has these steps:
//
//	node: find it ──▶ editing: read its document again, for the YAML nodes ──▶ remove or set: the new text ──▶ verified: parse it, and compare
//
// Replaced makes the wanted value without any text. If the new text has another value, the edit fails, and the caller gets the old text. So a mistake
// of remove or set about rare YAML never changes anything else. Remove and Set try a second text before they fail.

// Remove removes a field or list item from a document's text. It also removes parents that are then empty. The rest stays byte for
// byte: comments, blank lines, other documents. If that isn't possible, the text doesn't change, and an *EditError says why. The parts of the path
// tell fields apart that have the same path; see Meant.
func (t Text) Remove(document int, path string, parts []string) (string, error) {
	d, n, err := t.node(document, path, parts)
	if err != nil {
		return t.text, err
	}
	for n.Parent != nil && n.Parent != d.Root && len(n.Parent.Children) == 1 && !d.places[n.Parent.ID].alias {
		n = n.Parent
	}
	if n.Parent == d.Root && len(d.Root.Children) == 1 {
		return t.text, &EditError{"The document would be empty."}
	}
	e := t.editing(d, n)
	want := Replaced(n, func(any) (any, bool) { return nil, false })
	text, err := t.verified(e.remove(e.nodeDetail().end), d, want)
	if err != nil { // the text after the node would become part of the text before it
		return t.verified(e.remove(max(e.nodeDetail().end, e.lineStart(e.skip(e.nodeDetail().end))-1)), d, want)
	}
	return text, nil
}

// Set gives a field or list item of a document another value, in the text. A comment after it stays, and the rest stays byte for byte.
// If that isn't possible, the text doesn't change, and an *EditError says why. The parts of the path tell fields apart that have the same path.
func (t Text) Set(document int, path string, parts []string, value any) (string, error) {
	d, n, err := t.node(document, path, parts)
	if err != nil {
		return t.text, err
	}
	if n == d.Root {
		return t.text, &EditError{"The whole document can't be set."}
	}
	e := t.editing(d, n)
	text, err := e.set(value)
	if err != nil {
		return t.text, err
	}
	want := Replaced(n, func(any) (any, bool) { return value, true })
	if text, err := t.verified(text, d, want); err == nil {
		return text, nil
	}
	line, err := flow(value) // the blank lines after the value would become part of a text that ends with blank lines
	if err != nil {
		return t.text, err
	}
	return t.verified(e.splice(line, nil), d, want)
}

// node finds the node to change.
func (t Text) node(document int, path string, parts []string) (Document, *manifest.Node, error) {
	if document < 0 || document >= len(t.Documents) || t.Documents[document].Root == nil {
		return Document{}, nil, &EditError{"The document doesn't exist, or it can't be read."}
	}
	d := t.Documents[document]
	found := d.Meant(path, parts)
	if len(found) == 0 || found[0] == d.Root {
		return d, nil, &EditError{"The document has no field " + path + "."}
	}
	n := found[0]
	if slices.ContainsFunc(found, func(other *manifest.Node) bool { return other.Parent != n.Parent || other.Key != n.Key }) {
		return d, nil, &EditError{"The document has several fields that can be written as " + path + ". Change the text by hand."}
	}
	if p := d.places[n.ID]; p.alias {
		where := t.lines.position(int(p.start)).Line
		return d, nil, &EditError{fmt.Sprintf("The field %s comes from an alias or a merge (<<). Its text is in line %d, and other fields use the same text. Write the field without an alias first.", path, where)}
	}
	return d, n, nil
}

// verified reads the changed text again. The document must have the wanted value, and the other documents must not change.
func (t Text) verified(text string, d Document, want any) (string, error) {
	after := Parse(text)
	if len(after.Documents) != len(t.Documents) {
		return t.text, errIntricate
	}
	for i, other := range after.Documents {
		if i == d.Index && (other.Root == nil || !sameValue(other.Root.Value, want)) || i != d.Index && other.Text != t.Documents[i].Text {
			return t.text, errIntricate
		}
	}
	return text, nil
}

var errIntricate = &EditError{"This field can't be changed alone, for example because an alias refers to it. Change the text by hand."}

// Replaced is the document's value after a node was changed or removed. It copies the parents of the node, and shares everything else.
func Replaced(n *manifest.Node, by func(any) (any, bool)) any {
	value, keep := by(n.Value)
	for ; n.Parent != nil; n = n.Parent {
		switch in := n.Parent.Value.(type) {
		case map[string]any:
			in = maps.Clone(in)
			if in[n.Key] = value; !keep {
				delete(in, n.Key)
			}
			value = in
		case []any:
			in = slices.Clone(in)
			if in[n.Index] = value; !keep {
				in = slices.Delete(in, n.Index, n.Index+1)
			}
			value = in
		}
		keep = true
	}
	return value
}

func sameValue(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for key, v := range x {
			if other, has := y[key]; !has || !sameValue(v, other) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	default:
		switch b.(type) {
		case map[string]any, []any:
			return false
		}
		return equalScalar(a, b)
	}
}

// editing changes one node of a text.
type editing struct {
	*Text
	n      *manifest.Node
	rows   rows
	places []detail // by the number of the node
}

// detail is the place of a node, with the YAML nodes that it was read from. They need much memory, so they are read again for each edit.
type detail struct {
	*parsed
	start, end int
}

// editing reads a document again, to change one of its nodes. The tree of d stays, so the numbers of its nodes are valid in places.
func (t Text) editing(d Document, n *manifest.Node) editing {
	t.known, t.left = true, allowed()
	r, root := t.rooted(&d)
	e := editing{Text: &t, n: n, rows: r.rows, places: make([]detail, d.Root.End)}
	r.visitNodes(d.Root, root, func(n *manifest.Node, p *parsed) {
		at := r.placeOf(p)
		e.places[n.ID] = detail{p, int(at.start), int(at.end)}
	})
	return e
}

func (e editing) nodeDetail() detail { return e.places[e.n.ID] }

func isFlow(n *yaml.Node) bool { return n != nil && n.Style&yaml.FlowStyle != 0 }

// inFlow tells whether a node is in brackets or braces.
func (e editing) inFlow() bool {
	for n := e.n; n != nil; n = n.Parent {
		if isFlow(e.places[n.ID].in) {
			return true
		}
	}
	return false
}

// replaceRange is the text after a piece was replaced.
func (e editing) replaceRange(start, end int, by string) string {
	return e.text[:start] + by + e.text[end:]
}

// remove removes the node, up to end, which is the node's end or after it.
func (e editing) remove(end int) string {
	if e.inFlow() {
		return e.removeFlow()
	}
	start := e.head()
	line := e.lineStart(start)
	if strings.HasPrefix(e.text[line:], "\ufeff") {
		line += len("\ufeff")
	}
	if strings.TrimLeft(e.text[line:start], " ") == "" {
		return e.replaceRange(line, e.nextLine(e.lines.lineEnd(end)), "")
	}
	// The node begins after the dash of a list item. The next node moves up, unless a comment is between them.
	next := e.follower()
	if next < end || strings.TrimSpace(e.text[end:next]) != "" {
		return e.replaceRange(start, end, "")
	}
	return e.replaceRange(start, next, "")
}

// head is the beginning of a node: its key, or its dash. The YAML parser doesn't tell where each dash is. So head starts at the first dash of the
// list, and finds each next one after the item before it.
func (e editing) head() int {
	p := e.nodeDetail()
	if p.key != nil {
		return p.start
	}
	at := e.pastProperties(e.offset(p.in), p.in)
	for _, item := range e.n.Parent.Children {
		at = e.skip(at)
		if item == e.n {
			break
		}
		at = max(at+1, e.places[item.ID].end)
	}
	return at
}

func (e editing) offset(n *yaml.Node) int { return e.rows.offset(n.Line, n.Column) }

// follower is the beginning of the next node in the same mapping or list; 0: there is none.
func (e editing) follower() int {
	next := e
	next.n = nil
	for _, sibling := range e.n.Parent.Children {
		p := e.places[sibling.ID]
		if p.start > e.nodeDetail().start && !p.alias && (next.n == nil || p.start < next.nodeDetail().start) {
			next.n = sibling
		}
	}
	if next.n == nil {
		return 0
	}
	return next.head()
}

func (e editing) lineStart(at int) int { return strings.LastIndexAny(e.text[:at], "\r\n") + 1 }

// removeFlow removes a node in brackets, with one comma. It removes the node's lines if they have nothing else.
func (e editing) removeFlow() string {
	start, end := e.nodeDetail().start, e.nodeDetail().end
	before := e.back(start, 0) // the end of the text before the node
	after := e.skip(end)
	if after < len(e.text) && e.text[after] == ',' {
		return e.cutLines(start, after+1)
	}
	if before > 0 && e.text[before-1] == ',' {
		text := e.cutLines(start, end)
		return text[:before-1] + text[before:]
	}
	if last := e.former(); last > 0 {
		if comma := e.skip(last); comma < start && e.text[comma] == ',' {
			text := e.cutLines(start, end)
			return text[:comma] + text[comma+1:]
		}
	}
	return e.replaceRange(start, end, "")
}

// former is the end of the node before this one; 0: there is none.
func (e editing) former() int {
	last := 0
	for _, sibling := range e.n.Parent.Children {
		if p := e.places[sibling.ID]; p.end <= e.nodeDetail().start && sibling != e.n && !p.alias {
			last = max(last, p.end)
		}
	}
	return last
}

// cutLines removes a piece. It removes the lines of the piece if they have nothing else.
func (e editing) cutLines(start, end int) string {
	line, over := e.lineStart(start), e.lines.lineEnd(end)
	if strings.TrimSpace(e.text[line:start]) == "" && strings.TrimSpace(e.text[end:over]) == "" && line > 0 && over < len(e.text) {
		return e.replaceRange(line, e.nextLine(over), "")
	}
	for end < over && (e.text[end] == ' ' || e.text[end] == '\t') {
		end++
	}
	return e.replaceRange(start, end, "")
}

// set writes another value.
func (e editing) set(value any) (string, error) {
	p := e.nodeDetail()
	if e.inFlow() || isFlow(p.node) && len(p.node.Content) > 0 && !plainOrEmpty(value) {
		text, err := flow(value)
		return e.replaceRange(e.offset(p.node), p.end, e.gap(text)), err
	}
	head, lines, err := e.block(value)
	if err != nil {
		return "", err
	}
	return e.splice(head, lines), nil
}

// gap adds a space before a value that follows a colon directly.
func (e editing) gap(text string) string {
	if at := e.offset(e.nodeDetail().node); at > 0 && e.text[at-1] == ':' {
		return " " + text
	}
	return text
}

func plainOrEmpty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	default:
		return true
	}
}

// flow writes a value as JSON, which is also YAML.
func flow(value any) (string, error) {
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false)
	if err := w.Encode(value); err != nil {
		return "", fmt.Errorf("writing the value: %w", err)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// block writes a value to put after a key or a dash: the text for the same line, and the lines below, with the indentation of the node.
func (e editing) block(value any) (head string, lines []string, err error) {
	var text []byte
	prefix, column := "k:", 0
	if e.n.Index >= 0 {
		prefix = "-"
		text, err = manifest.YAML([]any{value})
	} else {
		text, err = manifest.YAML(map[string]any{"k": value})
	}
	if err != nil {
		return "", nil, fmt.Errorf("writing the value: %w", err)
	}
	start := e.head()
	for i := e.lineStart(start); i < start; i++ {
		column++
	}
	all := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	for _, line := range all[1:] {
		if line != "" {
			line = strings.Repeat(" ", column) + line
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.TrimPrefix(all[0], prefix)), lines, nil
}

// splice replaces the value: head goes to the line of the key or the dash, and lines go below. The case depends on where the former
// value is:
//
//	key: # stays     key: | # stays     key: value # stays
//	  value            text
func (e editing) splice(head string, lines []string) string {
	p := e.nodeDetail()
	start, end := e.offset(p.node), p.end
	from := e.pastHead()
	var b strings.Builder
	line := e.lines.lineEnd(from)
	switch {
	case start > line: // the former value begins in a line below
		b.WriteString(e.text[:from] + blank(head) + e.text[from:e.lineStart(start)])
		e.below(&b, lines)
		b.WriteString(e.text[e.nextLine(e.lines.lineEnd(end)):])
		return b.String()
	case isBlock(p.node):
		to := e.pastProperties(start, p.node)
		to += strings.IndexAny(e.text[to:]+"\n", " \t\r\n")
		b.WriteString(e.text[:start] + head + e.text[to:e.lines.lineEnd(to)])
		e.rest(&b, lines, end)
		return b.String()
	default:
		end = max(from, end)
		b.WriteString(e.text[:from])
		if between := e.text[from:max(from, start)]; head != "" && between != "" {
			b.WriteString(between + head)
		} else {
			b.WriteString(blank(head))
		}
		b.WriteString(e.text[end:e.lines.lineEnd(end)])
		e.rest(&b, lines, end)
		return b.String()
	}
}

// rest ends the line, and writes the lines below and the text after the former value.
func (e editing) rest(b *strings.Builder, lines []string, end int) {
	over := e.lines.lineEnd(end)
	if len(lines) == 0 {
		b.WriteString(e.text[over:])
		return
	}
	b.WriteString(e.newline())
	e.below(b, lines)
	b.WriteString(e.text[e.nextLine(over):])
}

func (e editing) below(b *strings.Builder, lines []string) {
	for _, line := range lines {
		b.WriteString(line + e.newline())
	}
}

func blank(head string) string {
	if head == "" {
		return ""
	}
	return " " + head
}

// pastHead is the offset after the colon of a key, or after a dash.
func (e editing) pastHead() int {
	p := e.nodeDetail()
	if p.key == nil {
		return e.head() + 1
	}
	at := e.skip(e.tokenEnd(p.start, p.key))
	if at < len(e.text) && e.text[at] == ':' {
		return at + 1
	}
	return at
}

// newline is the line end that the text uses.
func (e editing) newline() string {
	if i := strings.IndexAny(e.text, "\r\n"); i >= 0 {
		return lineBreak(e.text[i:])
	}
	return "\n"
}
