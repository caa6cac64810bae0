package resourceversion

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
)

// Class is the kind of a response.
type Class string

// The classes.
const (
	Unread   Class = "unread" // the response can't be read
	State    Class = "state"  // a state, of a version that the server chose
	Asked    Class = "asked"  // the state at the requested version
	OfToken  Class = "token"  // the state at the version of the token's list
	Rejected Class = "rejected"
	Gone     Class = "gone"  // 410: the version is no longer kept
	Early    Class = "early" // 504, or what older servers send: the version doesn't exist yet
	Refused  Class = "refused"
	// Unoffered: the parameters are valid, but the server offers no streaming lists.
	Unoffered Class = "unoffered"
	// Of watches:
	Began  Class = "began"  // the whole state as ADDED events, then changes
	Marked Class = "marked" // the same, with a bookmark at the end of the state
	Quiet  Class = "quiet"  // only changes after the version
)

// Answer has the parts of a response that the rules are about.
type Answer struct {
	Code    int            `json:"code"` // if a watch ended with an error, the code of the error
	Version string         `json:"version"`
	Items   int            `json:"items"` // in a watch: the number of ADDED events at its beginning
	More    bool           `json:"more"`  // there is a token for the next chunk
	Events  int            `json:"events"`
	Marked  bool           `json:"marked"` // the bookmark at the end of the state has arrived
	No      *status.Status `json:"no"`
	InBand  bool           `json:"inBand"` // the refusal is an event in a watch with the status code 200
	Unread  string         `json:"unread"` // why it can't be read
}

// Read reads the response to the request of a cell.
func Read(v Verb, code int, body []byte) Answer {
	if code < 200 || code > 299 {
		no := status.Parse(code, body)
		return Answer{Code: code, No: &no}
	}
	if v == Watch {
		return readWatch(code, body)
	}
	var w struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
			Continue        string `json:"continue"`
		} `json:"metadata"`
		Items []json.RawMessage `json:"items"`
	}
	if err := json.Unmarshal(body, &w); err != nil {
		return Answer{Code: code, Unread: err.Error()}
	}
	return Answer{Code: code, Version: w.Metadata.ResourceVersion, Items: len(w.Items), More: w.Metadata.Continue != ""}
}

func readWatch(code int, body []byte) Answer {
	a := Answer{Code: code}
	first := true // only ADDED events until now
	for _, line := range bytes.Split(body, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, err := watch.ParseEvent(line)
		if err != nil {
			return Answer{Code: code, Unread: err.Error()}
		}
		a.Events++
		switch {
		case e.Type == watch.Error:
			no := e.Status()
			a.No, a.Code, a.InBand = &no, no.Code, true
			return a
		case e.EndsInitialState():
			a.Marked, first, a.Version = true, false, e.Version()
		case e.Type == watch.Added && first:
			a.Items++
		default:
			first = false
		}
	}
	return a
}

// Class is the kind of the response to the request of a cell. Versions are compared only for equality.
func (a Answer) Class(r Row, c Column, v Values) Class {
	switch {
	case a.Unread != "":
		return Unread
	case a.No != nil:
		return a.refusal(r, c)
	case r.Verb == Watch && a.Marked:
		return Marked
	case r.Verb == Watch && r.In(c).begins():
		if a.Items > 0 {
			return Began
		}
		return Quiet
	case r.Verb == Watch:
		return Quiet
	case r.Verb == Get:
		return State
	case r.Paging == Continue && a.Version == v.Of:
		return OfToken
	}
	if version, given := v.In(c); given && version == a.Version {
		return Asked
	}
	return State
}

// begins tells whether a watch begins with the whole state.
func (m Meaning) begins() bool { return m == StateRecent || m == StateAny || m == StateNotOld }

func (a Answer) refusal(r Row, c Column) Class {
	switch {
	case a.unoffered(r, c):
		return Unoffered
	case a.Code == status.CodeBadRequest || a.Code == status.CodeUnprocessableEntity:
		return Rejected
	case a.Code == status.CodeGone:
		return Gone
	case a.Code == codeGatewayTimeout || a.leaksStore():
		return Early
	default:
		return Refused
	}
}

// unoffered tells that the server refuses valid parameters of a streaming list. Servers that don't offer streaming lists do so, and name
// sendInitialEvents, or resourceVersionMatch if they don't know sendInitialEvents.
func (a Answer) unoffered(r Row, c Column) bool {
	if r.Initial == NotSaid || r.In(c) == Invalid || a.Code != status.CodeUnprocessableEntity {
		return false
	}
	for _, cause := range a.No.Causes {
		if cause.Field == "sendInitialEvents" || cause.Field == "resourceVersionMatch" {
			return true
		}
	}
	return false
}

// leaksStore tells that a server passed on etcd's own words about a version that doesn't exist yet. Servers that read exact versions from
// etcd only (by default before 1.34) do so.
func (a Answer) leaksStore() bool {
	return a.Code == status.CodeInternalError && strings.Contains(a.No.Message, "required revision is a future revision")
}

const codeGatewayTimeout = 504

// Allowed are the classes that a cell's meaning allows, the most likely one first.
func Allowed(r Row, c Column) []Class {
	meaning := r.In(c)
	switch {
	case meaning == Invalid:
		return []Class{Rejected}
	case meaning == Continuation:
		return []Class{OfToken, Gone}
	case c == Future:
		return early(r)
	case meaning == Exact:
		return []Class{Asked, Gone}
	case meaning == StartExact:
		return []Class{Quiet, Gone}
	case r.Initial == Send:
		return []Class{Marked}
	case meaning.begins():
		return []Class{Began, Quiet} // an empty collection has no ADDED events
	case r.Verb == Watch:
		return []Class{Quiet}
	case r.Verb == Get:
		return []Class{State}
	}
	return []Class{State, Asked} // the newest version may be the requested one
}

// early are the classes for a version that doesn't exist yet.
func early(r Row) []Class {
	switch {
	case r.Verb != Watch && r.In(Future) == Exact:
		return []Class{Early, Gone}
	case r.In(Future) == StartExact:
		return []Class{Quiet, Early, Gone}
	}
	return []Class{Early}
}

// Verdict compares a response with the documentation.
type Verdict struct {
	Class   Class
	Agrees  bool
	Differs string // how the response differs from the documentation, although it is allowed or known
}

// Judge compares a response with the meaning of a cell.
func Judge(r Row, c Column, v Values, a Answer) Verdict {
	j := Verdict{Class: a.Class(r, c, v)}
	for _, class := range Allowed(r, c) {
		j.Agrees = j.Agrees || class == j.Class
	}
	switch {
	case j.Class == Unoffered:
		j.Agrees = true
		j.Differs = "The parameters are valid, but the server refuses them, because it doesn’t offer streaming lists."
	case j.Class == Early && a.leaksStore():
		j.Differs = "The documentation says 504 after a short wait. This server reads exact versions only from etcd. It responds with 500 and etcd’s own error message."
	case j.Class == Rejected && a.Code != status.CodeBadRequest:
		j.Differs = "The documentation says 400 Bad Request. This server responds with 422, and names the field."
	case r.Paging != NoLimit && a.No == nil && r.Verb == List && a.Items > v.Limit:
		j.Differs = "The server ignored the limit, as this server does for version 0."
	case j.Class == Early && a.InBand:
		j.Differs = "The refusal is an event, because the response had already begun with 200."
	case c == Future && j.Class == Quiet:
		j.Differs = "There is no error. The watch sends nothing until the store reaches that version, which can take long."
	}
	return j
}
