package markdown

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// reader reads one lesson.
type reader struct {
	file   string
	known  Known
	lesson lesson.Lesson
	// lessonRange are the versions on which the lesson can be done.
	lessonRange release.Range
	mentions    []Mention
	problems    Problems

	prose    prose
	pending  []ast.Node                 // text that no block has ended yet
	requests map[string]*lesson.Request // those that were read, by their names
	last     *lesson.Request            // the last request of the step
	asking   []*lesson.Predict          // predictions that wait for the next request of the step
	later    []later                    // predictions about requests that may come later in the step
	vars     []kept                     // the variables that have a value by now
	ranges   map[string]release.Range   // the versions on which a request is sent, by its name
	holds    release.Range              // the versions for which the text that is being read is true
	resends  bool                       // a check within a time sends its request again, if that changes nothing
}

// kept is a variable, and the versions for which it has a value.
type kept struct {
	name  string
	holds release.Range
}

// later is something that speaks of a request that has not been read yet.
type later struct {
	of   string
	line int
}

func newReader(known Known, file string) *reader {
	r := &reader{file: file, known: known, requests: map[string]*lesson.Request{}, ranges: map[string]release.Range{}}
	for _, given := range lesson.Given {
		r.vars = append(r.vars, kept{name: given})
	}
	return r
}

// Parse reads a lesson. The id is the name of its folder, the file's name is for messages.
func Parse(known Known, id, file string, source []byte) (Parsed, Problems) {
	r := newReader(known, file)
	r.lesson.ID, r.lesson.File = id, file
	if !name.MatchString(id) {
		r.wrong(1, "%q is no lesson's id: a folder's name is made of lower-case letters, digits and hyphens", id)
	}
	source = []byte(strings.ReplaceAll(string(source), "\r\n", "\n"))
	head, body, ok := cutHead(source)
	if !ok {
		r.wrong(1, "the head is missing: a lesson begins with a line ---, its fields, and another line ---")
		return Parsed{Lesson: r.lesson}, r.problems
	}
	r.readHead(head)
	r.readBody(body, lineAt(source, len(source)-len(body)))
	return Parsed{Lesson: r.lesson, Mentions: r.mentions}, r.problems.sorted()
}

// name is what requests, steps and lessons may be called.
var name = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func (r *reader) wrong(line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{File: r.file, Line: line, What: fmt.Sprintf(format, args...)})
}

// missing tells of something that is spoken of and isn't there.
func (r *reader) missing(line int, format string, args ...any) {
	r.wrong(line, format, args...)
	r.problems[len(r.problems)-1].Missing = true
}

// use says which variables in a text have no value yet.
func (r *reader) use(line int, text string) {
	for i, part := range strings.Split(text, "\n") {
		for _, name := range lesson.Used(part) {
			r.useOne(line+i, name)
		}
	}
}

func (r *reader) useOne(line int, name string) {
	for v := range r.tried() {
		if !slices.ContainsFunc(r.vars, func(k kept) bool { return k.name == name && k.holds.Holds(v) }) {
			r.wrong(line, "{{%s}} has no value yet%s: a check before this has to keep one (keep SUBJECT as %[1]s)", name, r.on(name, v))
			return
		}
	}
}

// on names the version for which a variable has no value, if it has one for others.
func (r *reader) on(name string, v release.Version) string {
	if slices.ContainsFunc(r.vars, func(k kept) bool { return k.name == name }) {
		return " on Kubernetes " + v.String()
	}
	return ""
}

func (r *reader) readBody(body []byte, first int) {
	r.prose = prose{r: r, source: body, first: first}
	document := dialect.Parser().Parse(text.NewReader(body))
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		r.holds = r.inStep()
		switch n := n.(type) {
		case *ast.Heading:
			r.heading(n)
			continue
		case *ast.FencedCodeBlock:
			if f, ok := r.fenced(n, func(kind string) bool { return kinds[kind] != nil }); ok {
				r.block(f)
				continue
			}
		}
		r.prose.check(n)
		r.use(r.prose.lineOf(n), r.sourceOf(n))
		r.pending = append(r.pending, n)
	}
	r.endStep()
	if len(r.lesson.Steps) == 0 {
		r.wrong(first, "there is no step: each begins with a heading, ## …")
	}
	r.unchecked()
}

// unchecked finds requests of which anything could come.
func (r *reader) unchecked() {
	checked := map[string][]release.Range{}
	for _, step := range r.lesson.Steps {
		for _, b := range step.Blocks {
			if b.Check == nil {
				continue
			}
			within, _ := step.Range.Meet(b.Range)
			for _, s := range b.Check.Statements {
				holds, _ := within.Meet(s.Range)
				checked[b.Check.Of] = append(checked[b.Check.Of], holds)
			}
		}
	}
	for name, q := range r.requests {
		r.holds = r.ranges[name]
		for v := range r.tried() {
			if !slices.ContainsFunc(checked[name], func(holds release.Range) bool { return holds.Holds(v) }) {
				on := ""
				if len(checked[name]) > 0 {
					on = " on Kubernetes " + v.String()
				}
				r.wrong(q.Line, "nothing is checked of the answer to %s%s: say in a check what has to come, its status at least", name, on)
				break
			}
		}
	}
}

// sourceOf is the text that a block of text was written as.
func (r *reader) sourceOf(n ast.Node) string {
	end := len(r.prose.source)
	if next := n.NextSibling(); next != nil {
		end = max(next.Pos(), 0)
	}
	begin := max(n.Pos(), 0)
	return string(r.prose.source[begin:max(begin, end)])
}

// heading begins a step; smaller headings are text.
func (r *reader) heading(n *ast.Heading) {
	line := r.prose.lineOf(n)
	if n.Level > 2 {
		r.prose.check(n)
		r.pending = append(r.pending, n)
		return
	}
	if n.Level == 1 {
		r.wrong(line, "the title stands in the head: steps begin with two signs, ## …")
		return
	}
	r.endStep()
	title := plainText(r.prose.source, n)
	step := lesson.Step{Title: title, ID: slug(title), Line: line, Range: r.lessonRange}
	r.attributes(&step, n)
	if variable.MatchString(title) {
		r.wrong(line, "a heading has no variables: say it in the text")
	}
	if title == "" || step.ID == "" {
		r.wrong(line, "the heading is empty: say what is found out in this step")
	}
	if slices.ContainsFunc(r.lesson.Steps, func(s lesson.Step) bool { return s.ID == step.ID }) {
		r.wrong(line, "there is a step %s before: give this one an id of its own, {#…}", step.ID)
	}
	r.lesson.Steps = append(r.lesson.Steps, step)
}

// attributes reads what stands in braces behind a heading: an id, and the first version on which the step can be done.
func (r *reader) attributes(step *lesson.Step, n *ast.Heading) {
	if len(n.Attributes()) == 0 {
		if strings.HasSuffix(step.Title, "}") && !variable.MatchString(step.Title) {
			r.wrong(step.Line, "what stands in braces behind the heading can't be read: it is {#id since=1.34}, or one of the two")
		}
		return
	}
	line, _, _ := strings.Cut(r.sourceOf(n), "\n")
	inside := line[strings.LastIndexByte(line, '{')+1:]
	for _, word := range strings.Fields(strings.TrimSuffix(strings.TrimSpace(inside), "}")) {
		id, isID := strings.CutPrefix(word, "#")
		switch {
		case isID && name.MatchString(id):
			step.ID = id
		case release.IsOption(word):
			step.Range = r.begins(step.Line, word)
		default:
			r.wrong(step.Line, "behind a heading stands nothing but {#id since=1.34}, or one of the two; an id has lower-case letters, digits and hyphens")
		}
	}
}

// begins reads the first version of a step, or of all steps.
func (r *reader) begins(line int, word string) release.Range {
	holds, err := release.ParseRange(word)
	switch {
	case err != nil:
		r.wrong(line, "%v", err)
	case holds.Until.Known():
		r.wrong(line, "a step has no until: write in a differs block what older servers do, and give the step since, if it can't be done there")
		return release.Range{}
	}
	both, _ := holds.Meet(r.lessonRange)
	return both
}

// slug makes an id of a heading.
func slug(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') })
	id := strings.Join(words, "-")
	if id != "" && (id[0] < 'a' || id[0] > 'z') {
		return "step-" + id
	}
	return id
}

// step is the one that is being read; nil: none has begun.
func (r *reader) step() *lesson.Step {
	if len(r.lesson.Steps) == 0 {
		return nil
	}
	return &r.lesson.Steps[len(r.lesson.Steps)-1]
}

// endText makes a block of the text that has come.
func (r *reader) endText() {
	if len(r.pending) == 0 {
		return
	}
	r.html(lesson.Block{Line: r.prose.lineOf(r.pending[0]), HTML: r.prose.html(r.pending...)})
	r.pending = nil
}

// html adds something to be shown as it is.
func (r *reader) html(b lesson.Block) {
	if step := r.step(); step != nil {
		step.Blocks = append(step.Blocks, b)
		return
	}
	r.lesson.Intro += b.HTML
}

func (r *reader) addBlock(b lesson.Block) {
	r.endText()
	if step := r.step(); step != nil {
		step.Blocks = append(step.Blocks, b)
	}
}

// endStep settles what a step leaves open.
func (r *reader) endStep() {
	r.endText()
	if step := r.step(); step != nil && len(step.Blocks) == 0 {
		r.wrong(step.Line, "the step has nothing in it")
	}
	for _, p := range r.asking {
		r.wrong(p.Line, "no request follows in this step that the answer could come from: put the predict before one, or write predict of=NAME")
	}
	for _, l := range r.later {
		if r.requests[l.of] == nil {
			r.wrong(l.line, "no request is called %s, here or before", l.of)
		}
	}
	r.endPredictions()
	r.asking, r.later, r.last = nil, nil, nil
}
