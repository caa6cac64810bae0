package app

import (
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Terminals are the document's terminals.
type Terminals interface {
	// Listen begins to post what happens to connections of terminals.
	Listen()
	// Connect connects a terminal with the WebSocket at an address of this server. raw is as in page.Connect.
	Connect(id, address string, raw bool)
	// Focus gives a terminal the focus.
	Focus(id string)
}

// Streamed is the event of a terminal's connection.
type Streamed page.Streamed

// Streams lets an app run the commands of pages with terminals.
func Streams(a *App, terminals Terminals) {
	a.more = append(a.more, &streaming{app: a, terminals: terminals})
}

// streaming connects a page with its terminals.
type streaming struct {
	app       *App
	terminals Terminals
}

func (s *streaming) enterPage(page.Page) { s.terminals.Listen() }
func (*streaming) took()                 {}
func (*streaming) busy() bool            { return false }

// do runs commands after the next paint, which may create the terminal. A path that leads out of the page's cluster is never opened.
func (s *streaming) do(c page.Cmd) {
	switch c := c.(type) {
	case page.Connect:
		if strays(c.Path) {
			s.app.Post(Streamed{ID: c.ID, State: page.StreamRefused})
			return
		}
		s.app.shown.runAfterPaint(func() { s.terminals.Connect(c.ID, web.API(c.Cluster, c.Path), c.Raw) })
	case page.FocusTerminal:
		s.app.shown.runAfterPaint(func() { s.terminals.Focus(c.ID) })
	}
}

func (s *streaming) handle(event any) {
	if e, ok := event.(Streamed); ok {
		e.At = s.app.now()
		s.app.update(page.Streamed(e))
	}
}
