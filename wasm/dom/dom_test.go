//go:build js && wasm

package dom

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// said are all messages to the document, with what static/js/screen.js and programs.js get. Values of one type differ, so none can be in the place of
// another one.
var said = map[string]func(*Screen){
	`["show",{"place":"main","html":"<a href=\"/below/c/a\">"}]`: func(s *Screen) { s.Show(app.Main, `<a href="/c/a">`) },
	`["showRows",{"before":2,"steps":"0 +","html":"<tr><td><a href=\"/below/c/a\">"}]`: func(s *Screen) {
		s.ShowRows(app.RowSteps{Before: 2, Steps: "0 +", HTML: `<tr><td><a href="/c/a">`})
	},
	`["modal",{"on":true}]`:                                func(s *Screen) { s.Modal(true) },
	`["shift",{"by":-3}]`:                                  func(s *Screen) { s.Shift(-3) },
	`["title",{"title":"Pods"}]`:                           func(s *Screen) { s.Title("Pods") },
	`["busy",{"on":false}]`:                                func(s *Screen) { s.Busy(false) },
	`["state",{"state":"ready"}]`:                          func(s *Screen) { s.State("ready") },
	`["mark",{"what":"decoded","at":0}]`:                   func(s *Screen) { s.Mark("decoded") },
	`["remember",{"address":"/below/c/b","replace":true}]`: func(s *Screen) { s.Remember("/c/b", true) },
	`["leave",{"address":"/below/c/b"}]`:                   func(s *Screen) { s.Leave("/c/b") },
	`["leave",{"address":"https://example.com/"}]`:         func(s *Screen) { s.Leave("https://example.com/") },
	`["pass",{"program":"write","address":"/c/b","model":"{}","reader":"somebody","how":1,"main":2,"rows":3}]`: func(s *Screen) {
		s.Pass("write", app.Arrival{Address: "/c/b", Model: []byte("{}"), Reader: "somebody", How: app.Pop, At: app.Position{Main: 2, Rows: 3}})
	},
	`["prepare",{"program":"write"}]`:                                     func(s *Screen) { s.Prepare("write") },
	`["open",{"address":"/below/c/b"}]`:                                   func(s *Screen) { s.Open("/c/b") },
	`["submit",{"form":"f","field":"g","text":"t"}]`:                      func(s *Screen) { s.Submit("f", "g", "t") },
	`["focus",{"id":"main"}]`:                                             func(s *Screen) { s.Focus("main") },
	`["bring",{"top":1,"bottom":2}]`:                                      func(s *Screen) { s.Bring(1, 2) },
	`["reveal",{"id":"row"}]`:                                             func(s *Screen) { s.Reveal("row") },
	`["target",{"id":"part"}]`:                                            func(s *Screen) { s.Target("part") },
	`["scrollTo",{"main":1,"rows":2}]`:                                    func(s *Screen) { s.ScrollTo(app.Position{Main: 1, Rows: 2}) },
	`["stay",{}]`:                                                         func(s *Screen) { s.Stay() },
	`["return",{}]`:                                                       func(s *Screen) { s.Return() },
	`["announce",{"words":"2 results"}]`:                                  func(s *Screen) { s.Announce("2 results") },
	`["tell",{"words":"Copied"}]`:                                         func(s *Screen) { s.Tell("Copied") },
	`["keep",{"key":"draft","value":"other"}]`:                            func(s *Screen) { s.Keep("draft", "other") },
	`["prefer",{"cookie":"rows","value":"wide"}]`:                         func(s *Screen) { s.Prefer("rows", "wide") },
	`["theme",{"choice":"dark"}]`:                                         func(s *Screen) { s.Theme("dark") },
	`["copy",{"text":"t","svg":"<svg/>","file":"a.png"}]`:                 func(s *Screen) { s.Copy("t", "<svg/>", "a.png") },
	`["download",{"name":"a","mediaType":"b","content":{"0":1,"1":255}}]`: func(s *Screen) { s.Download("a", "b", []byte{1, 255}) },
	`["keys",{"covered":true,"plain":["j","Escape"]}]`:                    func(s *Screen) { s.Keys(app.Keys{Covered: true, Plain: []string{"j", "Escape"}}) },
	`["handled",{}]`:                                                      func(s *Screen) { s.Handled() },
	`["editing",{}]`:                                                      func(s *Screen) { Editors{s}.Listen() },
	`["edit",{"field":"manifest","text":"a: 1"}]`:                         func(s *Screen) { Editors{s}.Edit("manifest", "a: 1") },
	`["marks",{"field":"manifest","marks":"[]"}]`:                         func(s *Screen) { Editors{s}.Mark("manifest", nil) },
	`["point",{"field":"manifest","line":3,"column":5}]`:                  func(s *Screen) { Editors{s}.Point("manifest", 3, 5) },
	`["answer",{"field":"manifest","id":7,"answer":"{\"heading\":\"spec\"}"}]`: func(s *Screen) {
		Editors{s}.Help("manifest", 7, page.Answer{Heading: "spec"})
	},
	`["streaming",{}]`: func(s *Screen) { Terminals{s}.Listen() },
	`["connect",{"id":"1","address":"ws://here/below/c/a","raw":true}]`: func(s *Screen) { Terminals{s}.Connect("1", "/c/a", true) },
	`["focusTerminal",{"id":"1"}]`:                                      func(s *Screen) { Terminals{s}.Focus("1") },
}

func TestMessagesToTheDocument(t *testing.T) {
	w := newWorker(t)
	w.begin()
	names := []string{"pong", "ended", "failed"} // the script says these
	for want, say := range said {
		say(w.Screen)
		w.expect("[" + want + "]")
		names = append(names, strings.Split(want, `"`)[1])
	}
	tested(t, "To the document", names...)
}

// The document does at once what the program says until it waits, so that nobody sees half of a change.
func TestMessagesAreGathered(t *testing.T) {
	w := newWorker(t)
	w.begin()
	w.Title("a")
	w.Busy(false)
	w.expect(`[["title",{"title":"a"}],["busy",{"on":false}]]`)
}

func TestWhatTheProgramMustKnowAtOnce(t *testing.T) {
	w := newWorker(t)
	events := w.begin()
	if w.Address() != "/c/a?x=1#y" || w.Origin() != "ws://here/below" || !w.Visible() {
		t.Errorf("address %q, origin %q, visible %v", w.Address(), w.Origin(), w.Visible())
	}
	kept := func(key, want string) {
		t.Helper()
		if got, ok := w.Kept(key); got != want || ok != (want != "") {
			t.Errorf("%s: %q, %v, want %q", key, got, ok, want)
		}
	}
	kept("draft", "text")
	kept("reader", "somebody")
	w.Keep("draft", "")
	kept("draft", "")
	w.happens("stored", `{"key": "draft", "value": "of another tab"}`)
	next(t, events)
	kept("draft", "of another tab")
	w.happens("stored", `{"key": "draft", "value": ""}`)
	next(t, events)
	kept("draft", "")
	w.Remember("/c/b", false)
	if w.Address() != "/c/b" {
		t.Errorf("address %q", w.Address())
	}
	w.happens("popped", `{"address": "/below/c/a", "main": 0, "rows": 0}`)
	next(t, events)
	w.happens("shown", `{"on": false}`)
	next(t, events)
	if w.Address() != "/c/a" || w.Visible() {
		t.Errorf("address %q, visible %v", w.Address(), w.Visible())
	}
}

// At most one change is on its way to the screen.
func TestFrames(t *testing.T) {
	w := newWorker(t)
	events := w.begin()
	w.Frame()
	if frame := next(t, events); frame != (app.Frame{}) {
		t.Errorf("%+v", frame)
	}
	w.Show(app.Main, "a")
	w.expect(`[["show",{"place":"main","html":"a"}]]`)
	w.Frame()
	w.Pause()
	if len(events) > 0 {
		t.Errorf("before the change was painted: %+v", <-events)
	}
	w.happens("painted", "")
	if frame := next(t, events); frame != (app.Frame{}) {
		t.Errorf("%+v", frame)
	}
}

func TestTheWorkerIsAlive(t *testing.T) {
	w := newWorker(t)
	w.happens("ping", "")
	w.expect(`[["pong",null]]`)
}
