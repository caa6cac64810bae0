//go:build js && wasm

package dom

import (
	"strings"
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
)

// panel is the fragment that opens the panel of types on narrow screens. It is not open again after going back.
const panel = "#types"

// Remember implements app.Screen.
func (s *Screen) Remember(address string, replace bool) {
	h, address := s.window.Get("history"), s.below.Address(address)
	if replace {
		h.Call("replaceState", h.Get("state"), "", address)
		return
	}
	left, _ := strings.CutSuffix(s.Address(), panel)
	h.Call("replaceState", state(s.Scroll()), "", s.below.Address(left))
	h.Call("pushState", nil, "", address)
}

func state(p app.Position) map[string]any { return map[string]any{"main": p.Main, "rows": p.Rows} }

// position reads the scroll position from the history's state; steps of other programs have none.
func position(state js.Value) app.Position {
	if state.Type() != js.TypeObject {
		return app.Position{}
	}
	return app.Position{Main: number(state.Get("main")), Rows: number(state.Get("rows"))}
}

func number(v js.Value) int {
	if v.Type() != js.TypeNumber {
		return 0
	}
	return v.Int()
}
