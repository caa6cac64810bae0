// Package dryrun is for pages that try out a request before they send it. It has the API server's response, and the effect of the request on
// values and owners.
package dryrun

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Response is the API server's response, as an object or as a refusal.
type Response struct {
	Object   object.Object
	No       *status.Status // the refusal; without a code if there was no response
	Warnings []status.Warning
	Took     time.Duration
}

// Read reads a response.
func Read(f page.Response) *Response {
	a := &Response{Warnings: page.Warnings(f.Header), Took: f.Took}
	if !f.OK() {
		no := status.Parse(f.Status, f.Body)
		a.No = &no
		return a
	}
	var err error
	if a.Object, err = object.Parse(f.Body); err != nil {
		a.No = &status.Status{Code: f.Status, Message: "Fieldmark can’t read the response: " + err.Error()}
	}
	return a
}

// Hush removes the secret values of a manifest from the words of the server and of its admission, which may quote what they were sent. The words of
// a conflict name only fields and managers.
func (a *Response) Hush(manifest object.Object) *Response {
	for i := range a.Warnings {
		a.Warnings[i].Text = manifest.Hush(a.Warnings[i].Text)
	}
	if a.No == nil || a.Conflicts() {
		return a
	}
	a.No.Message = manifest.Hush(a.No.Message)
	for i := range a.No.Causes {
		a.No.Causes[i].Message = manifest.Hush(a.No.Causes[i].Message)
	}
	return a
}

// OK tells whether there is a response with an object.
func (a *Response) OK() bool { return a != nil && a.No == nil }

// Conflicts tells whether the server refused because other managers own fields that the write would change.
func (a *Response) Conflicts() bool {
	return a != nil && a.No != nil && a.No.ManagerConflict()
}

// Missing tells whether the object doesn't exist (404).
func (a *Response) Missing() bool { return a.No != nil && a.No.Code == 404 }

// ID is the ID of the nth request of a kind, and of its response.
func ID(what string, n int) string { return what + " " + strconv.Itoa(n) }

// ParseID splits an ID into the kind of request and its number.
func ParseID(id string) (what string, n int) {
	what, digits, _ := strings.Cut(id, " ")
	n, _ = strconv.Atoi(digits)
	return what, n
}

// Milliseconds writes how long a response took: "12 ms", at least "1 ms".
func Milliseconds(d time.Duration) string { return fmt.Sprintf("%d ms", max(1, d.Milliseconds())) }
