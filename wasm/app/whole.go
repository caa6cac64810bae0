package app

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Outgoing is a request to the server.
type Outgoing struct {
	Method  string
	Address string
	Header  []request.Header
	Body    []byte
}

// Head is the status and the headers of a response.
type Head struct {
	Status  int
	Address string // after redirects; path and query
	Header  []request.Header
}

// Answer is a whole response. Status 0: there was none, or it was cut off.
type Answer struct {
	Head
	Body []byte
}

// requestAddress requests an address of this server in a media type; if it is empty, the server chooses.
func requestAddress(s Server, address, accept string) Answer {
	o := Outgoing{Method: request.Get, Address: address}
	if accept != "" {
		o.Header = []request.Header{{Name: "Accept", Value: accept}}
	}
	return s.Call(o)
}

// asked carries out a page's command.
func asked(s Server, c page.Ask) Answer {
	if c.Form == "" {
		return requestAddress(s, c.Address, c.Accept)
	}
	return s.Call(Outgoing{
		Method: request.Post, Address: c.Address, Body: []byte(c.Form),
		Header: []request.Header{{Name: "Accept", Value: c.Accept}, {Name: "Content-Type", Value: "application/x-www-form-urlencoded"}},
	})
}

// response is the whole response to a call of a page, or of the palette.
type response struct {
	visit  int // of the page
	answer page.Response
}

// call makes a call of a page, or of the palette. Calls in parts go to their extension. If the path strays, no request is sent, and the
// page gets the result for no response.
func (a *App) call(cmd page.Call) {
	switch {
	case cmd.Parts:
		a.extend(cmd)
	case strays(cmd.Path):
		a.waiting++
		a.Post(response{a.visit, page.Response{ID: cmd.ID}})
	default:
		out := outgoing(cmd)
		a.startRequest(cmd.ID, func() Answer { return a.screen.Call(out) })
	}
}

// outgoing is the request of a call.
func outgoing(cmd page.Call) Outgoing {
	return Outgoing{Method: cmd.Method, Address: web.API(cmd.Cluster, cmd.Path), Header: cmd.Header, Body: cmd.Body}
}

// startRequest passes a whole response to the page. The request is not canceled if the user leaves the page.
func (a *App) startRequest(id string, request func() Answer) {
	visit, began := a.visit, a.now()
	a.waiting++
	go func() {
		r := request()
		a.Post(response{visit, page.Response{ID: id, Status: r.Status, Header: r.Header, Body: r.Body, Took: a.now().Sub(began)}})
	}()
}

// strays tells whether a browser would turn a path into another address, outside of the page's cluster. Paths come from URLs that
// others may have written.
func strays(path string) bool {
	path, _, _ = strings.Cut(path, "?")
	if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == 0x7f || r == '\\' || r == '#' }) {
		return true
	}
	for segment := range strings.SplitSeq(strings.ReplaceAll(strings.ToLower(path), "%2e", "."), "/") {
		if segment == "." || segment == ".." {
			return true
		}
	}
	return false
}
