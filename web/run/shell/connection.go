package shell

import (
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// connection is one connection of the page with a container, and its terminal.
type connection struct {
	id      string // of its terminal: s1, s2, …
	request target
	state   page.StreamState // connecting until there is another
	code    int              // the exit code; -1: there is none
	words   string           // of the node, the browser, or the version of the protocol
	opened  time.Time        // by the reader's clock; zero: it never opened
	ended   time.Time
	before  int            // how often the container had restarted
	after   uint64         // the last request in the wire log before this one
	line    uint64         // the number of its request in the wire log; 0: the page doesn't know it
	no      *status.Status // why the API server refused it; nil: it didn't, or the page doesn't know yet
}

// connecting is the state before the others.
const connecting page.StreamState = "connecting"

// over tells whether the connection has ended.
func (s connection) over() bool { return s.state != connecting && s.state != page.StreamOpen }

// brief is the state in a word or two, for the connection's tab.
func (s connection) brief() string {
	switch s.state {
	case page.StreamOpen:
		return "open"
	case page.StreamEnded:
		if s.code >= 0 {
			return "exit code " + digits(s.code)
		}
		return "ended"
	case page.StreamCut:
		return "cut off"
	case page.StreamRefused:
		return "not opened"
	default:
		return "connecting…"
	}
}

// tone is the tone of the state.
func (s connection) tone() components.Tone {
	switch {
	case s.state == page.StreamOpen:
		return components.Good
	case s.state == connecting:
		return components.Busy
	case s.state == page.StreamEnded && (s.code == 0 || s.quiet()):
		return components.Calm
	case s.state == page.StreamCut:
		return components.Warn
	}
	return components.Bad
}

// absentAfter is how soon a command ends that could not be started. A shell that lasted longer ended with the code of its last command.
const absentAfter = 2 * time.Second

// The exit codes for a file that can't be run, and for a file that isn't there.
const (
	notRunnable = 126
	notFound    = 127
)

// absent tells whether the command is not in the container, or can't be run there.
func (s connection) absent() bool {
	if s.state != page.StreamEnded || s.request.How != exec {
		return false
	}
	for _, sign := range []string{"executable file not found", "no such file or directory", "permission denied"} {
		if s.code < 0 && strings.Contains(strings.ToLower(s.words), sign) {
			return true
		}
	}
	return (s.code == notRunnable || s.code == notFound) && s.ended.Sub(s.opened) < absentAfter
}

// outcomeText says what became of the connection, in whole sentences.
func (s connection) outcomeText() string {
	what := "The command"
	if s.request.How == attach {
		what = "The container"
	}
	switch s.state {
	case page.StreamOpen:
		return ""
	case page.StreamEnded:
		switch {
		case s.absent():
			return "The container has no “" + s.request.first() + "” that it can run."
		case s.code >= 0:
			return what + " has ended with exit code " + digits(s.code) + "."
		}
		if s.quiet() {
			return "The connection has ended. The pod’s status doesn’t say yet whether the container has ended too."
		}
		return "The node could not run the command, or lost it."
	case page.StreamCut:
		return "The connection broke. " + what + " may have ended, or may still run without you. Fieldmark can’t connect with the same shell again: a new connection is a new shell."
	case page.StreamRefused:
		return "The connection could not be opened, so nothing was run."
	default:
		return "Fieldmark is connecting…"
	}
}

// quiet tells whether an attached connection has ended without a reason. The end of a container is such an end, whatever its exit code is.
func (s connection) quiet() bool {
	return s.request.How == attach && s.state == page.StreamEnded && s.code < 0 && s.words == ""
}

// quoted is what the node or the browser said about the end; empty if that adds nothing.
func (s connection) quoted() string {
	if s.over() && s.code < 0 && s.no == nil {
		return s.words
	}
	return ""
}
