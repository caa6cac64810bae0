// Package dryrun is what pages share that try a request out before they send it: the API server's answer, whether the reader
// may, the request itself as it goes over the wire, and what it does to who owns what.
package dryrun

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Answer is what the API server said.
type Answer struct {
	Object   object.Object
	No       *status.Status // it refused, or there was no answer at all
	Warnings []status.Warning
	Took     time.Duration
}

// Read takes an answer in.
func Read(f page.Response) *Answer {
	a := &Answer{Warnings: page.Warnings(f.Header), Took: f.Took}
	if !f.OK() {
		no := status.Parse(f.Status, f.Body)
		a.No = &no
		return a
	}
	var err error
	if a.Object, err = object.Parse(f.Body); err != nil {
		a.No = &status.Status{Code: f.Status, Message: "The answer can’t be read: " + err.Error()}
	}
	return a
}

// OK tells whether there is an answer, and it is no refusal.
func (a *Answer) OK() bool { return a != nil && a.No == nil }

// Conflicts tells whether the server refused because other managers own what the write would change.
func (a *Answer) Conflicts() bool {
	return a != nil && a.No != nil && a.No.ManagerConflict()
}

// Missing tells whether there is no such object.
func (a *Answer) Missing() bool { return a.No != nil && a.No.Code == 404 }

// ID is what the answer to the nth request of its kind is known by.
func ID(what string, n int) string { return what + " " + strconv.Itoa(n) }

// ParseID takes an ID apart.
func ParseID(id string) (what string, n int) {
	what, digits, _ := strings.Cut(id, " ")
	n, _ = strconv.Atoi(digits)
	return what, n
}

// Milliseconds words how long an answer took.
func Milliseconds(d time.Duration) string { return fmt.Sprintf("%d ms", max(1, d.Milliseconds())) }

// Refusal words a no of the API server.
func Refusal(no *status.Status) components.Notice {
	n := components.Notice{Tone: components.Bad, Title: "The API server refuses it", Quoted: no.Message, Why: why.Refusal(no)}
	switch {
	case no.Code == 0:
		n.Title, n.Words, n.Quoted = "There was no answer", "The connection broke before the API server’s answer came. Whether it did anything, this page can’t know.", ""
	case no.Is(status.Forbidden):
		n.Title = "You may not do that"
		if d, ok := no.Denied(); ok && d.Verb != "" {
			n.Words = fmt.Sprintf("The API server wants the right to %s %s.", d.Verb, d.Resource)
		}
	case no.Is(status.Invalid):
		n.Title = "The API server finds it invalid"
	case no.Is(status.NotFound):
		n.Title = "There is no such object any more"
	case strings.Contains(no.Message, "does not support dry run"):
		n.Title, n.Words = "It can’t be tried out", "An admission webhook would be called that doesn’t say whether it does anything besides answering, so the API server runs no dry run through it. The request itself may well pass; what it would do, nobody can tell before."
	}
	return n
}
