package app

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Outgoing is a request as the screen makes it.
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

// ask gets an address of ours in a media type; an empty one leaves it to the server.
func ask(s Screen, address, accept string) Answer {
	o := Outgoing{Method: request.Get, Address: address}
	if accept != "" {
		o.Header = []request.Header{{Name: "Accept", Value: accept}}
	}
	return s.Call(o)
}

// response is the whole response to a call of a page, or of the palette.
type response struct {
	visit  int // of the page
	answer page.Response
}

// call makes a call of a page's, or of the palette's. One in parts is left to the extension that knows them. A path that strays is not asked
// for at all: that is as if there were no response.
func (a *App) call(cmd page.Call) {
	switch {
	case cmd.Parts:
		a.extend(cmd)
	case strays(cmd.Path):
		a.Post(response{a.visit, page.Response{ID: cmd.ID}})
	default:
		out := outgoing(cmd)
		a.tell(cmd.ID, func() Answer { return a.screen.Call(out) })
	}
}

// outgoing is a call as it is made.
func outgoing(cmd page.Call) Outgoing {
	return Outgoing{Method: cmd.Method, Address: web.API(cmd.Cluster, cmd.Path), Header: cmd.Header, Body: cmd.Body}
}

// tell tells the page of a whole response. That the page is left meanwhile does not call the request back.
func (a *App) tell(id string, request func() Answer) {
	visit, began := a.visit, a.now()
	go func() {
		r := request()
		a.Post(response{visit, page.Response{ID: id, Status: r.Status, Header: r.Header, Body: r.Body, Took: a.now().Sub(began)}})
	}()
}

// strays tells whether a browser would make another address of a path than the one that stands there: one outside of the
// cluster that the page is about. Paths come from addresses that others may have written.
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
