// Package compare finds the differences between two responses to the same API request.
//
//	left  ─▶ lines ─┐                                   ┌─ status
//	                ├─▶ equal lines side by side ─▶ differ ├─ headers
//	right ─▶ lines ─┘   (exact text)                    └─ lines ──▶ some of them always differ: uid, resourceVersion …
//
// Lines are compared by their exact text, and shown without secret values. So a comparison tells that a secret value differs, and not which value it is.
package compare

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/request"
)

// Response is one of two responses to the same request.
type Response struct {
	Status int
	Header []request.Header
	Body   []byte // the part that was kept
	Cut    bool   // the body is longer than the kept part
	Secret bool   // the request's path leads to Secrets or tokens
}

// What tells what a line or a header shows.
type What string

// The kinds of lines and headers.
const (
	Same    What = ""
	Only    What = "only"    // it is in one of the responses only
	Changes What = "changes" // it is in both, with different texts
	Varies  What = "varies"  // it is in both, and differs between any two servers or requests
)

// Header is a header of one or both responses.
type Header struct {
	Name  string `json:"name"` // in lower case
	Left  string `json:"left,omitempty"`
	Right string `json:"right,omitempty"`
	What  What   `json:"what,omitempty"`
}

// Line is a line of one or both bodies.
type Line struct {
	Left  int  `json:"left"` // the index of the line in Body.Lines; -1: the response doesn't have the line
	Right int  `json:"right"`
	What  What `json:"what,omitempty"`
}

// Body is a body as lines to show, without secret values.
type Body struct {
	Lines []manifest.Line `json:"lines,omitempty"`
	More  bool            `json:"more,omitempty"` // the body has more than these lines
	Note  Note            `json:"note,omitempty"`
}

// Note says why the lines of a body aren't its text.
type Note string

// The notes.
const (
	Plain    Note = ""
	Binary   Note = "binary"   // a binary format that has no lines
	Withheld Note = "withheld" // the body may have secrets, and its format can't hide only these
	Hidden   Note = "hidden"   // the secret values are hidden
)

// Difference is the result of a comparison.
type Difference struct {
	Status  bool     `json:"status,omitempty"` // the status codes differ
	Headers []Header `json:"headers,omitempty"`
	Lines   []Line   `json:"lines,omitempty"`
	Left    Body     `json:"left"`
	Right   Body     `json:"right"`
	Formats bool     `json:"formats,omitempty"` // the bodies have different media types
}

// Of compares two responses.
func Of(left, right Response) Difference {
	d := Difference{Status: left.Status != right.Status, Headers: headers(left.Header, right.Header)}
	a, b := bodyOf(left), bodyOf(right)
	d.Left, d.Right = a.Body, b.Body
	d.Formats = len(left.Body) > 0 && len(right.Body) > 0 && mediaType(left) != mediaType(right)
	d.Lines = align(a.lines, b.lines)
	return d
}

// Partial tells whether only the beginnings of the bodies are compared.
func (d Difference) Partial() bool { return d.Left.More || d.Right.More }

// Counts are the numbers of differences.
type Counts struct {
	Status         bool
	Headers, Lines int
	LeftOut        int // differences of headers and lines that always differ, if these don't count
}

// None tells whether nothing that counts differs.
func (c Counts) None() bool { return !c.Status && c.Headers == 0 && c.Lines == 0 }

// Count counts the differences. If all is true, what always differs counts, too.
func (d Difference) Count(all bool) Counts {
	c := Counts{Status: d.Status}
	add := func(what What, to *int) {
		switch {
		case what == Same:
		case what == Varies && !all:
			c.LeftOut++
		default:
			*to++
		}
	}
	for _, h := range d.Headers {
		add(h.What, &c.Headers)
	}
	for _, l := range d.Lines {
		add(l.What, &c.Lines)
	}
	return c
}

// varyingHeaders have a different value in each response, or for each server.
var varyingHeaders = []string{"audit-id", "content-length", "date", "x-kubernetes-pf-flowschema-uid", "x-kubernetes-pf-prioritylevel-uid"}

// VaryingHeaders are the headers that always differ, in lower case.
func VaryingHeaders() []string { return slices.Clone(varyingHeaders) }

// headers puts the headers of both responses side by side, by their names.
func headers(left, right []request.Header) []Header {
	a, b := byName(left), byName(right)
	var all []Header
	for _, side := range []map[string]string{a, b} {
		for name := range side {
			all = append(all, Header{Name: name})
		}
	}
	slices.SortFunc(all, func(x, y Header) int { return strings.Compare(x.Name, y.Name) })
	all = slices.Compact(all)
	for i := range all {
		h := &all[i]
		var inLeft, inRight bool
		h.Left, inLeft = a[h.Name]
		h.Right, inRight = b[h.Name]
		switch {
		case !inLeft || !inRight:
			h.What = Only
		case h.Left == h.Right:
		case slices.Contains(varyingHeaders, h.Name):
			h.What = Varies
		default:
			h.What = Changes
		}
	}
	return all
}

// byName joins headers with the same name, in the order in which they came.
func byName(all []request.Header) map[string]string {
	joined := make(map[string]string, len(all))
	for _, h := range all {
		name := strings.ToLower(h.Name)
		if had, has := joined[name]; has {
			h.Value = had + ", " + h.Value
		}
		joined[name] = h.Value
	}
	return joined
}

func mediaType(r Response) string {
	kind, _, _ := strings.Cut(request.Field(r.Header, "content-type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}
