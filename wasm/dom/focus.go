//go:build js && wasm

package dom

import "syscall/js"

// Focus implements app.Screen. A row itself can have the focus, so that its link is one key away.
func (s *Screen) Focus(id string) bool {
	e := s.byID(id)
	if e.IsNull() {
		return false
	}
	if link := e.Call("querySelector", "td a[href]:not(.quiet)"); e.Get("tagName").String() == "TR" && link.Truthy() {
		e = link
	}
	e.Call("focus", map[string]any{"preventScroll": true})
	if e.Get("tagName").String() == "INPUT" {
		e.Call("select")
	}
	return s.document.Get("activeElement").Equal(e) // a hidden element can't have the focus
}

// Modal implements app.Screen.
func (s *Screen) Modal(on bool) {
	page := s.byID("app")
	if on {
		s.before = s.document.Get("activeElement")
		page.Set("inert", true)
		if e := s.byID("overlay").Call("querySelector", "[data-autofocus]"); e.Truthy() {
			e.Call("focus")
		}
		return
	}
	page.Set("inert", false)
	if s.before.Truthy() && s.before.Get("isConnected").Bool() {
		s.before.Call("focus", map[string]any{"preventScroll": true})
	}
	s.before = js.Null()
}
