//go:build js && wasm

package dom

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall/js"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/wasm/app"
)

// patience is how long a test waits for a message.
const patience = 10 * time.Second

// worker is static/js/worker.js in Node, with a test as the document.
type worker struct {
	*Screen
	t    *testing.T
	said chan string // what the program says, as JSON; what arrives together is one text
}

// newWorker starts the script of a worker. Its global functions replace those of the worker before, so tests don't run in parallel.
func newWorker(t *testing.T) *worker {
	t.Helper()
	source, err := os.ReadFile("../../static/js/worker.js")
	if err != nil {
		t.Fatal(err)
	}
	_, script, imported := strings.Cut(string(source), "import { compile } from \"/static/js/again.js\";\n")
	if !imported {
		t.Fatal("worker.js imports something else: this test must do so, too")
	}
	w := &worker{t: t, said: make(chan string, 8)}
	post := js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.said <- times.ReplaceAllString(stringified(args[0]), `"at":0`)
		return nil
	})
	js.Global().Get("Function").New("postMessage", script).Invoke(post)
	w.expect(`"arrived"`)
	w.Screen = New()
	return w
}

// times are the moments in messages, which differ in each run.
var times = regexp.MustCompile(`"at":[0-9.]+`)

func stringified(value js.Value) string {
	return js.Global().Get("JSON").Call("stringify", value).String()
}

// happens sends a message of the document. fields are JSON; empty: the message has none.
func (w *worker) happens(name, fields string) {
	if fields == "" {
		w.receives(name, js.Undefined())
		return
	}
	w.receives(name, js.Global().Get("JSON").Call("parse", fields))
}

// receives sends a message when Go waits, as a browser does.
func (w *worker) receives(name string, fields any) {
	js.Global().Call("setTimeout", js.Global().Get("onmessage"), 0, map[string]any{"data": []any{name, fields}})
}

// expect fails the test if the next messages to the document are others.
func (w *worker) expect(want string) {
	w.t.Helper()
	select {
	case got := <-w.said:
		if got != want {
			w.t.Errorf("said %s, want %s", got, want)
		}
	case <-time.After(patience):
		w.t.Fatalf("nothing was said, want %s", want)
	}
}

// begin listens to a document that is below a path, and begins with the page in it.
func (w *worker) begin(others ...func(string, Happening) any) (events chan any) {
	w.t.Helper()
	events = make(chan any, 8)
	w.Listen(func(event any) { events <- event }, others...)
	w.happens("begin", `{"document": {
		"base": "/below", "origin": "ws://here", "address": "/below/c/a?x=1#y", "visible": true, "kept": ["draft", "text", "reader", "somebody"]
	}, "model": "{}"}`)
	if begun, is := next(w.t, events).(app.Begun); !is || string(begun.Model) != "{}" {
		w.t.Fatalf("the first event is %+v", begun)
	}
	return events
}

// tested fails the test if a message of the list isn't tested.
func tested(t *testing.T, heading string, names ...string) {
	t.Helper()
	list, err := os.ReadFile("messages.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(list), "\n## "+heading+"\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := strings.Split(section, "\n| `")[1:]
	for _, row := range rows {
		if name, _, _ := strings.Cut(row, "`"); !slices.Contains(names, name) {
			t.Errorf("the message %q is in messages.md, but not in this test", name)
		}
	}
}

// next is the next event.
func next(t *testing.T, events <-chan any) any {
	t.Helper()
	select {
	case event := <-events:
		return event
	case <-time.After(patience):
		t.Fatal("there was no event")
		return nil
	}
}
