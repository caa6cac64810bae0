// Package dryrun is what pages share that try a request out before they send it: the API server's response, and what the request does to
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

// Response is what the API server said.
type Response struct {
	Object   object.Object
	No       *status.Status // it refused, or there was no response at all
	Warnings []status.Warning
	Took     time.Duration
}

// Read takes a response in.
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

// OK tells whether there is a response, and it is no refusal.
func (a *Response) OK() bool { return a != nil && a.No == nil }

// Conflicts tells whether the server refused because other managers own what the write would change.
func (a *Response) Conflicts() bool {
	return a != nil && a.No != nil && a.No.ManagerConflict()
}

// Missing tells whether there is no such object.
func (a *Response) Missing() bool { return a.No != nil && a.No.Code == 404 }

// ID is what the response to the nth request of its kind is known by.
func ID(what string, n int) string { return what + " " + strconv.Itoa(n) }

// ParseID takes an ID apart.
func ParseID(id string) (what string, n int) {
	what, digits, _ := strings.Cut(id, " ")
	n, _ = strconv.Atoi(digits)
	return what, n
}

// Milliseconds words how long a response took.
func Milliseconds(d time.Duration) string { return fmt.Sprintf("%d ms", max(1, d.Milliseconds())) }
