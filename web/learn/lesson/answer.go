package lesson

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// managed is the field that is folded away, where no remark is on it.
const managed = "managedFields"

// remark is a note of the lesson beside an answer.
type remark struct {
	html string
	name string // what it speaks of, where that is not in sight
}

// annotated is an answer as it is shown, with the lesson's remarks where they belong.
type annotated struct {
	status []remark            // on the status
	head   map[string][]remark // by the field's name, in lower case
	lines  []layout.Line
	at     map[int][]remark // by line
	other  []remark         // on what is not in sight
	more   bool
	folds  bool // managedFields are folded, or could be
}

// annotate lays an answer out, and puts the remarks on it.
func (m Model) annotate(b block, a *asked) annotated {
	out := annotated{head: map[string][]remark{}, at: map[int][]remark{}}
	notes := m.notes(b)
	open := m.unfolded(b)
	out.lines, out.more = m.lay(b, a, open)
	out.folds = bytes.Contains(a.x.Kept, []byte(`"`+managed+`"`))
	for _, n := range notes {
		out.place(n, m.vars(), once(a, m.vars(), inDocument{}, func() any { return documentOf(a.x) }))
	}
	return out
}

// lay lays an answer out in the form in which it came.
func (m Model) lay(b block, a *asked, open bool) (lines []layout.Line, more bool) {
	veil := m.veiled(b)
	switch form := a.x.Form(); {
	case form == call.JSON:
		how := layout.How{Hide: veil}
		if !open {
			how.Fold = managed
		}
		return layout.Of(a.x.Kept, how).To(a.lines)
	case veil:
		return []layout.Line{layout.Plain("This response may hold secrets. They can’t be hidden in this format, so it isn’t shown.")}, false
	case form == call.Text:
		return layout.Text(a.x.Kept, a.lines)
	}
	return layout.Bytes(a.x.Kept, a.lines)
}

// layMore lays out more of an answer. The button that says so goes with the last of it.
func (m Model) layMore(b block) []page.Cmd {
	a := m.live.asked[b]
	if a == nil {
		return nil
	}
	a.lines += linesAtOnce
	if _, more := m.lay(b, a, m.unfolded(b)); more {
		return nil
	}
	return []page.Cmd{page.Focus{ID: bodyID(b)}}
}

// inDocument is what notes are placed by; see once.
type inDocument struct{}

// documentOf is an answer decoded; nil where it is no JSON.
func documentOf(x call.Call) any {
	d := json.NewDecoder(bytes.NewReader(x.Kept))
	d.UseNumber()
	var document any
	if d.Decode(&document) != nil {
		return nil
	}
	return document
}

// place puts a note where it belongs.
func (out *annotated) place(n lesson.Note, vars lesson.Vars, document any) {
	r := remark{html: vars.Fill(n.Text), name: n.At.String()}
	switch n.At.Kind {
	case lesson.Status:
		out.status = append(out.status, r)
		return
	case lesson.HeaderOf, lesson.Type, lesson.Warnings:
		name := strings.ToLower(n.At.Name)
		switch n.At.Kind {
		case lesson.Type:
			name = "content-type"
		case lesson.Warnings:
			name = "warning"
		}
		out.head[name] = append(out.head[name], r)
		return
	}
	if text, err := vars.Expand(n.At.Path); err == nil && text != "" {
		if at, found := out.lineOf(text, document); found {
			out.at[at] = append(out.at[at], r)
			return
		}
	}
	out.other = append(out.other, r)
}

// lineOf is the line in which what a path leads to begins, or what holds it, where that is folded away.
func (out *annotated) lineOf(text string, document any) (int, bool) {
	path, err := lesson.ParsePath(text)
	if err != nil {
		return 0, false
	}
	steps, found := path.Route(document)
	if !found {
		return 0, false
	}
	for i, l := range out.lines {
		way, begins := l.Way()
		if begins && (slices.Equal(way, steps) || l.Folded && len(way) < len(steps) && slices.Equal(way, steps[:len(way)])) {
			return i, true
		}
	}
	return 0, false
}

// notes are those of the lesson on the answer to a request, of its own step and of those up to the one in sight.
func (m Model) notes(b block) []lesson.Note {
	var all []lesson.Note
	for n, other := range m.Lesson.Steps[b.step].Blocks {
		if other.Notes == nil {
			continue
		}
		if at, ok := m.of(other.Notes.Of, block{b.step, n}); ok && at == b {
			all = append(all, other.Notes.Notes...)
		}
	}
	return all
}

// unfoldManaged is the button that shows managedFields as they came.
func unfoldManaged(b block) string { return managed + "-" + b.String() }

// unfolded tells whether managedFields are shown as they came: where the lesson has remarks on them, unless the reader folds them.
func (m Model) unfolded(b block) bool {
	noted := slices.ContainsFunc(m.notes(b), func(n lesson.Note) bool { return strings.Contains(n.At.Path, "."+managed+"[") })
	return noted != m.live.open[unfoldManaged(b)]
}

// veiled tells whether values of an answer are hidden: it may hold secrets.
func (m Model) veiled(b block) bool {
	a := m.live.asked[b]
	path, _, _ := strings.Cut(a.x.Path, "?")
	p, err := apipath.Parse(path)
	return err != nil || p.OfSecrets() || p.OfTokens() || object.MayHold(a.x.Kept)
}
