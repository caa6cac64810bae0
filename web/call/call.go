// Package call is one API request with its response: its state while it arrives, its text, its refusal, and the permission for it. All pages
// that send requests use it.
package call

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// State is how far a call is.
type State string

// The states. The last three are final. A call that was canceled or cut off keeps what has arrived.
const (
	Unsent    State = ""
	Waiting   State = "waiting"   // for the response headers
	Answering State = "answering" // the body arrives
	Whole     State = "whole"
	Canceled  State = "canceled"
	CutOff    State = "cut off"
)

// Call is a request and its response. It is a value, and Hear returns the next one. Pages that show a response while it arrives use Begin and
// Hear. Pages that need the whole response use Send, and get a page.Response.
type Call struct {
	ID      string           `json:"id"`
	Cluster string           `json:"cluster"` // its slug
	Method  string           `json:"method"`
	Path    string           `json:"path"` // the API path, with its query
	Header  []request.Header `json:"header,omitempty"`
	Body    []byte           `json:"body,omitempty"`
	Coding  string           `json:"coding,omitempty"` // see page.Call
	Keep    int64            `json:"keep,omitempty"`   // see page.Call
	Reread  bool             `json:"reread,omitempty"` // see page.Call

	State  State            `json:"state,omitempty"`
	Status int              `json:"status,omitempty"` // status code; 0: no response, or none yet
	Answer []request.Header `json:"answer,omitempty"` // response headers, with names in lower case
	Entry  string           `json:"entry,omitempty"`  // its number in the session's wire log
	Kept   []byte           `json:"kept,omitempty"`   // the part of the response body that is kept
	Bytes  int64            `json:"bytes,omitempty"`  // of the response body, after decompression
	Wire   int64            `json:"wire,omitempty"`   // of the response body over the wire; 0: unknown
	First  time.Duration    `json:"first,omitempty"`  // from the request to the response headers
	Took   time.Duration    `json:"took,omitempty"`   // so far, or in total once the call is done
}

// New is a call with a body of a media type, and with JSON as the response's media type. Without a body, mediaType is ignored.
func New(cluster, method, path, mediaType string, body []byte) Call {
	c := Call{Cluster: cluster, Method: method, Path: path, Header: []request.Header{{Name: "Accept", Value: "application/json"}}, Body: body}
	if len(body) > 0 {
		c.Header = append(c.Header, request.Header{Name: "Content-Type", Value: mediaType})
	}
	return c
}

// Dry is the same request with dryRun=All in its query. A request with options in its body needs dryRun there, too.
func (x Call) Dry() Call {
	path, raw, _ := strings.Cut(x.Path, "?")
	query, _ := url.ParseQuery(raw) // never fails: pages wrote the query
	query.Set("dryRun", "All")
	x.Path = path + "?" + query.Encode()
	return x
}

// Same tells whether two calls send the same request.
func (x Call) Same(y Call) bool {
	return x.Cluster == y.Cluster && x.Method == y.Method && x.Path == y.Path && slices.Equal(x.Header, y.Header) && bytes.Equal(x.Body, y.Body)
}

// Begin sends the request. The response arrives in messages for Hear. A former response is dropped.
func (x Call) Begin() (Call, page.Cmd) {
	x = Call{ID: x.ID, Cluster: x.Cluster, Method: x.Method, Path: x.Path, Header: x.Header, Body: x.Body, Coding: x.Coding, Keep: x.Keep, Reread: x.Reread, State: Waiting}
	cmd := x.Send(x.ID)
	cmd.Parts, cmd.Coding, cmd.Keep, cmd.Reread = true, x.Coding, x.Keep, x.Reread
	return x, cmd
}

// Send is the command that sends the request. The whole response arrives as a page.Response with this ID.
func (x Call) Send(id string) page.Call {
	return page.Call{ID: id, Method: x.Method, Cluster: x.Cluster, Path: x.Path, Header: x.Header, Body: x.Body}
}

// Cancel is the command that cancels the call.
func (x Call) Cancel() page.Cmd { return page.Cancel{ID: x.ID} }

// Under tells whether the call is under way.
func (x Call) Under() bool { return x.State == Waiting || x.State == Answering }

// Done tells whether nothing more will come.
func (x Call) Done() bool { return x.State == Whole || x.State == Canceled || x.State == CutOff }

// OK tells whether the status code is 2xx.
func (x Call) OK() bool { return x.Status >= 200 && x.Status <= 299 }

// Hear takes in a message. It returns false if the message is about something else. It adds parts of the body to Kept. A page that uses
// each part at once may empty Kept each time.
func (x Call) Hear(m page.Msg) (Call, bool) {
	switch m := m.(type) {
	case page.Opened:
		if m.ID != x.ID {
			return x, false
		}
		x.State, x.Status, x.Answer, x.Entry, x.First, x.Took = Answering, m.Status, m.Header, m.Entry, m.Took, m.Took
	case page.Arrived:
		if m.ID != x.ID {
			return x, false
		}
		x.Kept = append(x.Kept, m.Part...)
		x.Bytes, x.Took = m.Bytes, m.After
	case page.Ended:
		if m.ID != x.ID {
			return x, false
		}
		x.State, x.Took, x.Wire = State(m.How), m.Took, m.Wire
		x.Bytes = max(x.Bytes, m.Bytes)
	default:
		return x, false
	}
	return x, true
}

// Away tells whether the response isn't from the API server, because nothing listens there, for example. API servers give each response an Audit-Id.
func (x Call) Away() bool {
	return x.Status >= 502 && x.Status <= 504 && request.Field(x.Answer, "audit-id") == ""
}

// No is the API server's refusal; nil if there is none, or no response yet.
func (x Call) No() *status.Status {
	if x.Status == 0 || x.OK() {
		return nil
	}
	no := status.Parse(x.Status, x.Kept)
	return &no
}

// Warnings are the warnings in the response headers.
func (x Call) Warnings() []status.Warning { return page.Warnings(x.Answer) }

// MediaType is the media type of the response, without parameters; empty if the response has none.
func (x Call) MediaType() string {
	mediaType, _, _ := strings.Cut(request.Field(x.Answer, "content-type"), ";")
	return strings.TrimSpace(mediaType)
}

// Form is how a response body can be shown.
type Form string

// The forms.
const (
	JSON   Form = "json"
	Text   Form = "text"
	Binary Form = "binary"
)

// Form depends on the media type. A response without a media type is text.
func (x Call) Form() Form {
	media := x.MediaType()
	switch {
	case media == "application/json", strings.HasSuffix(media, "+json"):
		return JSON
	case strings.HasPrefix(media, "text/"), media == "application/yaml", media == "":
		return Text
	}
	return Binary
}

// Outcome is the result of the request, in a few words.
func (x Call) Outcome() string {
	switch {
	case x.State == Canceled:
		return words.Canceled
	case x.Status == 0:
		return "No response"
	case x.State == CutOff:
		return "The response is incomplete"
	}
	return "Response: " + strconv.Itoa(x.Status)
}

// RetryAfter is how long the API server asks to wait; 0 if it doesn't ask.
func (x Call) RetryAfter() time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(request.Field(x.Answer, "retry-after")))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// Target is the path with its query for people, with the query unescaped if possible.
func (x Call) Target() string {
	path, query, asked := strings.Cut(x.Path, "?")
	if !asked {
		return path
	}
	if plain, err := url.QueryUnescape(query); err == nil {
		query = plain
	}
	return path + "?" + query
}

// Written is the request as text, without the headers that the browser adds. A JSON body in one line is indented.
func (x Call) Written() string {
	var b strings.Builder
	b.WriteString(x.Method + " " + x.Path + "\n")
	for _, h := range x.Header {
		b.WriteString(h.Name + ": " + h.Value + "\n")
	}
	if len(x.Body) > 0 {
		b.WriteString("\n" + strings.TrimSuffix(Laid(x.Body), "\n") + "\n")
	}
	return b.String()
}

// Laid indents JSON that is in one line. It returns other text unchanged.
func Laid(body []byte) string {
	var lines bytes.Buffer
	if !bytes.Contains(bytes.TrimSpace(body), []byte("\n")) && json.Indent(&lines, body, "", "  ") == nil {
		return lines.String()
	}
	return string(body)
}

// Lines splits a body that arrives in parts, for example of a watch, into lines. The zero value is ready.
type Lines struct {
	Rest []byte `json:"rest,omitempty"` // the beginning of a line whose end has not arrived
}

// Take returns the lines that a part completes, without their ends and without empty lines, and the next Lines.
func (l Lines) Take(part []byte) ([][]byte, Lines) {
	var whole [][]byte
	text := part
	if len(l.Rest) > 0 {
		text = slices.Concat(l.Rest, part)
	}
	for {
		line, rest, ended := bytes.Cut(text, []byte("\n"))
		if !ended {
			return whole, Lines{Rest: line}
		}
		if len(bytes.TrimSpace(line)) > 0 {
			whole = append(whole, line)
		}
		text = rest
	}
}
