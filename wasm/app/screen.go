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

// Screen is the document as the app sees it. The document runs beside the app: a method tells the document what to do, in order, and doesn't wait
// for it. What the app must know of the document comes as events. The methods are called from one goroutine, but for Call. Each part serves one purpose.
// Code that needs one part takes only that part. Editors, Terminals and Caller are parts that only some programs have.
type Screen interface {
	Window
	Server
	Painter
	Status
	Navigator
	Mover
	Announcer
	Storage
	Exporter
	Acts
}

// Window is where the page is shown.
type Window interface {
	// Address is the page's address: path, query and fragment.
	Address() string
	// Visible tells whether anybody can see the page.
	Visible() bool
}

// Server is the server of the page.
type Server interface {
	// Origin is the WebSocket origin of the server: ws://host:port.
	Origin() string
	// Call makes a request, and blocks its goroutine until the whole response has arrived.
	Call(Outgoing) Answer
}

// Painter changes what the document shows.
type Painter interface {
	// Show makes a place look like this HTML, and keeps what is the same.
	Show(where Place, html string)
	// ShowRows changes the rows of the table in Main. If the rows in the document are not those that were shown last, it changes nothing, and Torn is
	// posted.
	ShowRows(RowSteps)
	// Modal makes everything except the overlay inert. When the overlay closes, it gives the focus back to where it was.
	Modal(on bool)
	// Shift scrolls the rows by so many pixels.
	Shift(by int)
	// Frame posts a Frame as soon as the document has painted what it was shown last.
	Frame()
}

// Status says how the page as a whole is.
type Status interface {
	// Title names the document.
	Title(string)
	// Busy shows that a page is loading.
	Busy(on bool)
	// State sets html[data-wasm].
	State(string)
	// Mark notes a moment of the program's start for the browser's own tools.
	Mark(what string)
}

// Navigator goes to other pages and documents.
type Navigator interface {
	// Remember puts an address into the browser's address bar. If it adds a step to the history, the step before keeps the
	// scroll position.
	Remember(address string, replace bool)
	// Leave loads an address as a document of its own.
	Leave(address string)
	// Pass passes a page to the program that runs it. Until that program shows the page, this one goes on.
	Pass(program string, page Arrival)
	// Prepare starts a program that the reader may need next, so that Pass doesn't wait for it.
	Prepare(program string)
	// Open loads an address in a new tab, which can't reach this one.
	Open(address string)
	// Submit posts a form of the document, by its id, with one more field. The browser shows the response as a new document.
	Submit(form, field, text string)
}

// Mover moves the reader in the page: the focus, and how far the page and its rows are scrolled.
type Mover interface {
	// Focus moves the focus to an element, or to the link of a row. If the element isn't there or isn't visible, it gets the focus as soon as it is, unless
	// the reader does something before.
	Focus(id string)
	// Bring scrolls the rows until these pixels are visible.
	Bring(top, bottom int)
	// Reveal scrolls only so far that an element is visible.
	Reveal(id string)
	// Target goes to the element of an id, as a link to a place in the page does.
	Target(id string)
	// ScrollTo scrolls the page and its rows. Stay notes how far they are scrolled, and Return goes back there.
	ScrollTo(Position)
	Stay()
	Return()
}

// Announcer tells the reader something in words.
type Announcer interface {
	// Announce has screen readers say something, politely.
	Announce(words string)
	// Tell shows words over the page for a few seconds. Screen readers need Announce, too.
	Tell(words string)
}

// Storage keeps values and preferences in the browser.
type Storage interface {
	// Keep stores a value in the browser, under a key; an empty one is deleted. Kept is a value that was kept.
	Keep(key, value string)
	Kept(key string) (value string, ok bool)
	// Prefer keeps a preference in a cookie, which the server reads with the next page. An empty value deletes it.
	Prefer(cookie, value string)
	// Theme changes the colors: light, dark or auto.
	Theme(choice string)
}

// Exporter gives the reader texts, pictures and files.
type Exporter interface {
	// Copy puts a text into the clipboard, or, if it is empty, a picture as an image of pixels. Copied is posted then.
	Copy(text, svg, file string)
	// Download gives the reader a file.
	Download(name, mediaType string, body []byte)
}

// Acts keeps the reader's acts in their order.
type Acts interface {
	// Keys says which keys the app handles from now on. The document must know that at once, because only then it can keep a key from the browser.
	Keys(Keys)
	// Handled says that the app has handled one more of the reader's acts: a click, a key, a text. Until then, the document keeps later keys.
	Handled()
	// Pause lets waiting events in.
	Pause()
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

// Keys are the keys that the app handles, as KeyboardEvent.key has them.
type Keys struct {
	// Covered says that an overlay is open. Then the keys count in text fields, too.
	Covered bool
	Plain   []string
}

// Arrival is a page that a program is to show.
type Arrival struct {
	Address string   // of the page, with its fragment
	Model   []byte   // the model of the page, as JSON
	Reader  string   // the key of the person who reads the page before
	How     How      // how the reader got here
	At      Position // where the page was scrolled, if the reader goes back
}

// Events of the screen, for Post.
type (
	// Begun is the first event: the page in the document.
	Begun struct{ Model []byte }
	// Arrived is a page that another program has passed.
	Arrived struct{ Arrival }
	// Parked says that another program shows the page now. This one may be needed again.
	Parked struct{}
	// Torn says that the rows in the document are not those that were shown.
	Torn struct{}
	// Copied says what became of what was copied: a key of words.Copies, or empty for a plain text.
	Copied struct{ What string }
	// Near says that the reader may follow a link: the pointer rests on it, or it has the focus. Pressed: the reader has pressed the button.
	Near struct {
		Address string
		Pressed bool
	}
	// Click is a plain click on a link to a page of Fieldmark.
	Click struct{ Address string }
	// Submit is a submitted form with the method GET, with its fields.
	Submit struct{ Address string }
	// Popped says that the user went back or forward in the history.
	Popped struct {
		Address string
		At      Position
	}
	// Key is a key of those that Screen.Keys named, or a K with Control.
	Key struct {
		Key  string // as KeyboardEvent.key has it
		Ctrl bool   // Control, or Command
	}
	// Rows says which of the rows can be seen.
	Rows struct {
		Top, Height, Width int
		Reader             bool // the reader has scrolled; else the page, or the window has another size
	}
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
	// Frame is posted when the document is ready for another paint, after Screen.Frame.
	Frame struct{}
	// Clock is posted about every second.
	Clock struct{ Now time.Time }
)
