// Package recording has what an API server responded to the requests of lessons. The program that tests lessons records it, a file keeps it, and the guide
// shows it where nobody can send a request.
package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/release"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Recording is what one API server responded.
type Recording struct {
	Server  string            `json:"server"` // its version in its own words, such as v1.37.0
	At      time.Time         `json:"at"`
	Lessons map[string]Lesson `json:"lessons"` // by their ids
}

// Lesson are the responses of one attempt.
type Lesson struct {
	Vars      lesson.Vars         `json:"vars"`
	Responses map[string]Response `json:"responses"` // by the names of the requests
}

// Response is one response. Of a stream, it is all that came until the stream ended.
type Response struct {
	lesson.Answer

	Took time.Duration `json:"took"`
}

// Version is the version of the server.
func (r Recording) Version() release.Version { return release.Info{GitVersion: r.Server}.Version() }

// MostBody bounds what is kept of a body, in bytes.
const MostBody = 4 << 20

// Of is a response as a recording keeps it: without values of Secrets, without tokens, and without headers that belong to Fieldmark.
func Of(q lesson.Request, a lesson.Answer, took time.Duration) Response {
	r := Response{Answer: a, Took: took}
	r.Open = false
	r.Header = slices.DeleteFunc(slices.Clone(a.Header), func(h lesson.Header) bool { return slices.Contains(notTheServers, strings.ToLower(h.Name)) })
	r.Body = masked(q, a.Body)
	if len(r.Body) > MostBody {
		r.Body = r.Body[:MostBody]
	}
	return r
}

// notTheServers are response headers in lower case that Fieldmark adds.
var notTheServers = []string{
	"content-security-policy", "cross-origin-opener-policy", "cross-origin-resource-policy", "fieldmark-request", "permissions-policy", "referrer-policy",
	"set-cookie", "x-content-type-options", "x-frame-options",
}

// masked is a body without secrets. A body that has a token, or that may have a Secret and isn't JSON, is left out.
func masked(q lesson.Request, body []byte) []byte {
	target, _, _ := strings.Cut(q.Target, "?")
	p, err := apipath.Parse(target)
	secret := err == nil && p.OfSecrets()
	if err == nil && p.OfTokens() {
		return nil
	}
	if !secret && !object.MayHold(body) {
		return body
	}
	var fields map[string]any
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if d.Decode(&fields) != nil || d.More() {
		return nil
	}
	o := object.Object{Fields: fields}
	if o = o.Masked(); secret {
		o = o.MaskedAsSecret()
	}
	out, err := json.Marshal(o.Fields)
	if err != nil {
		return nil
	}
	return out
}

// Write writes the recording as JSON.
func (r Recording) Write(w io.Writer) error {
	if err := json.NewEncoder(w).Encode(r); err != nil {
		return fmt.Errorf("writing the recording: %w", err)
	}
	return nil
}

// Read reads what Write has written.
func Read(from io.Reader) (Recording, error) {
	var r Recording
	d := json.NewDecoder(from)
	if err := d.Decode(&r); err != nil {
		return r, fmt.Errorf("it is no recording of lessons: %w", err)
	}
	if !r.Version().Known() || len(r.Lessons) == 0 {
		return r, fmt.Errorf("it is no recording of lessons: it names no server and no lesson")
	}
	return r, nil
}
