// Package response is the response to a request of a lesson, with the lesson's notes where they belong: on the status, a header, or a line
// of the body.
package response

import (
	"bytes"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
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

// View is where a response is shown, and how.
type View struct {
	Line, Body string // ids
	Notes      []lesson.Note
	Vars       lesson.Vars
	Flipped    bool   // the reader wants managedFields otherwise than they are at first
	More       string // what the button does that lays out more
	Unfold     string // and that which flips managedFields
	Opens      components.Menu
}

// annotate lays an answer out, and puts the remarks on it.
func (v View) annotate(a *sent.Request) annotated {
	out := annotated{head: map[string][]remark{}, at: map[int][]remark{}}
	out.lines, out.more = v.lay(a)
	out.folds = bytes.Contains(a.Call.Kept, []byte(`"`+managed+`"`))
	for _, n := range v.Notes {
		out.place(n, v.Vars, sent.Once(a, v.Vars, inDocument{}, func() any { return a.Document() }))
	}
	return out
}

// lay lays an answer out in the form in which it came.
func (v View) lay(a *sent.Request) (lines []layout.Line, more bool) {
	veil := veiled(a)
	switch form := a.Call.Form(); {
	case form == call.JSON:
		how := layout.How{Hide: veil}
		if !v.unfolded() {
			how.Fold = managed
		}
		return layout.Of(a.Call.Kept, how).To(a.Lines)
	case veil:
		return []layout.Line{layout.Plain("This response may hold secrets. They can’t be hidden in this format, so it isn’t shown.")}, false
	case form == call.Text:
		return layout.Text(a.Call.Kept, a.Lines)
	}
	return layout.Bytes(a.Call.Kept, a.Lines)
}

// inDocument is what notes are placed by; see sent.Once.
type inDocument struct{}

// place puts a note where it belongs.
func (out *annotated) place(n lesson.Note, vars lesson.Vars, document any) {
	r := remark{html: vars.Fill(n.Text), name: vars.Plain(n.At.String())}
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

// unfolded tells whether managedFields are shown as they came: where the lesson has remarks on them, unless the reader folds them.
func (v View) unfolded() bool {
	noted := slices.ContainsFunc(v.Notes, func(n lesson.Note) bool { return strings.Contains(n.At.Path, "."+managed+"[") })
	return noted != v.Flipped
}

// Longer lays out more of an answer, and tells whether there is more still.
func (v View) Longer(a *sent.Request) (more bool) {
	a.Lines += sent.LinesAtOnce
	_, more = v.lay(a)
	return more
}

// veiled tells whether values of an answer are hidden: it may hold secrets.
func veiled(a *sent.Request) bool {
	path, _, _ := strings.Cut(a.Call.Path, "?")
	p, err := apipath.Parse(path)
	return err != nil || p.OfSecrets() || p.OfTokens() || object.MayHold(a.Call.Kept)
}

// Trouble is what stands between the learner and an answer; nil: nothing does.
func Trouble(x call.Call) *components.Notice {
	if !x.Done() || x.State == call.Canceled {
		return nil
	}
	switch x.Status {
	case 0:
		n := call.NoResponse()
		n.Advice = "Send it again once Fieldmark can be reached."
		return &n
	case 401:
		return &components.Notice{Tone: components.Warn, Title: "You are signed out", Words: "Fieldmark takes no requests from this browser any more.", Advice: "Reload this page to sign in. The lesson continues where you left it."}
	case 502, 503, 504:
		n := &components.Notice{Tone: components.Bad, Title: "The API server is away", Advice: "Wait until it is back, and send the request again."}
		if no := x.No(); no != nil {
			n.Quoted = no.Message
		}
		return n
	}
	return nil
}

// boundWords say how much of an answer is there to see, where that is not all.
func boundWords(x call.Call) string {
	if int64(len(x.Kept)) >= x.Bytes {
		return ""
	}
	return "The first " + components.Bytes(int64(len(x.Kept))) + " of " + components.Bytes(x.Bytes) + " were kept."
}
