//go:build js && wasm

// Package dom is the document, as the program in the browser knows it. The program runs in a worker, and the document belongs to the main thread. So the
// two send each other messages, and neither waits for the other:
//
//	program ──▶ Screen: what the document is to do ──▶ static/js/worker.js, gathered ──▶ static/js/screen.js
//	program ◀── Listen: what happened              ◀── static/js/worker.js          ◀── static/js/events.js
//
// A message is a list: its name, and its fields by their names. messages.md lists all messages, and dev/rules compares both sides with it. What the
// program says until it waits arrives together, and the document does all of it before it paints. What the program must know of the document at once
// (its address, whether it is visible, what the browser keeps) arrives with the first message, and is kept current here. Only dom and package socket call
// JavaScript.
package dom

import (
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// Screen is the document.
type Screen struct {
	tell    js.Value // of static/js/worker.js
	frame   js.Func
	below   subpath.Path
	origin  string
	address string
	visible bool
	kept    map[string]string // what the browser keeps for Fieldmark
}

// New is the document of this worker.
func New() *Screen { return &Screen{tell: js.Global().Get("tell")} }

// say says a message to the document. What it begins with is its name and the names of its fields, and their values follow.
func (s *Screen) say(message ...any) { s.tell.Invoke(message...) }

// Address implements app.Window.
func (s *Screen) Address() string { return s.address }

// Visible implements app.Window.
func (s *Screen) Visible() bool { return s.visible }

// Origin implements app.Server.
func (s *Screen) Origin() string { return s.origin }

// Show implements app.Painter.
func (s *Screen) Show(place app.Place, html string) {
	s.say("show place html", string(place), s.below.HTML(html))
}

// ShowRows implements app.Painter.
func (s *Screen) ShowRows(c app.RowSteps) {
	s.say("showRows before steps html", c.Before, c.Steps, s.below.HTML(c.HTML))
}

// Modal implements app.Painter.
func (s *Screen) Modal(on bool) { s.say("modal on", on) }

// Shift implements app.Painter.
func (s *Screen) Shift(by int) { s.say("shift by", by) }

// Frame implements app.Painter.
func (s *Screen) Frame() { js.Global().Call("frame", s.frame) }

// Title implements app.Status.
func (s *Screen) Title(title string) { s.say("title title", title) }

// Busy implements app.Status.
func (s *Screen) Busy(on bool) { s.say("busy on", on) }

// State implements app.Status.
func (s *Screen) State(state string) { s.say("state state", state) }

// Mark implements app.Status.
func (s *Screen) Mark(what string) {
	clock := js.Global().Get("performance")
	at := clock.Get("timeOrigin").Float() + clock.Call("now").Float()
	s.say("mark what at", what, at)
}

// Remember implements app.Navigator.
func (s *Screen) Remember(address string, replace bool) {
	s.address = address
	s.say("remember address replace", s.below.Address(address), replace)
}

// Leave implements app.Navigator.
func (s *Screen) Leave(address string) { s.say("leave address", s.below.Address(address)) }

// Pass implements app.Navigator.
func (s *Screen) Pass(program string, to app.Arrival) {
	s.say("pass program address model reader how main rows", program, to.Address, string(to.Model), to.Reader, int(to.How), to.At.Main, to.At.Rows)
}

// Prepare implements app.Navigator.
func (s *Screen) Prepare(program string) { s.say("prepare program", program) }

// Open implements app.Navigator.
func (s *Screen) Open(address string) { s.say("open address", s.below.Address(address)) }

// Submit implements app.Navigator.
func (s *Screen) Submit(form, field, text string) { s.say("submit form field text", form, field, text) }

// Focus implements app.Mover.
func (s *Screen) Focus(id string) { s.say("focus id", id) }

// Bring implements app.Mover.
func (s *Screen) Bring(top, bottom int) { s.say("bring top bottom", top, bottom) }

// Reveal implements app.Mover.
func (s *Screen) Reveal(id string) { s.say("reveal id", id) }

// Target implements app.Mover.
func (s *Screen) Target(id string) { s.say("target id", id) }

// ScrollTo implements app.Mover.
func (s *Screen) ScrollTo(p app.Position) { s.say("scrollTo main rows", p.Main, p.Rows) }

// Stay implements app.Mover.
func (s *Screen) Stay() { s.say("stay") }

// Return implements app.Mover.
func (s *Screen) Return() { s.say("return") }

// Announce implements app.Announcer.
func (s *Screen) Announce(words string) { s.say("announce words", words) }

// Tell implements app.Announcer.
func (s *Screen) Tell(words string) { s.say("tell words", words) }

// Keep implements app.Storage.
func (s *Screen) Keep(key, value string) {
	s.keeps(key, value)
	s.say("keep key value", key, value)
}

func (s *Screen) keeps(key, value string) {
	if value == "" {
		delete(s.kept, key)
		return
	}
	s.kept[key] = value
}

// Kept implements app.Storage.
func (s *Screen) Kept(key string) (value string, ok bool) {
	value, ok = s.kept[key]
	return value, ok
}

// Prefer implements app.Storage.
func (s *Screen) Prefer(cookie, value string) { s.say("prefer cookie value", cookie, value) }

// Theme implements app.Storage.
func (s *Screen) Theme(choice string) { s.say("theme choice", choice) }

// Copy implements app.Exporter.
func (s *Screen) Copy(text, svg, file string) { s.say("copy text svg file", text, svg, file) }

// Download implements app.Exporter.
func (s *Screen) Download(name, mediaType string, body []byte) {
	content := js.Global().Get("Uint8Array").New(len(body))
	js.CopyBytesToJS(content, body)
	s.say("download name mediaType content", name, mediaType, content)
}

// Keys implements app.Acts.
func (s *Screen) Keys(k app.Keys) {
	plain := make([]any, len(k.Plain))
	for i, key := range k.Plain {
		plain[i] = key
	}
	s.say("keys covered plain", k.Covered, plain)
}

// Handled implements app.Acts.
func (s *Screen) Handled() { s.say("handled") }

// Pause implements app.Acts.
func (s *Screen) Pause() {
	done := make(chan struct{})
	var resume js.Func
	resume = js.FuncOf(func(js.Value, []js.Value) any {
		resume.Release()
		close(done)
		return nil
	})
	js.Global().Call("later", resume)
	<-done
}
