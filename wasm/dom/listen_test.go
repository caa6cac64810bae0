//go:build js && wasm

package dom

import (
	"fmt"
	"reflect"
	"syscall/js"
	"testing"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// happened are the messages of the document, with what becomes of them. Values of one type differ.
var happened = []struct {
	name, fields string
	want         any
}{
	{
		"arrive", `{"document": {"base": "/below", "origin": "ws://here", "address": "/below/c/a", "visible": true, "kept": []},
		"page": {"address": "/c/b", "model": "{}", "reader": "somebody", "how": 2, "main": 3, "rows": 4}}`,
		app.Arrived{Arrival: app.Arrival{Address: "/c/b", Model: []byte("{}"), Reader: "somebody", How: app.Again, At: app.Position{Main: 3, Rows: 4}}},
	},
	{"park", "", app.Parked{}},
	{"popped", `{"address": "/below", "main": 1, "rows": 2}`, app.Popped{Address: "/", At: app.Position{Main: 1, Rows: 2}}},
	{"shown", `{"on": true}`, app.Shown{On: true}},
	{"stored", `{"key": "reader", "value": "v"}`, app.Stored{Key: "reader"}},
	{"signingOut", "", app.SigningOut{}},
	{"online", "", app.Online{}},
	{"click", `{"address": "/below/c/b#z"}`, app.Click{Address: "/c/b#z"}},
	{"submit", `{"address": "/below/c/b?q=1"}`, app.Submit{Address: "/c/b?q=1"}},
	{"near", `{"address": "/below/c/b", "pressed": true}`, app.Near{Address: "/c/b", Pressed: true}},
	{"key", `{"key": "k", "ctrl": true}`, app.Key{Key: "k", Ctrl: true}},
	{"option", `{"id": "i"}`, app.Option{ID: "i"}},
	{"do", `{"action": "help"}`, app.Do{Action: "help"}},
	{"dismiss", "", app.Dismiss{}},
	{"focus", `{"id": "i"}`, app.Focus{ID: "i"}},
	{"rows", `{"top": 1, "height": 2, "width": 3, "reader": true}`, app.Rows{Top: 1, Height: 2, Width: 3, Reader: true}},
	{"pointer", `{"over": true, "wire": false}`, app.Pointer{Over: true}},
	{"pointer", `{"over": false, "wire": true}`, app.Pointer{Wire: true}},
	{"unfolded", `{"on": true}`, app.Unfolded{On: true}},
	{"copied", `{"what": "image"}`, app.Copied{What: "image"}},
	{"torn", "", app.Torn{}},
	{"file", `{"field": "f", "name": "n", "size": 5000000000, "body": null}`, page.Loaded{Field: "f", Name: "n", Size: 5_000_000_000}},
	{"files", `{"field": "f", "files": 2, "passed": 1, "why": "w"}`, page.Choosing{Field: "f", Files: 2, Passed: 1, Why: "w"}},
	{"typed", `{"field": "f", "text": "t"}`, page.Typed{Field: "f", Text: "t"}},
	{"asked", `{"question": "{\"field\":\"f\",\"id\":7,\"path\":[\"spec\"]}"}`, app.Asked{Question: page.Question{Field: "f", ID: 7, Path: []string{"spec"}}}},
	{"streamed", `{"id": "1", "state": "ended", "code": 3, "words": "w"}`, app.Streamed{ID: "1", State: page.StreamEnded, Code: 3, Words: "w"}},
}

func TestMessagesOfTheDocument(t *testing.T) {
	w := newWorker(t)
	events := w.begin(Editors{}.Happened, Terminals{}.Happened)
	names := []string{"begin", "painted", "ping"} // other tests say these
	for _, h := range happened {
		names = append(names, h.name)
		w.happens(h.name, h.fields)
		if got := next(t, events); !reflect.DeepEqual(got, h.want) {
			t.Errorf("%s: %+v, want %+v", h.name, got, h.want)
		}
	}
	tested(t, "To the program", names...)
}

// A program without terminals gets no events of terminals, and a message that nobody knows is nothing.
func TestMessagesForOthers(t *testing.T) {
	w := newWorker(t)
	events := w.begin(Editors{}.Happened)
	w.happens("streamed", `{"id": "1", "state": "open", "code": 0, "words": ""}`)
	w.happens("unheardOf", "")
	w.happens("online", "")
	if got := next(t, events); got != (app.Online{}) {
		t.Errorf("%+v", got)
	}
}

// What happens before the program listens is kept for it, in order.
func TestMessagesBeforeTheProgramListens(t *testing.T) {
	w := newWorker(t)
	for n := range 3 {
		w.happens("do", fmt.Sprintf(`{"action": "%d"}`, n))
	}
	w.happens("ping", "")
	w.expect(`[["pong",null]]`)
	events := make(chan any, 3)
	w.Listen(func(event any) { events <- event })
	for n := range 3 {
		if got := next(t, events); got != (app.Do{Action: fmt.Sprint(n)}) {
			t.Errorf("event %d: %+v", n, got)
		}
	}
}

func TestFilesHaveTheirBytes(t *testing.T) {
	w := newWorker(t)
	events := w.begin()
	for _, want := range [][]byte{{0, 1, 255}, {}} {
		body := js.Global().Get("Uint8Array").New(len(want))
		js.CopyBytesToJS(body, want)
		w.receives("file", map[string]any{"field": "f", "name": "n", "size": len(want), "body": body.Get("buffer")})
		got := next(t, events)
		if !reflect.DeepEqual(got, page.Loaded{Field: "f", Name: "n", Size: int64(len(want)), Body: want}) {
			t.Errorf("%+v, want %v", got, want)
		}
	}
}
