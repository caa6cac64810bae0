// Package sent is a request of a lesson that was sent, with its response as far as it has come, and what was found in that.
package sent

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
)

// LinesAtOnce is how many lines of an answer are laid out at first, and with each step.
const LinesAtOnce = 60

// Request is a request of a lesson that was sent.
type Request struct {
	Call    call.Call
	Watch   bool
	Before  bool   // it was sent before the page was loaded, and its response isn't there as a whole
	Reading bool   // Before: the response is being read from the wire log
	Order   int    // its place among the responses, in the order in which they came; 0: unknown
	By      string // who sent it, where that was not the page
	Note    string // what has to be said of the answer
	Lines   int    // so many of the answer are laid out

	found map[any]any // what was found in it; see Once
	with  lesson.Vars // the variables that it was found with
}

// Once finds something in an answer. As long as neither the answer nor the variables change, it is remembered: the page is drawn
// every second, and to look through some megabytes each time takes longer than that.
func Once[T any](a *Request, vars lesson.Vars, what any, find func() T) T {
	if !a.Call.Done() {
		return find()
	}
	if a.found == nil || !maps.Equal(a.with, vars) {
		a.found, a.with = map[any]any{}, maps.Clone(vars)
	}
	if known, ok := a.found[what].(*T); ok {
		return *known
	}
	value := find()
	a.found[what] = &value
	return value
}

// Answered tells whether the lesson can go on from it.
func (a *Request) Answered() bool {
	switch {
	case a == nil:
		return false
	case a.Before:
		return true
	case a.Watch:
		return a.Call.Status != 0
	}
	return a.Call.Done() && a.Call.Status != 0
}

// Waiting tells whether a request is on its way. Its button can't be pressed then, but keeps the focus.
func (a *Request) Waiting() bool { return a != nil && a.Call.State == call.Waiting }

// Answer is what the lesson judges.
func (a *Request) Answer() lesson.Answer {
	if a == nil {
		return lesson.Answer{}
	}
	out := lesson.Answer{Status: a.Call.Status, Body: a.Call.Kept, Size: a.Call.Bytes, Wire: a.Call.Wire, Open: a.Call.Under()}
	for _, h := range a.Call.Answer {
		out.Header = append(out.Header, lesson.Header(h))
	}
	return out
}

// Known tells whether there is an answer that can be looked at.
func (a *Request) Known() bool { return a.Answered() && !a.Before }

// Document is the answer decoded, with numbers as they are written; nil where it is no JSON.
func (a *Request) Document() any {
	d := json.NewDecoder(bytes.NewReader(a.Call.Kept))
	d.UseNumber()
	var document any
	if d.Decode(&document) != nil {
		return nil
	}
	return document
}

// Object is the answer as one; false: it is none.
func (a *Request) Object() (object.Object, bool) {
	o, ok := a.Document().(map[string]any)
	return object.Object{Fields: o}, ok
}
