// Package response is the response to a request of a lesson, with the lesson's notes where they belong: on the status, a header, or a line
// of the body.
package response

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// managed is the field that is folded away, where no remark is on it.
const managed = "managedFields"

// remark is a note of the lesson beside a response.
type remark struct {
	html string
	name string // what it speaks of, where that is not in sight
}

// annotated is a response as it is shown, with the lesson's remarks where they belong.
type annotated struct {
	status []remark            // on the status
	head   map[string][]remark // by the header's name, in lower case
	laid   laid
	at     map[int][]remark // by line
	other  []remark         // on what is not in sight
	folds  bool             // managedFields are folded, or could be
}

// class is that of a line that the lesson is about: one with a remark, or one that a prediction asked about.
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
	Flipped    bool   // the reader wants managedFields otherwise than they are at first
	Opened     []int  // lines from which on the reader wants to see what is folded away
	More       string // what the button does that lays out more
	Gap        string // and that which shows the lines from one on
	Unfold     string // and that which flips managedFields
	Opens      components.Menu
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
		out.place(n, v.Vars, out.laid.at[i])
	}
	return out
}

// place puts a note where it belongs: a header, the line that was found for it (below 0: none), or beside the response.
func (out *annotated) place(n lesson.Note, vars lesson.Vars, line int) {
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

// unfolded tells whether managedFields are shown as they came: where the lesson has remarks on them, unless the reader folds them.
func (v View) unfolded() bool {
	noted := slices.ContainsFunc(v.Notes, func(n lesson.Note) bool { return strings.Contains(n.At.Path, "."+managed+"[") })
	return noted != v.Flipped
}

// Longer lays out more of a response, and tells whether there is more still.
func (v View) Longer(a *sent.Request) (more bool) {
	a.Lines += sent.LinesAtOnce
	return v.lay(a).more
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
		n.Advice = "Send the request again when you can reach Fieldmark."
		return &n
	case 401:
		return &components.Notice{Tone: components.Warn, Title: "You are signed out", Words: "Fieldmark no longer accepts requests from this browser.", Advice: "Reload this page to sign in. The lesson continues where you left it."}
	case 502, 503, 504:
		n := &components.Notice{Tone: components.Bad, Title: "The API server can’t be reached", Advice: "Wait until the API server is available again. Then send the request again."}
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
	return fmt.Sprintf("Only the first %s of %s are here.", components.Bytes(int64(len(x.Kept))), components.Bytes(x.Bytes))
}
