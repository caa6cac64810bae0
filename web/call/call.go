// Package call is one API request with its response: sent, told of as it comes, written out, refused, allowed or not. It is what all pages
// share that send requests.
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

// State is how far a call has come.
type State string

// The states. The last three are final; what came until then stays.
const (
	Unsent    State = ""
	Waiting   State = "waiting"   // for the head of the answer
	Answering State = "answering" // the body comes
	Whole     State = "whole"
	Canceled  State = "canceled"
	CutOff    State = "cut off"
)

// Call is a request and its response. It is a value: Hear gives the next one. Pages that follow a response as it comes Begin it, and let it
// Hear; those that want the response as a whole Send it, and get a page.Response.
type Call struct {
	ID      string           `json:"id"`
	Cluster string           `json:"cluster"` // its slug
	Method  string           `json:"method"`
	Path    string           `json:"path"` // the API path, with its query
	Header  []request.Header `json:"header,omitempty"`
	Body    []byte           `json:"body,omitempty"`
	Coding  string           `json:"coding,omitempty"` // see page.Call
	Keep    int64            `json:"keep,omitempty"`   // see page.Call

	State  State            `json:"state,omitempty"`
	Status int              `json:"status,omitempty"` // 0: there is no answer, or none yet
	Answer []request.Header `json:"answer,omitempty"` // names in lower case
	Entry  string           `json:"entry,omitempty"`  // its number in the session's record
	Kept   []byte           `json:"kept,omitempty"`   // of the answer's body
	Bytes  int64            `json:"bytes,omitempty"`  // of the answer's body, after decompression
	Wire   int64            `json:"wire,omitempty"`   // of the answer's body as it came over the wire; 0: nobody knows
	First  time.Duration    `json:"first,omitempty"`  // until the head was there
	Took   time.Duration    `json:"took,omitempty"`   // so far, and in all once it is done
}

// New is a call that sends a body of a media type, and wants JSON back. Without a body the media type doesn't count.
func New(cluster, method, path, mediaType string, body []byte) Call {
	c := Call{Cluster: cluster, Method: method, Path: path, Header: []request.Header{{Name: "Accept", Value: "application/json"}}, Body: body}
	if len(body) > 0 {
		c.Header = append(c.Header, request.Header{Name: "Content-Type", Value: mediaType})
	}
	return c
}

// Dry is the same request as a dry run, as its query says it. What has its options in its body says it there as well.
func (x Call) Dry() Call {
	path, raw, _ := strings.Cut(x.Path, "?")
	query, _ := url.ParseQuery(raw) // pages wrote it
	query.Set("dryRun", "All")
	x.Path = path + "?" + query.Encode()
	return x
}

// Same tells whether two calls send the same request.
func (x Call) Same(y Call) bool {
	return x.Cluster == y.Cluster && x.Method == y.Method && x.Path == y.Path && slices.Equal(x.Header, y.Header) && bytes.Equal(x.Body, y.Body)
}

// Begin sends the request, to be told of the response as it comes. What came of it before is forgotten.
func (x Call) Begin() (Call, page.Cmd) {
	x = Call{ID: x.ID, Cluster: x.Cluster, Method: x.Method, Path: x.Path, Header: x.Header, Body: x.Body, Coding: x.Coding, Keep: x.Keep, State: Waiting}
	cmd := x.Send(x.ID)
	cmd.Parts, cmd.Coding, cmd.Keep = true, x.Coding, x.Keep
	return x, cmd
}

// Send is the command that sends the request, for a whole response of this id.
func (x Call) Send(id string) page.Call {
	return page.Call{ID: id, Method: x.Method, Cluster: x.Cluster, Path: x.Path, Header: x.Header, Body: x.Body}
}

// Cancel ends it.
func (x Call) Cancel() page.Cmd { return page.Cancel{ID: x.ID} }

// Under tells whether it is under way.
func (x Call) Under() bool { return x.State == Waiting || x.State == Answering }

// Done tells whether nothing more will come.
func (x Call) Done() bool { return x.State == Whole || x.State == Canceled || x.State == CutOff }

// OK tells whether the API server answered, and did not refuse.
func (x Call) OK() bool { return x.Status >= 200 && x.Status <= 299 }

// Hear takes in what happened; false: it is about something else. Parts of the body are added to Kept; a page that takes them
// as they come may empty Kept each time.
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

// No is the API server's refusal; nil where it did not refuse, or has not answered.
func (x Call) No() *status.Status {
	if x.Status == 0 || x.OK() {
		return nil
	}
	no := status.Parse(x.Status, x.Kept)
	return &no
}

// Warnings are those in the response's headers.
func (x Call) Warnings() []status.Warning { return page.Warnings(x.Answer) }

// MediaType is what the answer is, without its parameters; empty: it says nothing.
func (x Call) MediaType() string {
	mediaType, _, _ := strings.Cut(request.Field(x.Answer, "content-type"), ";")
	return strings.TrimSpace(mediaType)
}

// Form is what an answer is to whoever lays it out.
type Form string

// The forms.
const (
	JSON   Form = "json"
	Text   Form = "text"
	Binary Form = "binary"
)

// Form tells it by the media type; an answer that names none is text.
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

// Outcome is what came of the request, in a few words.
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

// RetryAfter is how long the API server asks to wait; 0: it doesn't.
func (x Call) RetryAfter() time.Duration {
	seconds, err := strconv.Atoi(strings.TrimSpace(request.Field(x.Answer, "retry-after")))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// Target is the path with its query in a form for people: nothing is escaped that can be read as it is.
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

// Written is the request as it goes over the wire, but for what the browser adds. JSON in one line is laid out.
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

// Laid lays JSON out that is in one line; other text is as it was.
func Laid(body []byte) string {
	var lines bytes.Buffer
	if !bytes.Contains(bytes.TrimSpace(body), []byte("\n")) && json.Indent(&lines, body, "", "  ") == nil {
		return lines.String()
	}
	return string(body)
}

// Lines are the lines of a body that comes in parts, as of a watch. The zero value is ready.
type Lines struct {
	Rest []byte `json:"rest,omitempty"` // of a line whose end is to come
}

// Take gives the lines that a part completes, without their ends.
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
