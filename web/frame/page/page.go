// Package page is what all pages have in common. Update takes a message, and returns the changed model and commands. The view is a function of the model.
// An Update does no I/O: the runner of the page carries out the commands, and turns their results into messages.
//
// # What lives beside a Model
//
// The server sends the exported fields of a Model to the browser as JSON. All other state of a page is in one unexported
// field, called live. Awake makes it; on the server it is zero. The runner of the page has the newest Model and shows no other.
// The type of live says what that means for an older Model:
//
//   - live is a value (or there is none): an older Model stays valid, and its view stays the same. Update replaces what live refers to (maps,
//     slices, pointers), and never changes it in place.
//   - live is a pointer: all copies of a Model share it, and Update changes it in place. Only the newest Model counts. Don't show an
//     older one, and don't send it messages. This is for state that would be expensive to copy with each message: the rows of a table,
//     an object laid out line by line, the versions of a timeline, the response to a request as it comes.
//
// A part of a page (a tab, a followed object) has the same rule: it is a value, or its comment says that it is shared. Rendered HTML and indexes of what
// was shown belong into a shared live, too. web/pagetest tests that a Model has no other unexported state, and that a Model whose live is a value
// doesn't change.
package page

import (
	"net/url"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// Page is what one address shows. The server makes a Page and renders it once. The browser reads the same Page from JSON in the document, and runs it.
type Page interface {
	// Awake prepares the page to run in the browser, at the reader's time. The commands keep the page current.
	Awake(now time.Time) (Page, []Cmd)
	// Update handles a message. It ignores messages that mean nothing to the page.
	Update(Msg) (Page, []Cmd)
	// Content is the content of the main element, without what the frame shows: the head of the page, what the server lacks, and the problem.
	Content() templ.Component
	// Framed is what all pages have. A Model that embeds a Frame has it.
	Framed() Frame
}

// Opener is a tool whose first paint needs nothing of the API but what its frame has. The server needs no code for it.
type Opener interface {
	Page
	// Open is the page at an address with this query.
	Open(frame Frame, query url.Values) Page
}

// Keyed is a page with its own keys, which the help lists.
type Keyed interface {
	Page
	Keys() []components.Key
}

// Below is a page whose parent isn't the one that its Shell says, such as the page of an act on an object. Escape leads to the parent, unless it
// closes something in the page.
type Below interface {
	Page
	Parent() (address string)
}

// Unfinished is a page that may be in the middle of something that ends when its reader leaves it. Then the browser asks first. The page's view has the
// attribute data-unfinished in this state.
type Unfinished interface {
	Page
	Unfinished() bool
}

// Working is a page with work that takes longer than one frame.
type Working interface {
	Page
	// Work does a part of the work, of a millisecond or two. It returns false if there was nothing to do. Only the last part may change the view. After
	// it, the page gets Worked.
	Work() (done bool)
}

// MediaType is the media type of a request for only a page's model, as JSON.
const MediaType = "application/vnd.fieldmark.page+json"

// Msg is something that happened.
type Msg interface{ msg() }

// Addressed says that the reader opened this page with another query (sort, filter, selectors). A page that needs the server for that returns a
// Navigate.
type Addressed struct{ Query url.Values }

// Heir is a page that takes over the state of the page before it, if both show the same thing. For example, the reader reloaded it, or chose another
// view.
type Heir interface {
	Page
	// Inherit is called right after Awake, with the page before. resumes tells that the page also has the state of that page, so that its runner
	// keeps that page's subscriptions. If the page before shows something else, Inherit takes nothing.
	Inherit(from Page) (heir Page, resumes bool)
}

// Received is a message of a subscription.
type Received struct {
	Message wire.Message
	At      time.Time // by the reader's clock
	More    bool      // the next part of what arrived follows at once
}

// Connection says which state the socket has.
type Connection struct {
	State ConnectionState
	Retry time.Duration // until the next attempt, while Broken
	Ago   time.Duration // time since the last message, while Broken or Silent
}

// ConnectionState is a state of the socket.
type ConnectionState string

// The states of the socket.
const (
	Connecting ConnectionState = "connecting"
	Open       ConnectionState = "open"
	Silent     ConnectionState = "silent" // it is open, but no messages arrive
	Broken     ConnectionState = "broken"
	SignedOut  ConnectionState = "signed out" // the session has ended, so there are no more attempts
)

// Tick comes about every second, while the page is visible.
type Tick struct{ Now time.Time }

// Scrolled says which part of the rows is visible, in pixels.
type Scrolled struct{ Top, Height, Width int }

// Shown says that the page became visible, or that it is hidden, for example behind another tab.
type Shown struct{ On bool }

// Pointed says whether the pointer is over the rows.
type Pointed struct{ Over bool }

// Pressed is a key that was pressed, as KeyboardEvent.key names it.
type Pressed struct{ Key string }

// Focused says that an element with an id got the focus.
type Focused struct{ ID string }

// Typed is text typed into a named field of the page.
type Typed struct{ Field, Text string }

// Acted says that the reader used a button of the page. Action is the button's data-do. The page doesn't get buttons of the app.
type Acted struct{ Action string }

// Choosing says that the reader chose or dropped files for a field that takes several. So many Loaded follow.
type Choosing struct {
	Field  string
	Files  int
	Passed int    // files that are skipped, because the field doesn't take the endings of their names
	Why    string // which folders could not be read, and why; empty: none
}

// Preferred says that the reader has changed the list of types, so that the page's frame has former preferences.
type Preferred struct{ Preferences shell.Preferences }

// Worked says that the page's Work has ended.
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
func (Shown) msg()      {}
func (Pointed) msg()    {}
func (Pressed) msg()    {}
func (Focused) msg()    {}
func (Typed) msg()      {}
func (Acted) msg()      {}
func (Loaded) msg()     {}
func (Choosing) msg()   {}
func (Worked) msg()     {}
func (Preferred) msg()  {}

// Cmd is something to be done.
type Cmd interface{ cmd() }

// Subscribe begins a subscription, whose messages come as Received. The runner of the page renews it when the connection breaks, and ends it when the
// reader leaves the page.
type Subscribe struct {
	ID              uint32
	Cluster, Path   string
	As              wire.As
	ResourceVersion string // of the page's state; empty: the page has none
	Continue        string // token of the next chunk that the page doesn't have
}

// Unsubscribe ends a subscription.
type Unsubscribe struct{ ID uint32 }

// Ask sends a request to an address of Fieldmark that isn't a page. The response comes as Response.
type Ask struct {
	ID      string // identifies the response
	Address string
	Accept  string
	Form    string // a form, as application/x-www-form-urlencoded, that is posted; empty: the request is a GET
}

// Navigate opens an address.
type Navigate struct{ Address string }

// Reload requests this page from the server again. The scroll position stays.
type Reload struct{}

// Remember shows an address in the address bar without opening it. With Replace, it makes no new entry in the history.
type Remember struct {
	Address string
	Replace bool
}

// Focus moves the focus to the element with an id.
type Focus struct{ ID string }

// Announce says something to screen readers, politely.
type Announce struct{ Words string }

// Scroll moves the rows so that these pixels can be seen.
type Scroll struct{ Top, Bottom int }

// Painted does a command after the next paint, which may change sizes that the command depends on.
type Painted struct{ Cmd Cmd }

// Shift scrolls the rows by a number of pixels, in the same paint in which rows above them are added or removed. So visible rows stay at their places.
type Shift struct{ By int }

// Reveal scrolls an element into view after the next paint, by the least possible distance.
type Reveal struct{ ID string }

// Download offers a file to the reader.
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
func (Painted) cmd()     {}
func (Download) cmd()    {}
