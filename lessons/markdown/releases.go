package markdown

import (
	"iter"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// tried are the versions for which the text that is being read is true, as far as they are tried.
func (r *reader) tried() iter.Seq[release.Version] {
	both, ok := lesson.Tried.Meet(r.holds)
	if !ok { // for older servers, or for newer ones
		return func(func(release.Version) bool) {}
	}
	return both.All()
}

// inStep are the versions on which the step that is being read can be done.
func (r *reader) inStep() release.Range {
	if step := r.step(); step != nil {
		return step.Range
	}
	return r.lessonRange
}

// arguments takes the range out of the words behind a block's kind.
func (r *reader) arguments(f *fence, words []string) {
	var versions []string
	for _, word := range words {
		if release.IsOption(word) {
			versions = append(versions, word)
		} else {
			f.args = append(f.args, word)
		}
	}
	var err error
	if f.holds, err = release.ParseRange(versions...); err != nil {
		r.wrong(f.line, "%s: %v", f.kind, err)
	}
}

// enter narrows the versions for which text is true to those of a block. What differs is said of servers on which the step can't be done, too.
func (r *reader) enter(f *fence) {
	r.holds = f.holds
	if f.kind != "differs" && !r.narrow(f.line, r.inStep(), f.holds) {
		f.holds = release.Range{}
	}
}

// narrow makes two ranges those of the text that is being read. If they have no version in common, it keeps the outer one.
func (r *reader) narrow(line int, outer, inner release.Range) bool {
	both, ok := outer.Meet(inner)
	if r.holds = both; !ok {
		r.holds = outer
		r.wrong(line, "%s is never true here, because this part has %s already", inner, outer)
	}
	return ok
}

// in reads a line for the versions of its own range.
func (r *reader) in(line int, holds release.Range, read func()) {
	before := r.holds
	r.narrow(line, before, holds)
	read()
	r.holds = before
}

// only takes the range off the beginning of a line.
func (r *reader) only(l line) (line, release.Range) {
	holds, rest, err := release.Cut(l.text)
	if err != nil {
		r.wrong(l.n, "%v", err)
	}
	return line{l.n, rest}, holds
}

// about gives a block the versions of the requests that it is about, besides its own.
func (r *reader) about(b lesson.Block, f fence, requests ...string) lesson.Block {
	b.Range = f.holds
	for _, name := range requests {
		of, known := r.ranges[name]
		if !known {
			continue
		}
		both, ok := b.Range.Meet(of)
		if !ok {
			r.wrong(f.line, "%s: request %s is sent with %s only", f.kind, name, of)
			continue
		}
		b.Range = both
	}
	r.narrow(f.line, r.inStep(), b.Range)
	if b.Range.Since <= r.inStep().Since {
		b.Range.Since = 0 // the step says it already
	}
	return b
}

// ranged reads text that is true for some versions.
func (r *reader) ranged(f fence) {
	lines := trimmed(f.lines)
	switch {
	case len(f.args) > 0:
		r.wrong(f.line, "%s: %q is not understood%s", f.kind, strings.Join(f.args, " "), understood(nil, []string{"since", "until"}))
	case f.holds.IsZero():
		r.wrong(f.line, "%s needs the versions for which its text is true: %[1]s until=1.33", f.kind)
	}
	if len(lines) == 0 {
		r.wrong(f.line, "the %s block has no text", f.kind)
		return
	}
	p := prose{r: r, source: []byte(joined(lines)), first: lines[0].n}
	var nodes []ast.Node
	for n := dialect.Parser().Parse(text.NewReader(p.source)).FirstChild(); n != nil; n = n.NextSibling() {
		if h, isHeading := n.(*ast.Heading); isHeading && h.Level < 3 {
			p.wrong(n, "a heading begins a step, and stands outside of blocks")
		}
		p.check(n)
		nodes = append(nodes, n)
	}
	r.use(lines[0].n, joined(lines))
	r.addBlock(lesson.Block{Line: f.line, HTML: p.html(nodes...), Range: f.holds, Differs: f.kind == "differs"})
}

// Changes are the versions at which something changes in a lesson: the first ones for which a part is true, or no longer.
func Changes(l lesson.Lesson) []release.Version {
	var all []release.Version
	note := func(r release.Range) {
		if r.Since.Known() {
			all = append(all, r.Since)
		}
		if r.Until.Known() {
			all = append(all, r.Until+1)
		}
	}
	for _, t := range l.Takeaways {
		note(t.Range)
	}
	for _, step := range l.Steps {
		note(step.Range)
		for _, b := range step.Blocks {
			note(b.Range)
			changesIn(b, note)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func changesIn(b lesson.Block, note func(release.Range)) {
	switch {
	case b.Predict != nil:
		for _, c := range b.Predict.Choices {
			note(c.Range)
		}
	case b.Check != nil:
		for _, s := range b.Check.Statements {
			note(s.Range)
		}
	case b.Notes != nil:
		for _, n := range b.Notes.Notes {
			note(n.Range)
		}
	}
}
