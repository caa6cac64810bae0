package apply

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/source"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// doJump puts the editor's cursor at a place: "jump 13 5".
const doJump = "jump"

// issue is an error or a warning about a place in the text. It comes from reading the text, from the schema, or from the API server.
type issue struct {
	document int // -1: none
	span     source.Span
	severity page.Severity
	words    string
	near     string // the name or value that was probably meant
	node     *manifest.Node
	matter   schema.Matter // empty: another matter
	placed   bool          // the words name the place
	// predicted tells that the schema finds it, and that no dry run could be made yet.
	predicted bool
}

// message is the text of the mark in the editor.
func (i issue) message() string {
	if i.predicted {
		i.words = "Predicted: " + i.words
	}
	if i.near == "" {
		return i.words
	}
	return i.words + " Did you mean " + strconv.Quote(i.near) + "?"
}

// issues are all errors and warnings, in the order of the text. What the schema and the server say about one field is there once.
func (m Model) issues() []issue {
	var all []issue
	for _, p := range m.live.text.Problems {
		all = append(all, issue{document: p.Document, span: p.Span, severity: page.Severity(p.Severity), words: p.Message, placed: true})
	}
	for _, d := range m.live.docs {
		all = append(all, m.issuesOf(d)...)
	}
	slices.SortStableFunc(all, func(a, b issue) int {
		return cmp.Or(cmp.Compare(a.span.Start.Line, b.span.Start.Line), cmp.Compare(a.span.Start.Column, b.span.Start.Column))
	})
	return all
}

// issuesOf are the errors and warnings about a document that can be read.
func (m Model) issuesOf(d *document) []issue {
	n := d.read.Index
	if d.why != "" {
		if d.read.Broken {
			return nil
		}
		return []issue{{document: n, span: d.headSpan(), severity: page.Error, words: d.why}}
	}
	all := m.flaws(d)
	known := slices.Clone(all)
	if d.shown == nil || d.stale() {
		return all
	}
	for _, i := range d.said() {
		if !slices.ContainsFunc(known, i.repeats) && !m.repeated(i) {
			all = append(all, i)
		}
	}
	return all
}

// repeats tells whether another issue says the same.
func (i issue) repeats(known issue) bool {
	return i.node != nil && i.matter != "" && i.node == known.node && i.matter == known.matter
}

// repeated tells whether an issue is a field that is written twice, which reading the text has found, too.
func (m Model) repeated(i issue) bool {
	return strings.Contains(i.words, "duplicate field") && slices.ContainsFunc(m.live.text.Problems, func(p source.Problem) bool {
		return p.Document == i.document && p.Twice()
	})
}

// flaws are the differences between a document and the schema of its kind. If the server accepts the document, only unknown fields count,
// because then the server knows better. What the object had before the reader changed it doesn't count.
func (m Model) flaws(d *document) []issue {
	known := m.schemaOf(d)
	if known == nil || d.read.Root == nil || m.Subresource != "" {
		return nil
	}
	current := d.shown != nil && !d.stale()
	accepted := current && d.shown.dryRun.ok() != nil
	whole := d.untyped != nil || d.target.Creates() || d.dryRun.live != nil && d.dryRun.live.Missing()
	before := m.flawsBefore(d, known)
	var all []issue
	for _, f := range d.examined(known, whole) {
		if accepted && f.Matter != schema.Unknown || before[flawKey(f)] {
			continue
		}
		i := issue{document: d.read.Index, span: d.read.Head(f.Node), severity: page.Error, words: f.Words, near: f.Near, node: f.Node, matter: f.Matter, placed: true, predicted: m.later(d)}
		if f.Node == d.read.Root {
			i.span = d.headSpan()
		}
		if f.Matter == schema.Unknown {
			i.severity = page.Warning
		}
		all = append(all, i)
	}
	return all
}

// examined are the flaws of a document, computed once for each text.
func (d *document) examined(known *schema.Schema, whole bool) []schema.Flaw {
	if x := &d.flaws; x.root != d.read.Root || x.schema != known || x.whole != whole {
		*x = flaws{root: d.read.Root, schema: known, whole: whole, found: known.Flaws(d.read.Root, whole)}
	}
	return d.flaws.found
}

// flaws are the result of an examination.
type flaws struct {
	root   *manifest.Node
	schema *schema.Schema
	whole  bool
	found  []schema.Flaw
}

// flawsBefore are the flaws of the object that the editor began with.
func (m Model) flawsBefore(d *document, known *schema.Schema) map[string]bool {
	if !m.began(d) {
		return nil
	}
	o := m.live.opened
	if o.schema != known {
		o.schema, o.flaws = known, map[string]bool{}
		for _, f := range known.Flaws(manifest.Tree(o.fields), false) {
			o.flaws[flawKey(f)] = true
		}
	}
	return o.flaws
}

func flawKey(f schema.Flaw) string {
	return string(f.Matter) + " " + schema.PathOf(f.Node).String() + " " + f.Words
}

// said are the warnings and the causes of a refusal that the server gave in the last dry run.
func (d *document) said() []issue {
	var all []issue
	for _, w := range d.warnings() {
		if i, placed := d.issueAbout("", w.Text, page.Warning); placed {
			all = append(all, i)
		}
	}
	no := d.shown.dryRun.refused()
	if no == nil {
		return all
	}
	for _, c := range no.Causes {
		if c.Field != "" && c.Reason != status.FieldManagerConflict {
			i, _ := d.issueAbout(c.Field, c.Message, page.Error)
			i.words = fmt.Sprintf("%s: %s", c.Field, c.Message)
			all = append(all, i)
		}
	}
	if len(no.Causes) == 0 {
		i, _ := d.issueAbout("", no.Message, page.Error)
		all = append(all, i)
	}
	return all
}

// issueAbout is what the server says about a field. Without a field, the words may name one.
func (d *document) issueAbout(field, words string, severity page.Severity) (i issue, placed bool) {
	i = issue{document: d.read.Index, span: d.headSpan(), severity: severity, words: words, matter: matterOf(words)}
	paths := []string{field}
	if field == "" {
		paths = pathsIn(words)
	}
	for _, path := range paths {
		for _, n := range d.read.Find(path) {
			i.node, i.span, i.placed = n, d.read.Head(n), true
			return i, true
		}
	}
	if field != "" {
		i.span = d.spanOf(field)
		if i.matter == schema.Missing {
			if parent := field[:max(strings.LastIndexByte(field, '.'), 0)]; parent != "" {
				i.node = d.read.Nearest(parent)
			}
		}
	}
	return i, false
}

// matterOf says what a message of the server is about.
func matterOf(words string) schema.Matter {
	for _, m := range []struct {
		part   string
		matter schema.Matter
	}{
		{"unknown field", schema.Unknown},
		{"not declared in schema", schema.Unknown},
		{"Required value", schema.Missing},
		{"missing required field", schema.Missing},
		{"Unsupported value", schema.Unlisted},
		{"Invalid value: \"string\"", schema.Mistyped},
		{"cannot unmarshal", schema.Mistyped},
		{": expected ", schema.Mistyped},
		{"must be of type", schema.Mistyped},
	} {
		if strings.Contains(words, m.part) {
			return m.matter
		}
	}
	return ""
}

// issuesIn are the issues of one document that the preview lists.
func issuesIn(all []issue, document int) []issue {
	var own []issue
	for _, i := range all {
		if i.document == document {
			own = append(own, i)
		}
	}
	return own
}

// listed tells whether the list of issues has a warning of the server.
func listed(all []issue, d *document, w status.Warning) bool {
	_, placed := d.issueAbout("", w.Text, page.Warning)
	return placed && len(all) > 0
}

// jump puts the editor's cursor at a place.
func (m Model) jump(words []string) (page.Page, []page.Cmd) {
	if len(words) != 2 {
		return m, nil
	}
	line, err := strconv.Atoi(words[0])
	column, wrong := strconv.Atoi(words[1])
	if err != nil || wrong != nil {
		return m, nil
	}
	return m, []page.Cmd{page.Point{Field: Field, Line: line, Column: column}}
}

// errorsIn counts the errors among issues.
func errorsIn(all []issue) int {
	n := 0
	for _, i := range all {
		if i.severity == page.Error {
			n++
		}
	}
	return n
}
