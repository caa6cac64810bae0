// Package inplace shows the API request of a page in the page itself: the request as HTTP, curl and kubectl, and the response with its
// headers. In the browser, the page sends the request again. Without Fieldmark's program, the link to the panel leads to the request console.
package inplace

import (
	"net/url"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// What the panel keeps and shows of a response.
const (
	keep  = 256 << 10 // bytes
	lines = 400
)

// Actions, and the ids of the panel and of the link that opens it.
const (
	doOpen  = "api-call"
	doClose = "api-call-close"
	panelID = "api-call"
	linkID  = "api-call-open"
)

// Model is the panel. It is a value; the zero value is closed.
type Model struct {
	call   call.Call
	lines  []layout.Line // of the response body; nil: it hasn't arrived
	more   bool          // the body has more lines
	hidden bool          // the body may contain secrets, and only JSON can be shown without them
}

// Get is the request of a page: a GET of an API path with its query.
func Get(cluster, path, accept string) call.Call {
	return call.Call{
		ID: "in-place", Cluster: cluster, Method: request.Get, Path: path, Keep: keep,
		Header: []request.Header{{Name: "Accept", Value: accept}},
	}
}

// Post is the request of a page that creates nothing: a review, with its body as JSON.
func Post(cluster, path string, body []byte) call.Call {
	x := call.New(cluster, request.Post, path, "application/json", body)
	x.ID, x.Keep = "in-place", keep
	return x
}

// Opened tells whether the panel is open.
func (m Model) Opened() bool { return m.call.State != call.Unsent }

// Update handles a message of the page. The function makes the page's request of this moment. If the message isn't for the panel, taken is false.
func (m Model) Update(msg page.Msg, asked func() call.Call) (next Model, commands []page.Cmd, taken bool) {
	switch msg := msg.(type) {
	case page.Acted:
		switch {
		case msg.Action == doOpen && m.Opened():
			return m.closed()
		case msg.Action == doOpen:
			sent, cmd := asked().Begin()
			return Model{call: sent}, []page.Cmd{cmd, page.Focus{ID: panelID}}, true
		case msg.Action == doClose:
			return m.closed()
		}
	case page.Pressed:
		if msg.Key == "Escape" && m.Opened() {
			return m.closed()
		}
	default:
		heard, mine := m.call.Hear(msg)
		if !m.Opened() || !mine {
			return m, nil, false
		}
		m.call = heard
		if heard.Done() {
			m = m.layOutBody()
			return m, []page.Cmd{page.Announce{Words: heard.Outcome()}}, true
		}
		return m, nil, true
	}
	return m, nil, false
}

func (m Model) closed() (Model, []page.Cmd, bool) {
	var commands []page.Cmd
	if m.call.Under() {
		commands = append(commands, m.call.Cancel())
	}
	return Model{}, append(commands, page.Focus{ID: linkID}), true
}

// layOutBody lays out the response body, without secrets.
func (m Model) layOutBody() Model {
	x := m.call
	p, err := apipath.Parse(pathOf(x.Path))
	secret := err != nil || p.OfSecrets() || p.OfTokens() || p.IsResource() && object.MayHold(x.Kept)
	switch x.Form() {
	case call.JSON:
		m.lines, m.more = layout.Of(x.Kept, layout.How{Hide: secret}).To(lines)
	case call.Text:
		if m.hidden = secret; !secret {
			m.lines, m.more = layout.Text(x.Kept, lines)
		}
	}
	m.more = m.more || int64(len(x.Kept)) < x.Bytes
	m.call.Kept = refusalOnly(x)
	return m
}

// refusalOnly is the part of the body that the panel still needs after it has laid out the body: a refusal is explained.
func refusalOnly(x call.Call) []byte {
	if x.OK() {
		return nil
	}
	return x.Kept
}

func pathOf(target string) string {
	for i := range target {
		if target[i] == '?' {
			return target[:i]
		}
	}
	return target
}

// Console is the address of the request console with a call filled in.
func Console(x call.Call) string {
	address := web.Console(x.Cluster, x.Method, x.Path, request.Field(x.Header, "Accept"))
	if len(x.Body) == 0 || len(x.Body) > web.MostInAddress {
		return address
	}
	return address + "&" + url.Values{web.ConsoleBody: {string(x.Body)}}.Encode()
}

// form is the call as other programs write it.
func (m Model) form() request.Request {
	r := request.New(m.call.Method, m.call.Path)
	for _, h := range m.call.Header {
		r = r.With(h.Name, h.Value)
	}
	r.Body = m.call.Body
	return r
}

// notice explains a response that isn't what the page wanted; nil if there is nothing to explain.
func (m Model) notice() *components.Notice {
	x := m.call
	switch no := x.No(); {
	case !x.Done() || x.State == call.Canceled:
		return nil
	case x.Status == 0:
		n := call.NoResponse()
		return &n
	case no != nil:
		n := call.Unread(no)
		return &n
	}
	return nil
}
