package source

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
)

// The maximum number of documents that are read, and of problems that are listed.
const (
	maxDocuments = 1000
	maxProblems  = 100
)

// Parse reads a text. It ends for every text. Each part that can't be read becomes a Problem with its place and the reason.
//
//	text ──▶ split ──▶ pieces, one for each document
//	piece ──▶ node ──▶ yaml.Node ──▶ value ──▶ parsed: values with their YAML nodes ──▶ plant ──▶ Root: manifest nodes with places
//	                                                                                      └──▶ identify: type and name of the object
//
// Offsets are bytes of the whole text. A yaml.Node has a line and a column instead, counted in characters from the beginning of its segment.
// reader.offset translates them.
//
// A document that isn't valid YAML has no Root. After other errors it can have one, and is Broken.
func Parse(text string) Text {
	return wholeOf(text, 0).parse(func(t *Text) { t.documents(split(t.text)) })
}

// parse reads a piece of a text with a function, if it can be read at all.
func (w whole) parse(by func(*Text)) Text {
	text := w.text[w.from:w.to]
	t := Text{whole: w, left: allowed()}
	switch bad := invalid(text); {
	case len(text) > MaxText:
		t.problem(Problem{Severity: Error, Document: -1, Span: t.span(w.from, w.from), Message: fmt.Sprintf(
			"The text has %d bytes. An API server accepts requests of at most 3 MB (%d bytes).", len(text), MaxText)})
		return t
	case bad >= 0:
		t.problem(Problem{Severity: Error, Document: -1, Span: t.span(w.from+bad, w.from+bad+1), Message: fmt.Sprintf(
			"The byte 0x%02x is not UTF-8 text.", text[bad])})
		return t
	}
	t.holds = object.MayHold([]byte(text))
	by(&t)
	t.finish()
	return t
}

// documents reads all documents.
func (t *Text) documents(pieces []piece) {
	for _, p := range pieces {
		if len(t.Documents) == maxDocuments && !isEmpty(t.text[p.start:p.end]) {
			at := t.skip(p.start)
			t.problem(Problem{Severity: Error, Document: -1, Span: t.span(at, t.lines.lineEnd(at)), Message: fmt.Sprintf(
				"The text has more than %d documents. The documents from here on are not read.", maxDocuments)})
			break
		}
		t.readDocument(p)
	}
}

// finish sorts the problems in the order of the text, and gives the documents what they need of it.
func (t *Text) finish() {
	slices.SortStableFunc(t.Problems, func(a, b Problem) int { return a.Start.compare(b.Start) })
	w := t.whole
	for i := range t.Documents {
		t.Documents[i].whole = &w
	}
}

// invalid is the offset of the first byte that is not UTF-8; -1: there is none.
func invalid(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	for i, r := range text {
		if r == utf8.RuneError && !strings.HasPrefix(text[i:], "\ufffd") {
			return i
		}
	}
	return -1
}

// problem adds a problem, up to the maximum number.
func (t *Text) problem(p Problem) {
	if !t.full() {
		t.Problems = append(t.Problems, p)
	}
}

// full tells that no more problems are listed. Nothing is computed for them.
func (t *Text) full() bool { return t.known || len(t.Problems) >= maxProblems }

// span is a piece of the text that is being read.
func (t *Text) span(start, end int) Span {
	t.work(2 * stride)
	return t.lines.span(start, end)
}

// work counts steps of reading, each of them about one byte.
func (t *Text) work(steps int) { t.steps += max(0, steps) }

// afterDots is the problem of a text after a line with three dots.
const afterDots = "kubectl ignores everything from the line with three dots (...) to the next line with ---. Write --- instead of the dots."

// readDocument reads one document.
func (t *Text) readDocument(p piece) {
	if p.ended && !isEmpty(t.text[p.start:p.end]) {
		at := t.skip(p.start)
		t.problem(Problem{Severity: Warning, Document: len(t.Documents) - 1, Span: t.span(at, t.lines.lineEnd(at)), Message: afterDots})
		return
	}
	if isEmpty(t.text[p.start:p.end]) {
		if at := directive(t.text[p.start:p.end]); at >= 0 {
			at += p.start
			t.problem(Problem{Severity: Error, Document: -1, Span: t.span(at, t.lines.lineEnd(at)), Message: "kubectl refuses a file with a directive such as %YAML. Delete this line."})
		}
		if p.among && p.marked && p.end < len(t.text) {
			at := t.span(p.start-len("---"), p.start)
			t.problem(Problem{Span: at, Severity: Info, Document: -1, Message: "The document that begins here is empty, so it is ignored."})
		}
		return
	}
	d := Document{Index: len(t.Documents), Text: t.text[p.start:p.end], base: p.start, segment: segment{start: p.start, end: p.end}}
	from := t.skip(p.start)
	to := t.back(p.end, from)
	d.Span = t.span(from, to)
	r, root := t.rooted(&d)
	r.first = from
	if words := beside(d.Text); p.marked && words != "" {
		r.say(Error, p.start, t.lines.lineEnd(p.start), "kubectl refuses text in the same line as ---. Move the text to the next line.")
	}
	if root != nil {
		d.plant(r, root)
		d.identify(r, Document{})
	}
	d.Broken = r.broken
	t.Documents = append(t.Documents, d)
}

// segment is the text that the YAML parser reads of a document.
type segment struct {
	start, end int
	dashed     bool // it is an item of a list, with its dash
}

// rooted reads a document's value; nil if it can't be read, or isn't an object.
func (t *Text) rooted(d *Document) (*reader, *parsed) {
	s := d.segment
	text := t.text[s.start:s.end]
	t.work(len(text))
	r := &reader{
		text: t, document: d.Index, rows: rowsOf(text, s.start), left: copies{values: maxExpanded, bytes: MaxText},
		within: map[*yaml.Node]bool{}, tagged: map[*yaml.Node]bool{}, ends: map[*yaml.Node]int{},
	}
	n, in := r.node(text), (*yaml.Node)(nil)
	if s.dashed && n != nil {
		n, in = n.Content[0], n
	}
	if n == nil {
		return r, nil
	}
	root := r.value(n, in, 0)
	if s.dashed {
		d.base = r.offset(n)
		d.Text = t.text[d.base:max(d.base, root.end)]
		d.Span = t.span(d.base, d.base+len(d.Text))
	}
	if _, is := root.value.(map[string]any); is {
		return r, root
	}
	if !r.broken && !d.listed {
		r.at(Error, n, "The document must be an object with fields such as apiVersion and kind, but it is "+valueText(root.value)+".")
	}
	return r, nil
}

// plant gives the document its value.
func (d *Document) plant(r *reader, root *parsed) {
	d.Root, d.lists = manifest.Tree(root.value), &listIndex{}
	d.places = make([]place, d.Root.End)
	r.visitNodes(d.Root, root, func(n *manifest.Node, p *parsed) { d.places[n.ID] = r.placeOf(p) })
}

// reader reads a document.
type reader struct {
	text     *Text
	document int
	rows     rows
	first    int // the offset of the document's text, after blanks
	broken   bool
	left     copies
	within   map[*yaml.Node]bool // aliases that are being followed
	tagged   map[*yaml.Node]bool // scalars with anchors: whether they have the tag !
	ends     map[*yaml.Node]int  // of values that aliases copy
	copied   int                 // the number of aliases and merged mappings that are being followed
	outer    *yaml.Node          // the outermost of them
	cut      bool                // a limit was reached and reported
}

// limits has what is left of the limits of a text: its values, and the bytes that are read again to find the lines of errors.
type limits struct{ values, search int }

func allowed() limits { return limits{values: maxValues, search: maxSearch} }

// copies has what is left of the limits of a document's aliases: the values and the bytes that they copy.
type copies struct{ values, bytes int }

// maxBetween is how many commas and line ends a document may have. Values are between them, and the YAML parser needs about 200 bytes for each. A text
// in an object has fewer: an API server accepts 1 MB of it.
const maxBetween = 600_000

const (
	maxValues   = 500_000
	maxExpanded = 20_000
	maxDepth    = 200 // the maximum number of levels in an object
)

// parsed is a value, with the YAML nodes that it was read from.
type parsed struct {
	value  any
	key    *yaml.Node // of a field
	node   *yaml.Node
	in     *yaml.Node // the mapping or list around it
	fields map[string]*parsed
	items  []*parsed
	end    int  // the offset after its text
	alias  bool // its text is elsewhere, because it comes from an alias or a merged mapping
}

// node reads a text with the YAML parser; nil if it can't be read, or has no value.
func (r *reader) node(text string) *yaml.Node {
	if at := tooDeep(text); at >= 0 {
		start := r.rows.base + at
		r.say(Error, start, r.text.lines.lineEnd(start), "The text has too many nested levels.")
		return nil
	}
	if strings.Count(text, ",")+strings.Count(text, "\n") > maxBetween {
		start := r.text.skip(r.rows.base)
		r.say(Error, start, r.text.lines.lineEnd(start), fmt.Sprintf("The document has more than %d commas and lines, so it isn't read. Split the document.", maxBetween))
		return nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		if tab := indentingTab(text); tab >= 0 && strings.Contains(err.Error(), "cannot start any token") {
			r.say(Error, r.rows.base+tab, r.rows.base+tab+1, "YAML can't be indented with tabs. Use spaces.")
			return nil
		}
		r.refuse(err)
		return nil
	}
	if len(document.Content) != 1 {
		return nil
	}
	return document.Content[0]
}

// indentingTab is the beginning of the first line with a tab in its indentation; -1: there is none.
func indentingTab(text string) int {
	at := 0
	for line := range strings.Lines(text) {
		if blank := len(line) - len(strings.TrimLeft(line, " ")); strings.HasPrefix(line[blank:], "\t") && strings.TrimSpace(line) != "" {
			return at + blank
		}
		at += len(line)
	}
	return -1
}

// say adds a problem. An error makes the document broken, even if no more problems are listed.
func (r *reader) say(severity Severity, start, end int, message string) {
	if severity == Error {
		r.broken = true
	}
	if !r.text.full() {
		r.text.problem(Problem{Span: r.text.span(start, end), Severity: severity, Document: r.document, Message: message})
	}
}

// at adds a problem at a YAML node: at its first line.
func (r *reader) at(severity Severity, n *yaml.Node, message string) {
	if r.text.full() {
		r.say(severity, 0, 0, message)
		return
	}
	r.between(severity, r.offset(n), r.valueEnd(n, nil), message)
}

// between adds a problem at the first line of a piece of text.
func (r *reader) between(severity Severity, start, end int, message string) {
	r.say(severity, start, max(start, min(end, r.text.lines.lineEnd(start))), message)
}

func (r *reader) offset(n *yaml.Node) int {
	r.text.work(stride)
	return r.rows.offset(n.Line, n.Column)
}

// value reads a value in a mapping or list. A value beyond a limit is nil.
func (r *reader) value(n, in *yaml.Node, depth int) *parsed {
	p := &parsed{node: n, in: in, alias: r.copied > 0}
	last := 0 // the end of its last part
	switch {
	case !r.spend(n, depth):
		return p
	case n.Kind == yaml.AliasNode:
		return r.aliased(p, depth)
	case n.Kind == yaml.MappingNode:
		last = r.mapping(p, n, depth)
	case n.Kind == yaml.SequenceNode:
		items := make([]any, 0, len(n.Content))
		p.items = make([]*parsed, 0, len(n.Content))
		for _, child := range n.Content {
			item := r.value(child, n, depth+1)
			p.items, items = append(p.items, item), append(items, item.value)
			last = item.end
		}
		p.value = items
	default:
		p.value = r.scalar(n)
	}
	p.end = r.endOf(n, in, last)
	return p
}

// endOf is the end of a value, given the end of its last part; 0: that is unknown. An alias may copy the value often, so its end is kept.
func (r *reader) endOf(n, in *yaml.Node, last int) int {
	if r.copied == 0 {
		return r.endAfter(n, in, last)
	}
	end, known := r.ends[n]
	if !known {
		end = r.endAfter(n, in, last)
		r.ends[n] = end
	}
	return end
}

// spend counts a value, and tells whether it is within the limits. The first value beyond a limit is reported, and all later
// values of the document are nil.
func (r *reader) spend(n *yaml.Node, depth int) bool {
	r.text.left.values--
	if r.copied > 0 {
		r.left.values--
		r.left.bytes -= len(n.Value)
	}
	var why string
	switch {
	case r.cut:
		return false
	case depth > maxDepth:
		why = fmt.Sprintf("The value has more than %d nested levels.", maxDepth)
	case r.left.values < 0 || r.left.bytes < 0:
		why = fmt.Sprintf("The aliases of this document copy more than %d values, or more than 3 MB of text. Use fewer aliases.", maxExpanded)
	case r.text.left.values < 0:
		why = fmt.Sprintf("The text has more than %d values. The values from here on are not read. Split the text.", maxValues)
	default:
		return true
	}
	if r.cut = true; r.copied > 0 {
		n = r.outer
	}
	r.at(Error, n, why)
	return false
}

// aliased reads the value that an alias copies. The outermost alias has its text here (*name), so it isn't marked as alias. The
// values inside it are.
func (r *reader) aliased(p *parsed, depth int) *parsed {
	n := p.node
	end := r.endOf(n, p.in, 0)
	if r.within[n.Alias] {
		r.at(Error, n, "The value of *"+n.Value+" contains this alias itself, so it would have no end.")
		return &parsed{node: n, in: p.in, end: end, alias: true}
	}
	if r.copied == 0 {
		r.outer = n
	}
	r.within[n.Alias] = true
	r.copied++
	of := r.value(n.Alias, p.in, depth)
	r.copied--
	delete(r.within, n.Alias)
	of.node, of.in, of.end, of.alias = n, p.in, end, r.copied > 0
	return of
}

// mapping reads the fields. If a name occurs twice, the last one counts. It returns the end of the last field; 0: that was not read. A merged field has
// another mapping as its in, so a field that overwrites it is not reported as a duplicate.
func (r *reader) mapping(p *parsed, n *yaml.Node, depth int) (last int) {
	values := make(map[string]any, len(n.Content)/2)
	p.value, p.fields = values, make(map[string]*parsed, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, of := n.Content[i], n.Content[i+1]
		if isMerge(key) && !r.isText(key) {
			last = r.merge(p, values, of, depth)
			continue
		}
		name, ok := r.name(key)
		if !ok {
			last = 0
			continue
		}
		if former := p.fields[name]; former != nil && former.in == n {
			// The server decides whether to refuse this. It depends on the level of validation.
			r.at(Warning, key, fmt.Sprintf("The field %q%sthe first time in line %d. Only the last counts.", name, twice, r.line(former.key)))
		}
		field := r.value(of, n, depth+1)
		field.key = key
		p.fields[name], values[name] = field, field.value
		last = field.end
	}
	return last
}

func (r *reader) line(n *yaml.Node) int { return r.text.lines.line(r.offset(n)) }

func isMerge(key *yaml.Node) bool {
	return key.Kind == yaml.ScalarNode && key.Value == "<<" && (key.Tag == "!!merge" || key.Tag == "" || key.Tag == "!")
}

// merge copies the fields of other mappings. As in API servers, they also overwrite fields before the merge.
func (r *reader) merge(p *parsed, values map[string]any, of *yaml.Node, depth int) (end int) {
	if r.copied == 0 {
		r.outer = of
	}
	r.copied++
	defer func() { r.copied-- }()
	from := r.value(of, nil, depth)
	sources := []*parsed{from}
	if from.items != nil {
		sources = slices.Clone(from.items)
		slices.Reverse(sources) // the first one wins
	}
	for _, source := range sources {
		if source.fields == nil && !r.broken {
			r.between(Error, r.offset(of), from.end, "Only mappings can be merged (<<). Use an alias of a mapping, or a list of such aliases.")
		}
		for name, field := range source.fields {
			merged := *field
			merged.alias = true
			p.fields[name], values[name] = &merged, field.value
		}
	}
	return from.end
}

// name reads the name of a field. As in API servers, values that aren't strings become text.
func (r *reader) name(key *yaml.Node) (string, bool) {
	if key.Kind == yaml.AliasNode && key.Alias != nil && key.Alias.Kind == yaml.ScalarNode {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		r.at(Error, key, "A field's name must be plain text, not a mapping or a list.")
		return "", false
	}
	value, kind := r.resolve(key)
	switch {
	case kind == isString:
		return key.Value, true
	case kind == isNull:
		r.at(Error, key, "A field must have a name. If its name is \"null\", put it in quotes.")
		return "", false
	default:
		name := fmt.Sprint(value)
		r.at(Warning, key, fmt.Sprintf("%s is not text in YAML. It is read as the field %q. Put it in quotes.", key.Value, name))
		return name, true
	}
}

// visitNodes visits each node, with what it was read from.
func (r *reader) visitNodes(n *manifest.Node, p *parsed, visit func(*manifest.Node, *parsed)) {
	visit(n, p)
	for _, child := range n.Children {
		if n.Children[0].Index < 0 {
			r.visitNodes(child, p.fields[child.Key], visit)
		} else {
			r.visitNodes(child, p.items[child.Index], visit)
		}
	}
}

func (r *reader) placeOf(p *parsed) place {
	start, keyEnd := r.offset(p.node), 0
	if p.key != nil {
		start = r.offset(p.key)
		keyEnd = r.text.tokenEnd(start, p.key)
	}
	return place{start: int32(start), end: int32(max(start, p.end)), keyEnd: int32(keyEnd), alias: p.alias}
}

// aboutNothing is the end of a problem about a document that names no object.
const aboutNothing = ", so it doesn't name an object."

// identify reads the type and name of the document's object. An item of a list may have the type from the list (as).
func (d *Document) identify(r *reader, as Document) {
	metadata := d.Root.Field("metadata")
	get := func(n *manifest.Node, name string) string {
		if n == nil {
			return ""
		}
		child := n.Field(name)
		if child == nil {
			return ""
		}
		text, is := child.Value.(string)
		if !is && child.Value != nil {
			at := d.places[child.ID]
			r.say(Error, int(at.start), int(at.end), child.Key+" must be text, but it is "+valueText(child.Value)+". Put it in quotes.")
		}
		return text
	}
	for _, name := range []string{"apiVersion", "kind"} {
		if n := d.Root.Field(name); n != nil {
			d.line = r.text.lines.line(int(d.places[n.ID].start))
		}
	}
	before := r.broken
	d.APIVersion, d.Kind = get(d.Root, "apiVersion"), get(d.Root, "kind")
	d.Namespace, d.Name, d.GenerateName = get(metadata, "namespace"), get(metadata, "name"), get(metadata, "generateName")
	if (d.APIVersion == "" || d.Kind == "") && as.Kind != "" {
		d.APIVersion, d.Kind = as.APIVersion, as.Kind
	}
	if r.cut || r.broken && !before {
		return
	}
	var missing []string
	for _, m := range []struct{ name, value string }{
		{"apiVersion", d.APIVersion}, {"kind", d.Kind}, {"metadata.name", d.Name + d.GenerateName},
	} {
		if m.value == "" {
			missing = append(missing, m.name)
		}
	}
	if len(missing) > 0 {
		d.nameless = true
		r.say(Error, r.first, r.text.lines.lineEnd(r.first), "The document has no "+strings.Join(missing, ", no ")+aboutNothing)
	}
}

// valueText describes a value in words.
func valueText(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "a mapping"
	case []any:
		return "a list"
	case string:
		return "the text " + strconv.Quote(v[:min(len(v), 40)])
	case nil:
		return "nothing"
	default:
		return fmt.Sprint(v)
	}
}
