// Package page is what the pages have in common once they are alive: a message changes the model, the
// changed model and some commands come back, and the view is a function of the model. It is pure; whoever
// runs a page carries out the commands and turns what comes of them into messages.
package page

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/shell"
	"github.com/fieldmark/fieldmark/web/wire"
)

// Page is a page that can live. Implementations are values: Update returns a changed copy.
type Page interface {
	// Kind names the page's kind in the embedded model.
	Kind() string
	// Start gives the commands that make the page live, once, when it is shown.
	Start() []Cmd
	// Update takes a message in. Messages that mean nothing to the page change nothing.
	Update(Msg) (Page, []Cmd)
	// Content is what stands in main. View, on the server, is the whole document around it.
	Content() templ.Component
	// Frame is the shell's state.
	Frame() shell.Model
}

// Msg is something that happened.
type Msg interface{ msg() }

// Addressed says that the reader changed the query of the page's address (sort, filter, selectors)
// without leaving the page.
type Addressed struct{ Query url.Values }

// Received is a message of a subscription.
type Received struct{ Message wire.Message }

// Connection says how the socket is.
type Connection struct {
	State ConnectionState
	Retry time.Duration // until the next attempt, while Broken
}

// ConnectionState is a state of the socket.
type ConnectionState string

// The states of the socket.
const (
	Connecting ConnectionState = "connecting"
	Open       ConnectionState = "open"
	Broken     ConnectionState = "broken"
)

// Tick passes about every second, while the page can be seen.
type Tick struct{ Now time.Time }

// Scrolled says which part of the rows can be seen, in pixels.
type Scrolled struct{ Top, Height int }

// Pointed says whether the pointer is over the rows.
type Pointed struct{ Over bool }

// Pressed is a key that the page has a use for.
type Pressed struct{ Key string }

// Typed is text typed into a field of the page that acts at once.
type Typed struct{ Field, Text string }

func (Addressed) msg()  {}
func (Received) msg()   {}
func (Connection) msg() {}
func (Tick) msg()       {}
func (Scrolled) msg()   {}
func (Pointed) msg()    {}
func (Pressed) msg()    {}
func (Typed) msg()      {}

// Cmd is something to be done.
type Cmd interface{ cmd() }

// Subscribe begins a subscription; its messages come as Received.
type Subscribe struct {
	ID              uint32
	Cluster, Path   string
	As              wire.As
	ResourceVersion string
}

// Unsubscribe ends one.
type Unsubscribe struct{ ID uint32 }

// Navigate opens an address.
type Navigate struct{ Address string }

// Remember puts an address into the browser's bar without opening it; Replace leaves no step in the
// history.
type Remember struct {
	Address string
	Replace bool
}

// Focus moves the focus to the element of an id.
type Focus struct{ ID string }

// Announce says something to screen readers, politely.
type Announce struct{ Words string }

// Scroll moves the rows so that these pixels can be seen.
type Scroll struct{ Top, Bottom int }

func (Subscribe) cmd()   {}
func (Unsubscribe) cmd() {}
func (Navigate) cmd()    {}
func (Remember) cmd()    {}
func (Focus) cmd()       {}
func (Announce) cmd()    {}
func (Scroll) cmd()      {}
