package requests

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/record"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// maxDump bounds the shown part of a binary body, in bytes.
const maxDump = 1 << 10

// body is a body as the page shows it. A binary body is a dump of its bytes.
func body(s record.Side, raw bool) string {
	switch {
	case s.Binary():
		return hex.Dump(s.Body[:min(len(s.Body), maxDump)])
	case raw:
		return components.Visible(string(s.Body))
	default:
		return components.Visible(string(record.Laid(s.Body)))
	}
}

// bodyNote says what is missing or changed in a body; empty: nothing.
func bodyNote(e record.Entry, s record.Side) string {
	switch {
	case s.Bytes == 0:
		return ""
	case s.Withheld != "":
		return fmt.Sprintf("Not recorded: %s.", s.Withheld)
	}
	text := ""
	if s.Cut {
		text = fmt.Sprintf("The body has %s bytes on the wire. The record keeps only the first %s of this body.", words.Thousands(s.Bytes), components.Bytes(int64(e.Cap)))
	}
	if s.Redacted {
		text += fmt.Sprintf(" %s replaces text that looks like a credential.", record.Redacted)
	}
	if s.Binary() && len(s.Body) > maxDump {
		text += fmt.Sprintf(" The page shows the first %s bytes.", words.Thousands(maxDump))
	}
	return text
}

// again is the request as a value, to send it again. whole tells whether the record has its complete body.
func again(e record.Entry) (r request.Request, whole bool) {
	r = request.New(e.Method, e.Target())
	for _, f := range e.Request.Header {
		if request.Carried(f.Name) && !strings.Contains(f.Value, record.Redacted) {
			r = r.With(f.Name, f.Value)
		}
	}
	s := e.Request
	if s.Bytes == 0 {
		return r.With("Content-Type", ""), true
	}
	if s.Withheld != "" || s.Cut || s.Redacted {
		return r, false
	}
	r.Body = s.Body
	return r, true
}

// resend is the address of the console with this request.
func (m Model) resend(e record.Entry) string {
	r, whole := again(e)
	q := url.Values{"method": {e.Method}, "path": {e.Target()}, "accept": {r.Field("Accept")}, "contentType": {r.Field("Content-Type")}}
	if whole && len(r.Body) <= web.MostInAddress && !e.Request.Binary() {
		q.Set("body", string(r.Body))
	}
	return web.WithQuery(web.Tool(m.Shell.Cluster.Slug, web.Request), q)
}

// form is a request for another tool, to copy.
type form struct{ name, text, note string }

// forms are the request for curl, kubectl and Go.
func (m Model) forms(e record.Entry) []form {
	r, whole := again(e)
	missing := ""
	if !whole {
		missing = "The body is missing here, because the record has no complete copy of it."
	}
	curl := form{"curl", r.Curl(m.Shell.Server()), missing}
	command := r.Kubectl()
	kubectl := form{"kubectl", command.Line, join(command.Note, missing)}
	return []form{curl, kubectl, {"client-go", r.GoClient(), missing}}
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// anatomy is the path of a request, each part with its page.
func (m Model) anatomy(l record.Line) []components.Segment {
	p, err := apipath.Parse(l.Path)
	if err != nil {
		return nil
	}
	return m.Shell.AnatomyOf(p)
}

// facts are a request in short.
func (m Model) facts(e record.Entry) []components.Fact {
	l := e.Line
	facts := []components.Fact{
		{Name: "status", Text: answer(l), Tone: tone(l)},
		{Name: "began", Text: clock(l)},
		{Name: "took", Text: m.lasted(l), Hint: timing(l, m.now())},
		{Name: "on the wire", Text: components.Bytes(l.Got), Hint: sizeHint(l)},
	}
	if n, known := l.Decoded(); l.Coding != "" {
		text := "unknown"
		if known {
			text = components.Bytes(n)
		}
		facts = append(facts, components.Fact{Name: "decompressed", Text: text, Hint: sizeHint(l)})
	}
	if l.Streams() {
		facts = append(facts, components.Fact{Name: "events", Text: words.Thousands(l.Events)})
	}
	facts = append(facts, components.Fact{Name: "origin", Text: l.Origin, Hint: madeBy(l.Origin)}, components.Fact{Name: "server", Text: e.Server, Mono: true})
	if e.Proto != "" {
		facts = append(facts, components.Fact{Name: "protocol", Text: e.Proto})
	}
	return facts
}

// parametersOf are the parameters of a request, by name.
func parametersOf(l record.Line) []part {
	var all []part
	for parameter := range strings.SplitSeq(l.Query, "&") {
		if name, value, _ := strings.Cut(parameter, "="); name != "" {
			all = append(all, part{readable(name), readable(value)})
		}
	}
	return all
}
