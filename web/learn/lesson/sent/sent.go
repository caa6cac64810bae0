// Package sent is a sent request of a lesson, with the part of its response that has arrived.
package sent

import (
	"bytes"
	"encoding/json"
	"maps"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
)

// LinesAtOnce is how many lines of a response are laid out at first, and with each “Show more lines”.
const LinesAtOnce = 60

// Request is a sent request of a lesson.
type Request struct {
	Call    call.Call
	Watch   bool
	Before  bool   // it was sent before the page was loaded, and the page doesn't have its whole response
	Reading bool   // Before: the response is being read from the wire log
	Filed   bool   // the response comes from the learner’s progress, and the wire log no longer has it
	Order   int    // the place of its response in the order of arrival, from 1; 0: unknown
	By      string // the program that sent it; empty: the page
	Note    string // a sentence about the response; empty: none
	Lines   int    // so many lines of the response are laid out

	found map[any]any // remembered results; see Once
	with  lesson.Vars // the variables of these results
}

// Once computes a result from a response, and remembers it under the key what until the variables change. The page is drawn every second, and
// reading some megabytes takes longer than that. A response that is still arriving is read each time.
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

// Answered tells whether there is a response that the lesson can go on with: a complete one, a stream that has begun, or one from before a reload.
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

// Waiting tells whether the request is on its way. Its button is off then, but keeps the focus.
func (a *Request) Waiting() bool { return a != nil && a.Call.State == call.Waiting }

// Answer is the response as lessons judge it.
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

// Known tells whether the page has the response as a whole, or a stream that has begun.
func (a *Request) Known() bool { return a.Answered() && !a.Before }

// Document is the decoded response, with numbers as they are written; nil: it is not JSON.
func (a *Request) Document() any {
	d := json.NewDecoder(bytes.NewReader(a.Call.Kept))
	d.UseNumber()
	var document any
	if d.Decode(&document) != nil {
		return nil
	}
	return document
}

// Object is the response as an object; false: it isn't one.
func (a *Request) Object() (object.Object, bool) {
	o, ok := a.Document().(map[string]any)
	return object.Object{Fields: o}, ok
}
