package page

import "time"

// Pages with terminals connect them with containers. Keys and output don't pass through the page: static/terminal owns the WebSocket. The page gets Streamed
// when the state of a connection changes. The elements with data-terminal are the terminals, and their values are the IDs. They are below an element with
// data-terminals.

// Connect connects a terminal with a container, after the next paint, which may create the terminal. An earlier connection of the terminal ends. It also
// ends when the terminal is no longer on the page, and when the reader leaves the page.
type Connect struct {
	ID            string
	Cluster, Path string // slug; API path with its query, of exec or attach
	// Raw says that the container has a terminal too, which gets each key as it is and shows it. Otherwise the page's terminal shows what is typed.
	Raw bool
}

// FocusTerminal gives a terminal the focus after the next paint.
type FocusTerminal struct{ ID string }

// Streamed says what became of a connection.
type Streamed struct {
	ID    string
	State StreamState
	At    time.Time // by the reader's clock
	Code  int       // of StreamEnded: the exit code; -1: there is none
	Words string    // of StreamOpen: the version of the protocol; of StreamEnded and StreamCut: what the node or the browser says; it is untrusted
}

// StreamState is the state of a connection.
type StreamState string

// The states. All but the first are final.
const (
	StreamOpen    StreamState = "open"
	StreamEnded   StreamState = "ended"   // what ran in the container has ended, or the node could not run it
	StreamCut     StreamState = "cut"     // the connection broke, and nothing says whether what ran has ended
	StreamRefused StreamState = "refused" // it never opened; browsers don't say why
)

func (Connect) cmd()       {}
func (FocusTerminal) cmd() {}

func (Streamed) msg() {}
