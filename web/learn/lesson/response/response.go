// Package response shows the response to a request of a lesson. The lesson's notes stand where they belong: at the status, at a header, or at a
// line of the body.
package response

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// managed is the field that is folded unless a note is about it.
const managed = "managedFields"

// remark is a note of the lesson as it is shown.
type remark struct {
	html string
	name string // its subject, which is shown if the remark has no line
}

// annotated is a laid out response with its remarks.
type annotated struct {
	status []remark            // on the status
	head   map[string][]remark // by the header's name, in lower case
	laid   laid
	at     map[int][]remark // by line
	other  []remark         // without a line
	folds  bool             // managedFields are folded, or could be
}

// class is the class of a line that the lesson is about: noted for a remark, asked for a prediction; empty for other lines.
func (out annotated) class(line int) string {
	switch {
	case len(out.at[line]) > 0:
		return "noted"
	case slices.Contains(out.laid.at, line):
		return "asked"
	}
	return ""
}

// View is where a response is shown, and how.
type View struct {
	Line, Body string // ids
	Notes      []lesson.Note
	Unfit      *Unfit           // why there are no notes though the lesson has some; nil: the response is the expected one
	Points     []lesson.Subject // what the predictions about the response are about
	Vars       lesson.Vars
	Flipped    bool   // the reader has folded or unfolded managedFields
	Opened     []int  // first lines of the folds that the reader has opened
	More       string // the action of “Show more lines”
	Gap        string // the action of a fold's button, without the line
	Unfold     string // the action of the button managedFields
	Opens      components.Menu
	// Still tells that nothing in the response can be pressed. The browser itself opens folds then.
	Still bool
}

// Unfit is why a response is not the one that the lesson's notes are about.
type Unfit struct {
	Check string // the check that failed, as the lesson writes it; empty: it is not known, or there is none
}

// annotate lays a response out, and puts the remarks on it.
func (v View) annotate(a *sent.Request) annotated {
	out := annotated{head: map[string][]remark{}, at: map[int][]remark{}}
	out.laid = v.lay(a)
	out.folds = bytes.Contains(a.Call.Kept, []byte(`"`+managed+`"`))
	for i, n := range v.Notes {
		out.placeNote(n, v.Vars, out.laid.at[i])
	}
	return out
}

// placeNote puts a note where it belongs. line is the line of its subject; below 0: there is none.
func (out *annotated) placeNote(n lesson.Note, vars lesson.Vars, line int) {
	r := remark{html: vars.Fill(n.Text), name: vars.Plain(n.At.String())}
	name := strings.ToLower(n.At.Name)
	switch n.At.Kind {
	case lesson.Status:
		out.status = append(out.status, r)
		return
	case lesson.Type:
		name = "content-type"
	case lesson.Warnings:
		name = "warning"
	case lesson.HeaderOf:
	default:
		if line >= 0 {
			out.at[line] = append(out.at[line], r)
		} else {
			out.other = append(out.other, r)
		}
		return
	}
	out.head[name] = append(out.head[name], r)
}

// unfolded tells whether managedFields are unfolded: if a note is about them, unless the reader has flipped that.
func (v View) unfolded() bool {
	noted := slices.ContainsFunc(v.Notes, func(n lesson.Note) bool { return strings.Contains(n.At.Path, "."+managed+"[") })
	return noted != v.Flipped
}

// Longer lays out more lines of a response, and tells whether there are still more.
func (v View) Longer(a *sent.Request) (more bool) {
	a.Lines += sent.LinesAtOnce
	return v.lay(a).more
}

// veiled tells whether values of a response are hidden, because it may contain secrets.
func veiled(a *sent.Request) bool {
	path, _, _ := strings.Cut(a.Call.Path, "?")
	p, err := apipath.Parse(path)
	return err != nil || p.OfSecrets() || p.OfTokens() || object.MayHold(a.Call.Kept)
}

// Trouble says why there is no response from the API server: Fieldmark or the API server can't be reached, or the learner is signed out. It is nil
// otherwise.
func Trouble(x call.Call) *components.Notice {
	if !x.Done() || x.State == call.Canceled {
		return nil
	}
	switch {
	case x.Status == 0:
		n := call.NoResponse()
		n.Advice = "Send the request again when you can reach Fieldmark."
		return &n
	case x.Status == status.CodeUnauthorized:
		return &components.Notice{Tone: components.Warn, Title: "You are signed out", Words: "Fieldmark no longer accepts requests from this browser.", Advice: "Reload this page to sign in. The lesson continues where you left it."}
	case x.Away():
		n := &components.Notice{Tone: components.Bad, Title: "The API server can’t be reached", Advice: "Wait until the API server is available again. Then send the request again."}
		if no := x.No(); no != nil {
			n.Quoted = no.Message
		}
		return n
	}
	return nil
}

// boundWords say how much of a body the page has; empty: all of it.
func boundWords(x call.Call) string {
	if int64(len(x.Kept)) >= x.Bytes {
		return ""
	}
	return fmt.Sprintf("Only the first %s of %s are here.", components.Bytes(int64(len(x.Kept))), components.Bytes(x.Bytes))
}
