package app

import (
	"context"
	"errors"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Place is a part of the document that is shown as a whole.
type Place string

// The places, by the ids of their elements.
const (
	Everything Place = "app"
	Main       Place = "main"
	Overlay    Place = "overlay"
	Side       Place = shell.Side
	Newest     Place = shell.WireNewest
	List       Place = shell.WireList
	Watching   Place = shell.WatchingPlace
	Gone       Place = shell.GonePlace
)

// Screen is the document as the app sees it. Its methods are called from one goroutine, but for Call.
type Screen interface {
	// Model is the model that the server embedded.
	Model() []byte
	// Address is the page's address: path, query and fragment.
	Address() string
	// Origin is the WebSocket origin of the server: ws://host:port.
	Origin() string
	// Show makes a place look like this HTML, and keeps what is the same.
	Show(where Place, html string)
	// ShowRows changes the rows of the table in Main; false: they are not those that were shown last.
	ShowRows(RowSteps) bool
	// Title names the document.
	Title(string)
	// Remember puts an address into the browser's address bar. If it adds a step to the history, the step before keeps the
	// scroll position.
	Remember(address string, replace bool)
	// Leave loads an address as a document of its own.
	Leave(address string)
	// Open loads an address in a new tab, which can't reach this one.
	Open(address string)
	// Submit posts a form of the document, by its id, with one more field. The browser shows the response as a new document.
	Submit(form, field, text string)
	// Theme changes the colors: light, dark or auto.
	Theme(choice string)
	// Prefer keeps a preference in a cookie, which the server reads with the next page. An empty value deletes it.
	Prefer(cookie, value string)
	// Keep stores a value in the browser, under a key; an empty one is deleted. Kept is a value that was kept.
	Keep(key, value string)
	Kept(key string) (value string, ok bool)
	// Call makes a request, and blocks its goroutine until the whole response has arrived.
	Call(Outgoing) Answer
	// Focus moves the focus to the first focusable element in the element with an id; false: there is none.
	Focus(id string) bool
	// Modal makes everything except the overlay inert. When the overlay closes, it gives the focus back to where it was.
	Modal(on bool)
	// Bring scrolls the rows until these pixels are visible.
	Bring(top, bottom int)
	// Shift scrolls the rows by so many pixels.
	Shift(by int)
	// Reveal scrolls only so far that an element is visible.
	Reveal(id string)
	// Target goes to the element of an id, as a link to a place in the page does.
	Target(id string)
	// Download gives the reader a file.
	Download(name, mediaType string, body []byte)
	// Copy puts a text into the clipboard, or, if it is empty, a picture as an image of pixels. It says what became of it.
	Copy(text, svg, file string)
	// Scroll is how far the page is scrolled; ScrollTo goes back there.
	Scroll() Position
	ScrollTo(Position)
	// Announce has screen readers say something, politely.
	Announce(words string)
	// Busy shows that a page is loading.
	Busy(on bool)
	// State sets html[data-wasm].
	State(string)
	// Mark notes a moment of the program's start for the browser's own tools.
	Mark(what string)
	// Frame posts a Frame before the next paint.
	Frame()
	// Pause lets the browser handle its waiting events.
	Pause()
	// Visible tells whether anybody can see the page.
	Visible() bool
}

// Position is how far the page and its rows are scrolled, in pixels.
type Position struct{ Main, Rows int }

// ErrRenew is the error of Conn.Read when the server has closed the connection because the session must be renewed. The request of the next
// connection does that.
var ErrRenew = errors.New("the session must be renewed")

// Conn is a connection to the server.
type Conn interface {
	Read(context.Context) ([]byte, error)
	Write(context.Context, []byte) error
	Close()
}

// Dial opens a Conn.
type Dial func(ctx context.Context, url string) (Conn, error)

// Events of the screen, for Post.
type (
	// Click is a plain click on a link to a page of Fieldmark.
	Click struct{ Address string }
	// Submit is a submitted form with the method GET, with its fields.
	Submit struct{ Address string }
	// Popped says that the user went back or forward in the history.
	Popped struct {
		Address string
		At      Position
	}
	// Key is a key for which Takes returned true.
	Key struct {
		Key  string // as KeyboardEvent.key has it
		Ctrl bool   // Control, or Command
	}
	// Input is text that was typed into a named field.
	Input struct{ Field, Text string }
	// Rows says which of the rows can be seen.
	Rows struct{ Top, Height, Width int }
	// Pointer says whether the pointer is over rows, or over the list of requests.
	Pointer struct{ Over, Wire bool }
	// Unfolded says whether the list of requests can be seen.
	Unfolded struct{ On bool }
	// Focus says which element has the focus.
	Focus struct{ ID string }
	// Shown says whether anybody can see the page.
	Shown struct{ On bool }
	// Stored says that another tab has kept a value.
	Stored struct{ Key string }
	// SigningOut says that the reader signs out.
	SigningOut struct{}
	// Online says that the network is back.
	Online struct{}
	// Dismiss is a click outside of the overlay, or on its close button.
	Dismiss struct{}
	// Option is a click on an option of the palette that is no link.
	Option struct{ ID string }
	// Do runs an action by its name.
	Do struct{ Action string }
	// File is a file that the reader chose, or dropped.
	File struct {
		Field, Name string
		Size        int64
		Body        []byte // nil: it is too large, or could not be read
	}
	// Files says that several files will follow.
	Files struct {
		Field         string
		Files, Passed int
		Why           string
	}
	// Frame is posted before a paint, after Screen.Frame.
	Frame struct{}
	// Clock is posted about every second.
	Clock struct{ Now time.Time }
)
