package markdown

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// fence is a fenced block that does something.
type fence struct {
	kind  string
	args  []string // without the range
	holds release.Range
	line  int // of the opening
	lines []line
}

// kinds are the blocks, and how each is read.
var kinds = map[string]func(*reader, fence){
	"request":  (*reader).request,
	"predict":  (*reader).predict,
	"check":    (*reader).check,
	"notes":    (*reader).notes,
	"show":     (*reader).show,
	"kubectl":  (*reader).kubectl,
	"picture":  (*reader).picture,
	"recorded": (*reader).recorded,
	"stop":     (*reader).stop,
	"cleanup":  (*reader).cleanup,
	"prose":    (*reader).ranged,
	"differs":  (*reader).ranged,
}

// fenced takes a fenced block as one that does something; false: it is an example, to be shown.
func (r *reader) fenced(n *ast.FencedCodeBlock, does func(kind string) bool) (fence, bool) {
	if n.Info == nil {
		return fence{}, false
	}
	words := strings.Fields(string(n.Info.Segment.Value(r.prose.source)))
	if len(words) == 0 || !does(words[0]) {
		return fence{}, false
	}
	f := fence{kind: words[0], line: r.prose.first - 1 + lineAt(r.prose.source, n.Info.Segment.Start)}
	r.arguments(&f, words[1:])
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		f.lines = append(f.lines, line{r.prose.first - 1 + lineAt(r.prose.source, at.Start), strings.TrimSuffix(string(at.Value(r.prose.source)), "\n")})
	}
	return f, true
}

func (r *reader) block(f fence) {
	if r.step() == nil && f.kind != "picture" && f.kind != "cleanup" {
		r.wrong(f.line, "a %s belongs to a step: begin one before it, ## …", f.kind)
	}
	r.enter(&f)
	kinds[f.kind](r, f)
}

// options takes the words behind a block's kind apart: a name, words that stand alone, and NAME=VALUE.
func (r *reader) options(f fence, words, keys []string) (name string, flags map[string]bool, values map[string]string) {
	flags, values = map[string]bool{}, map[string]string{}
	for i, arg := range f.args {
		key, value, isPair := strings.Cut(arg, "=")
		switch {
		case isPair && slices.Contains(keys, key):
			values[key] = value
		case !isPair && slices.Contains(words, arg):
			flags[arg] = true
		case !isPair && i == 0:
			name = arg
		default:
			r.wrong(f.line, "%s: %q is not understood%s", f.kind, arg, understood(words, keys))
		}
	}
	return name, flags, values
}

func understood(words, keys []string) string {
	all := slices.Clone(words)
	for _, key := range keys {
		all = append(all, key+"=…")
	}
	if len(all) == 0 {
		return ""
	}
	return " (what may stand here is " + strings.Join(all, ", ") + ")"
}

// number reads a number of seconds or bytes.
func (r *reader) number(f fence, text string, most int64) int64 {
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > most {
		r.wrong(f.line, "%s: %q is no number from 1 to %d", f.kind, text, most)
	}
	return n
}

// of is the request that a block speaks of: one that is named, or the last of the step.
func (r *reader) of(f fence, name string) *lesson.Request {
	switch {
	case name == "" && r.last == nil:
		r.wrong(f.line, "%s: no request stands before it in this step; name one: %[1]s NAME", f.kind)
	case name == "":
		return r.last
	case r.requests[name] == nil:
		r.wrong(f.line, "%s: no request before this is called %s", f.kind, name)
	}
	return r.requests[name]
}

// nameOf is the name of a request, if there is one.
func nameOf(q *lesson.Request) string {
	if q == nil {
		return ""
	}
	return q.Name
}

func (r *reader) notes(f fence) {
	name, _, _ := r.options(f, nil, nil)
	n := &lesson.Notes{Of: nameOf(r.of(f, name))}
	block := r.about(lesson.Block{Line: f.line, Notes: n}, f, n.Of)
	for _, l := range written(f.lines) {
		l, holds := r.only(l)
		subject, words, ok := strings.Cut(l.text, " -- ")
		at, err := lesson.ParseSubject(subject)
		if !ok || err != nil {
			r.wrong(l.n, "a note is SUBJECT -- TEXT%s", because(err))
			continue
		}
		r.in(l.n, holds, func() {
			r.use(l.n, subject)
			n.Notes = append(n.Notes, lesson.Note{At: at, Text: r.inline([]line{{l.n, words}}), Range: holds, Line: l.n})
		})
	}
	if len(n.Notes) == 0 {
		r.wrong(f.line, "there is no note in it")
	}
	r.addBlock(block)
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return ": " + err.Error()
}

// onlyLine is what a block says that says one thing, behind its name or in its only line.
func (r *reader) onlyLine(f fence) []string {
	lines := written(f.lines)
	if len(f.args) > 0 && len(lines) == 0 {
		return f.args
	}
	if len(f.args) > 0 || len(lines) != 1 {
		r.wrong(f.line, "a %s has exactly one line", f.kind)
		return nil
	}
	return strings.Fields(lines[0].text)
}

// most is how many answers a widget shows: at least, and at most (0: any number).
var most = map[lesson.Widget][2]int{
	lesson.ShowFields: {1, 1}, lesson.ShowTable: {1, 1}, lesson.ShowDiff: {2, 2}, lesson.ShowChunks: {1, 0},
	lesson.ShowEvents: {1, 1}, lesson.ShowBytes: {1, 1}, lesson.ShowSizes: {2, 0},
}

func (r *reader) show(f fence) {
	words := r.onlyLine(f)
	if len(words) == 0 {
		return
	}
	s := &lesson.Show{Widget: lesson.Widget(words[0])}
	switch {
	case !slices.Contains(lesson.Widgets, s.Widget):
		r.wrong(f.line, "%s is nothing to show with: there are %s", words[0], quoted(widgets()))
	case s.Widget == lesson.ShowLink:
		r.showLink(f, s, words[1:])
	default:
		s.Of = words[1:]
		r.showOf(f, s)
	}
	r.addBlock(r.about(lesson.Block{Line: f.line, Show: s}, f, s.Of...))
}

func widgets() []string {
	var names []string
	for _, w := range lesson.Widgets {
		names = append(names, string(w))
	}
	return names
}

func (r *reader) showLink(f fence, s *lesson.Show, words []string) {
	for i, word := range words {
		tool, isTool := strings.CutPrefix(word, "tool=")
		switch {
		case i == 0 && strings.HasPrefix(word, "/"):
			s.Path = word
			r.use(f.line, word)
		case i == 1 && isTool && slices.Contains(lesson.Tools(), tool):
			s.Tool = tool
		case i == 1 && isTool:
			r.wrong(f.line, "%s is no tool: they are %s", tool, strings.Join(lesson.Tools(), ", "))
		default:
			r.wrong(f.line, "show link has an API path, and perhaps tool=NAME, and not %q", word)
		}
	}
	if s.Path == "" {
		r.wrong(f.line, "show link needs an API path")
	}
}

func (r *reader) showOf(f fence, s *lesson.Show) {
	for _, name := range s.Of {
		if r.requests[name] == nil {
			r.wrong(f.line, "show %s: no request before this is called %s", s.Widget, name)
		}
	}
	if n := most[s.Widget]; len(s.Of) < n[0] || n[1] > 0 && len(s.Of) > n[1] {
		r.wrong(f.line, "show %s takes the names of %s", s.Widget, map[bool]string{true: strconv.Itoa(n[0]) + " request(s)", false: "at least " + strconv.Itoa(n[0])}[n[1] > 0])
	}
}

func (r *reader) picture(f fence) {
	words := r.onlyLine(f)
	if len(words) == 0 {
		return
	}
	r.endText()
	svg, ok := r.known.Picture(words[0])
	if !ok || len(words) > 1 {
		r.missing(f.line, "no picture is called %s: they are in components/picture", strings.Join(words, " "))
	}
	if r.step() == nil && !f.holds.IsZero() {
		r.wrong(f.line, "a picture for some versions belongs to a step: begin one before it, ## …")
	}
	r.html(lesson.Block{Line: f.line, HTML: svg, Range: f.holds})
}

func (r *reader) stop(f fence) {
	words := r.onlyLine(f)
	if len(words) == 0 {
		return
	}
	if q := r.requests[words[0]]; q == nil || !q.Watch || len(words) > 1 {
		r.wrong(f.line, "stop has the name of a watch that was begun before, and %s is none", strings.Join(words, " "))
	}
	r.addBlock(r.about(lesson.Block{Line: f.line, Stop: &lesson.Stop{Of: words[0]}}, f, words[0]))
}
