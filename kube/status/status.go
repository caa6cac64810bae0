// Package status reads the response of an API server that refuses a request: metav1.Status as a plain value, from any body. It also
// finds out what is missing, such as a permission.
package status

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxMessage is the maximum length, in bytes, of the message of a Status that is made from another body.
const MaxMessage = 512

// Status is one metav1.Status. The zero value means that nothing happened.
type Status struct {
	// Code is the HTTP status code of the response. If the code in the body differs, the HTTP status code is used.
	Code int `json:"code"`
	// Reason is a word for programs, such as NotFound, AlreadyExists, Forbidden, Conflict or Expired.
	Reason string `json:"reason,omitempty"`
	// Message is the server's text for people. It is untrusted, and never empty after Parse.
	Message string `json:"message"`

	// Group, Kind, Name and UID name the object, if the server sent them. Kind often has the name of a resource
	// ("pods"), because servers send it so.
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Name  string `json:"name,omitempty"`
	UID   string `json:"uid,omitempty"`

	Causes            []Cause `json:"causes,omitempty"`
	RetryAfterSeconds int     `json:"retryAfterSeconds,omitempty"`

	// Told is true if the body was a Status object.
	Told bool `json:"told"`
}

// Cause is one cause in a Status: an invalid field, or a manager with a conflict.
type Cause struct {
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message,omitempty"`
	// Field is a field path such as spec.replicas, or empty.
	Field string `json:"field,omitempty"`
}

// Reasons that callers compare with.
const (
	Unauthorized  = "Unauthorized"
	Forbidden     = "Forbidden"
	NotFound      = "NotFound"
	AlreadyExists = "AlreadyExists"
	Conflict      = "Conflict"
	Expired       = "Expired"
	Gone          = "Gone"
	Invalid       = "Invalid"
	BadRequest    = "BadRequest"
)

// FieldManagerConflict is the reason of causes in the refusal of an apply. Each cause names a field that another manager owns.
const FieldManagerConflict = "FieldManagerConflict"

// ManagerConflict tells whether the refusal is a conflict that names fields of other managers.
func (s Status) ManagerConflict() bool {
	return s.Code == CodeConflict && slices.ContainsFunc(s.Causes, func(c Cause) bool { return c.Reason == FieldManagerConflict })
}

// Reasons that only Fieldmark uses. No API server sends them.
const (
	// EndlessList is a chunked list that makes no progress.
	EndlessList = "EndlessList"
	// Unanswered is an API server that answers lists, but doesn't begin its response to a watch.
	Unanswered = "Unanswered"
	// Silent is an API server that sends nothing, although a connection to it is open.
	Silent = "Silent"
)

// SignedOut tells whether Fieldmark itself says that nobody is signed in. API servers say only "Unauthorized".
func (s Status) SignedOut() bool {
	return s.Told && s.Code == CodeUnauthorized && s.Message != Unauthorized
}

// NoDryRun tells whether an admission webhook has side effects, as far as its configuration says. Then the server refuses each dry run that the
// webhook would see. The request itself can succeed.
func (s Status) NoDryRun() bool {
	return s.Is(BadRequest) && strings.Contains(s.Message, "does not support dry run")
}

// Is tells whether this is the reason.
func (s Status) Is(reason string) bool { return s.Reason == reason }

// String is the status in one line.
func (s Status) String() string {
	if s.Reason == "" {
		return fmt.Sprintf("%d: %s", s.Code, s.Message)
	}
	return fmt.Sprintf("%d %s: %s", s.Code, s.Reason, s.Message)
}

// wire is metav1.Status as JSON. Its numbers may be strings, because other servers than kube-apiserver send such bodies, too.
type wire struct {
	Kind    string          `json:"kind"`
	Status  json.RawMessage `json:"status"`
	Message string          `json:"message"`
	Reason  string          `json:"reason"`
	Code    float64         `json:"code"`
	Details *struct {
		Name              string  `json:"name"`
		Group             string  `json:"group"`
		Kind              string  `json:"kind"`
		UID               string  `json:"uid"`
		RetryAfterSeconds float64 `json:"retryAfterSeconds"`
		Causes            []Cause `json:"causes"`
	} `json:"details"`
}

// Parse reads the body of a response as a Status. It never fails. If the body isn't a Status, the result has the HTTP code, the reason of
// that code, and a printable excerpt of at most MaxMessage bytes.
func Parse(code int, body []byte) Status {
	var w wire
	if err := json.Unmarshal(body, &w); err != nil || w.Kind != "Status" {
		return fromText(code, body)
	}
	s := Status{Code: code, Reason: w.Reason, Message: strings.ToValidUTF8(w.Message, "\uFFFD"), Told: true}
	if s.Code == 0 {
		s.Code = int(w.Code)
	}
	if d := w.Details; d != nil {
		s.Group, s.Kind, s.Name, s.UID = d.Group, d.Kind, d.Name, d.UID
		s.Causes, s.RetryAfterSeconds = d.Causes, max(0, int(d.RetryAfterSeconds))
	}
	return s.filled()
}

func fromText(code int, body []byte) Status {
	return Status{Code: code, Message: Excerpt(body, MaxMessage)}.filled()
}

// filled adds a reason and a message if the server sent none.
func (s Status) filled() Status {
	if s.Reason == "" {
		s.Reason = reasons.Get()[s.Code]
	}
	if s.Message == "" {
		s.Message = codeText(s.Code)
	}
	return s
}

// Excerpt is the beginning of a body as one line of printable text with at most limit bytes. If the body is longer, an ellipsis is at the
// end.
func Excerpt(body []byte, limit int) string {
	cut := len(body) > limit
	if cut {
		body = body[:limit]
	}
	for range utf8.UTFMax - 1 { // remove a rune that was cut
		if r, n := utf8.DecodeLastRune(body); !cut || r != utf8.RuneError || n != 1 {
			break
		}
		body = body[:len(body)-1]
	}
	text := strings.Join(strings.Fields(strings.Map(printable, strings.ToValidUTF8(string(body), "\uFFFD"))), " ")
	if cut {
		return text + "…"
	}
	return text
}

func printable(r rune) rune {
	if unicode.IsSpace(r) {
		return ' '
	}
	if !unicode.IsPrint(r) {
		return '\uFFFD'
	}
	return r
}
