// Package page is what the pages have in common: a message changes the model, the changed model and some
// commands come back, and what is shown is a function of the model. An Update does no I/O; whoever runs a page carries out
// the commands and turns what comes of them into messages.
//
// # What lives beside a Model
//
// The exported fields of a Model cross from the server to the browser as JSON. Everything else that a page knows is in one unexported
// field, called live. Awake makes it; on the server it is zero. The runner of the page holds the newest Model and shows no other.
// The type of live says what that means for an older Model:
//
//   - live is a value (or there is none): an older Model stays valid, and shows what it did. Update replaces what live refers to (maps,
//     slices, pointers), and never changes it in place.
//   - live is a pointer: all copies of a Model share it, and Update changes it in place. Only the newest Model counts. Don't show an
//     older one, and don't send it messages. This is for state that would be expensive to copy with each message: the rows of a table,
//     an object laid out line by line, the versions of a timeline, the response to a request as it comes.
//
// A part of a page (a tab, a followed object) keeps the same rule: it is a value, or it says that it is shared. HTML that was rendered
// before and indexes of what was shown belong into a shared live, too. web/live_test.go holds both: that nothing else is kept beside a
// Model, and that a Model whose live is a value doesn't change.
package page

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Page is what one address shows. The server makes it and renders it once; in the browser it lives. A Page
// survives JSON: what was embedded in the document is what lives.
type Page interface {
	// Kind names the kind of page in the embedded model.
	Kind() string
	// Awake begins the page's life, at the reader's time, with the commands that keep it current.
	Awake(now time.Time) (Page, []Cmd)
	// Update takes a message in. Messages that mean nothing to the page change nothing.
	Update(Msg) (Page, []Cmd)
	// Content is what stands in main.
	Content() templ.Component
	// Frame is the state of the shell around it.
	Frame() shell.Model
}

// Keyed is a page with a use for keys of its own.
type Keyed interface {
	Page
	Keys() []components.Key
}

// Working is a page with work that takes longer than a frame may.
type Working interface {
	Page
	// Work does a part of it, of a millisecond or two; false: there was nothing to do. What is shown may change with the
	// last part only. After it, Worked comes.
	Work() (done bool)
}

// Embedded is how a page crosses from the server to the browser.
type Embedded struct {
	Kind string `json:"kind"`
	Page any    `json:"page"`
}

// Embed is the page as it crosses.
func Embed(p Page) Embedded { return Embedded{Kind: p.Kind(), Page: p} }

// MediaType is what a page is asked for as when only its model is wanted: an Embedded as JSON.
const MediaType = "application/vnd.fieldmark.page+json"

// Msg is something that happened.
type Msg interface{ msg() }

// Addressed says that the reader asked for this page with another query (sort, filter, selectors). A page
// that can't answer by itself gives a Navigate.
type Addressed struct{ Query url.Values }

// Heir is a page that goes on with what another of the same thing has: one that was asked for anew, or in another view.
type Heir interface {
	Page
	// Inherit takes over what another page has gathered, right after Awake; resumes tells that the page also has the state
	// that the other one had, so that whoever runs it goes on with what that followed. Of a page of something else it takes
	// nothing.
	Inherit(from Page) (heir Page, resumes bool)
}

// Received is a message of a subscription.
type Received struct {
	Message wire.Message
	At      time.Time // by the reader's clock
	More    bool      // it is a part of what came, and the next part follows at once
}

// Connection says how the socket is.
type Connection struct {
	State ConnectionState
	Retry time.Duration // until the next attempt, while Broken
	Ago   time.Duration // how long ago something came last, while Broken or Silent
}

// ConnectionState is a state of the socket.
type ConnectionState string

// The states of the socket.
const (
	Connecting ConnectionState = "connecting"
	Open       ConnectionState = "open"
	Silent     ConnectionState = "silent" // it is open, and nothing comes
	Broken     ConnectionState = "broken"
	SignedOut  ConnectionState = "signed out" // the session has ended; nothing is tried any more
)

// Tick passes about every second, while the page can be seen.
type Tick struct{ Now time.Time }

// Scrolled says which part of the rows can be seen, in pixels.
type Scrolled struct{ Top, Height int }

// Pointed says whether the pointer is over the rows.
type Pointed struct{ Over bool }

// Pressed is a key that the page may have a use for, as KeyboardEvent.key names it.
type Pressed struct{ Key string }

// Focused says that the focus came to an element with an id.
type Focused struct{ ID string }

// Typed is text typed into a named field of the page.
type Typed struct{ Field, Text string }

// Acted says that the reader used a button of the page's, by the name in its data-do. Those that are the app's own
// don't come here.
type Acted struct{ Action string }

// Choosing says that files were chosen for a field that takes several, or dropped there: so many come, each as Loaded.
type Choosing struct {
	Field  string
	Files  int
	Passed int    // files that don't come: their names have other endings than the field takes
	Why    string // what could not be looked into, and why; empty: nothing
}

// Worked says that the page has come to the end of its Work.
type Worked struct{}

// Loaded is a file that the reader chose in a field of the page, or dropped there.
type Loaded struct {
	Field, Name string
	Size        int64
	Body        []byte // nil: the file is larger than the field's data-most, or could not be read
}

func (Addressed) msg()  {}
func (Received) msg()   {}
func (Connection) msg() {}
func (Tick) msg()       {}
func (Scrolled) msg()   {}
func (Pointed) msg()    {}
func (Pressed) msg()    {}
func (Focused) msg()    {}
func (Typed) msg()      {}
func (Acted) msg()      {}
func (Loaded) msg()     {}
func (Choosing) msg()   {}
func (Worked) msg()     {}

// Cmd is something to be done.
type Cmd interface{ cmd() }

// Subscribe begins a subscription; its messages come as Received. Whoever runs the page keeps it up when the
// connection breaks, and ends it when the page is left.
type Subscribe struct {
	ID              uint32
	Cluster, Path   string
	As              wire.As
	ResourceVersion string // of the state that the page has; empty: it has none
	Continue        string // the chunk after those that the page has
}

// Unsubscribe ends one.
type Unsubscribe struct{ ID uint32 }

// Ask asks Fieldmark itself, at an address of ours, for something that is no page; the response comes as Response.
type Ask struct {
	ID      string // to know the answer by
	Address string
	Accept  string
}

// Navigate opens an address.
type Navigate struct{ Address string }

// Reload asks the server for this page anew, and leaves the reader where they are.
type Reload struct{}

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

// Shift scrolls the rows by so many pixels, together with the paint of what came or went above them: those in sight stay
// where they are.
type Shift struct{ By int }

// Reveal scrolls an element into sight, as little as that takes, after the next paint.
type Reveal struct{ ID string }

// Download gives the reader a file.
type Download struct {
	Name, MediaType string
	Body            []byte
}

func (Subscribe) cmd()   {}
func (Unsubscribe) cmd() {}
func (Ask) cmd()         {}
func (Navigate) cmd()    {}
func (Reload) cmd()      {}
func (Remember) cmd()    {}
func (Focus) cmd()       {}
func (Announce) cmd()    {}
func (Scroll) cmd()      {}
func (Shift) cmd()       {}
func (Reveal) cmd()      {}
func (Download) cmd()    {}
