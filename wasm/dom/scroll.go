//go:build js && wasm

package dom

import (
	"math"
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
)

// rows is the region that the rows of a collection scroll in, or null.
func (s *Screen) rows() js.Value { return s.document.Call("querySelector", "#main .scroll.rows") }

// rowsChanged tells the app which rows are visible. It is called when the region may have changed.
func (s *Screen) rowsChanged() {
	if r := s.rows(); r.Truthy() {
		s.post(seen(r))
	}
}

func seen(r js.Value) app.Rows {
	return app.Rows{Top: r.Get("scrollTop").Int(), Height: r.Get("clientHeight").Int(), Width: r.Get("clientWidth").Int()}
}

// inSight scrolls the regions around an element only so far that the element is visible.
func (s *Screen) inSight(selector string) {
	if e := s.document.Call("querySelector", selector); e.Truthy() {
		e.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// headHeight is the height of the table's head in pixels, which covers some rows.
const headHeight = 29

// Bring implements app.Screen.
func (s *Screen) Bring(top, bottom int) {
	r := s.rows()
	if !r.Truthy() {
		return
	}
	at, height := r.Get("scrollTop").Int(), r.Get("clientHeight").Int()-headHeight
	to := at
	switch {
	case top < at:
		to = top
	case bottom > at+height:
		to = bottom - height
	}
	s.makeRoom(r, bottom-to+headHeight)
	if to != at {
		r.Set("scrollTop", to)
		s.rowsChanged() // at once: a row may get the focus next, and must be laid out then
	}
}

// makeRoom scrolls the page until so many pixels of the rows' region are visible. In a small window, the end of the region may be out of sight.
func (s *Screen) makeRoom(region js.Value, pixels int) {
	main := s.byID("main")
	edge := func(e js.Value, name string) float64 { return e.Call("getBoundingClientRect").Get(name).Float() }
	below := edge(region, "top") + region.Get("clientTop").Float() + float64(pixels) - edge(main, "bottom")
	if below > 0 {
		main.Set("scrollTop", math.Ceil(main.Get("scrollTop").Float()+below))
	}
}

// Shift implements app.Screen.
func (s *Screen) Shift(by int) {
	if r := s.rows(); r.Truthy() {
		r.Set("scrollTop", r.Get("scrollTop").Int()+by)
	}
}

// Reveal implements app.Screen.
func (s *Screen) Reveal(id string) {
	if e := s.byID(id); !e.IsNull() {
		e.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// Target implements app.Screen. The address has the fragment already. Replacing the address with itself makes the element the document's target.
func (s *Screen) Target(id string) { s.window.Get("location").Call("replace", "#"+id) }

// Scroll implements app.Screen.
func (s *Screen) Scroll() app.Position {
	p := app.Position{Main: s.byID("main").Get("scrollTop").Int()}
	if r := s.rows(); r.Truthy() {
		p.Rows = r.Get("scrollTop").Int()
	}
	return p
}

// ScrollTo implements app.Screen.
func (s *Screen) ScrollTo(p app.Position) {
	s.byID("main").Set("scrollTop", p.Main)
	if r := s.rows(); r.Truthy() {
		r.Set("scrollTop", p.Rows)
	}
}
