//go:build js && wasm

// Package dom is the document in the browser. Only dom and package socket call JavaScript.
package dom

import (
	"strings"
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// Screen is the document.
type Screen struct {
	window, document js.Value
	shim             js.Value // the functions of static/js/fieldmark.js
	post             func(any)
	below            subpath.Path
	before           js.Value // what had the focus before the overlay opened
	frame            js.Func
}

// New is the document that this program runs in.
func New() *Screen {
	w := js.Global()
	return &Screen{window: w, document: w.Get("document"), shim: w.Get("fieldmark"), below: below()}
}

// below is the path below which this Fieldmark is, as its document says.
func below() subpath.Path {
	if at := js.Global().Get("document").Get("documentElement").Get("dataset").Get("base"); at.Type() == js.TypeString {
		return subpath.Path(at.String())
	}
	return ""
}

// Model implements app.Screen. It removes the model from the document, because a value that the page hides later must not stay
// there.
func (s *Screen) Model() []byte {
	script := s.byID("model")
	model := []byte(script.Get("textContent").String())
	script.Set("textContent", "")
	return model
}

// Address implements app.Screen.
func (s *Screen) Address() string { return local(s.below, s.window.Get("location")) }

// local is the address of a link or a location, as Fieldmark's own code knows it: from its root.
func local(below subpath.Path, u js.Value) string {
	address, _ := below.Local(u.Get("pathname").String() + u.Get("search").String() + u.Get("hash").String())
	return address
}

// Origin implements app.Screen.
func (s *Screen) Origin() string {
	u := s.window.Get("location")
	if u.Get("protocol").String() == "https:" {
		return "wss://" + u.Get("host").String() + string(s.below)
	}
	return "ws://" + u.Get("host").String() + string(s.below)
}

// Show implements app.Screen.
func (s *Screen) Show(where app.Place, html string) {
	place := s.byID(string(where))
	if place.IsNull() {
		return // the current page has no such place
	}
	s.shim.Call("show", place, s.below.HTML(html))
	if where == app.Overlay {
		s.inSight("#overlay [aria-selected=true]")
	}
	if where == app.Everything {
		s.shim.Call("forgetPointer") // the new page doesn't know the pointer's element
	}
	if where == app.Everything || where == app.Main {
		s.shim.Call("watchRows")
	}
}

// ShowRows implements app.Screen.
func (s *Screen) ShowRows(c app.RowSteps) bool {
	return s.shim.Call("showRows", c.Before, c.Steps, s.below.HTML(c.HTML)).Bool()
}

// Title implements app.Screen.
func (s *Screen) Title(title string) { s.document.Set("title", title) }

// Leave implements app.Screen. If an address differs only in its fragment, browsers load nothing, so it reloads.
func (s *Screen) Leave(address string) {
	l := s.window.Get("location")
	before, _, _ := strings.Cut(s.Address(), "#")
	l.Call("assign", s.below.Address(address))
	if to, _, fragment := strings.Cut(address, "#"); fragment && to == before {
		l.Call("reload")
	}
}

// Submit implements app.Screen.
func (s *Screen) Submit(form, field, text string) {
	input := s.document.Call("createElement", "input")
	input.Set("type", "hidden")
	input.Set("name", field)
	input.Set("value", text)
	f := s.byID(form)
	f.Call("append", input)
	f.Call("submit")
}

// Open implements app.Screen.
func (s *Screen) Open(address string) {
	s.window.Call("open", s.below.Address(address), "_blank", "noopener")
}

// State implements app.Screen.
func (s *Screen) State(state string) {
	s.document.Get("documentElement").Get("dataset").Set("wasm", state)
	s.Mark(state)
}

// Mark implements app.Screen.
func (s *Screen) Mark(what string) { s.window.Get("performance").Call("mark", "fieldmark: "+what) }

// Busy implements app.Screen.
func (s *Screen) Busy(on bool) {
	root := s.document.Get("documentElement")
	if on {
		root.Get("dataset").Set("busy", "true")
		s.byID("main").Call("setAttribute", "aria-busy", "true")
		return
	}
	root.Call("removeAttribute", "data-busy")
	s.byID("main").Call("removeAttribute", "aria-busy")
}

// Announce implements app.Screen.
func (s *Screen) Announce(words string) {
	region := s.byID("announcer")
	if region.Get("textContent").String() == words {
		words += "\u00a0" // the text differs, so that screen readers say it again
	}
	region.Set("textContent", words)
}

// Visible implements app.Screen.
func (s *Screen) Visible() bool {
	return s.document.Get("visibilityState").String() == "visible"
}

// Frame implements app.Screen.
func (s *Screen) Frame() { s.window.Call("requestAnimationFrame", s.frame) }

// Pause implements app.Screen.
func (s *Screen) Pause() {
	done := make(chan struct{})
	var resume js.Func
	resume = js.FuncOf(func(js.Value, []js.Value) any {
		resume.Release()
		close(done)
		return nil
	})
	s.shim.Call("later", resume)
	<-done
}

func (s *Screen) byID(id string) js.Value { return s.document.Call("getElementById", id) }
