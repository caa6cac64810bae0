//go:build js && wasm

package dom

import (
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Terminals are the terminals of the document (static/terminal). Only programs whose pages need them link this.
type Terminals struct {
	shim   js.Value
	origin string
}

// NewTerminals returns the terminals of the document. From now on it posts their events.
func NewTerminals(post func(any)) Terminals {
	t := Terminals{shim: js.Global().Get("fieldmark"), origin: New().Origin()}
	t.shim.Call("streaming", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e := app.Streamed{State: page.StreamState(args[0].String()), ID: args[1].String()}
		if e.State == page.StreamOpen {
			e.Words = args[2].String()
		} else {
			e.Code, e.Words = args[2].Int(), args[3].String()
		}
		post(e)
		return nil
	}))
	return t
}

// Connect implements app.Terminals.
func (t Terminals) Connect(id, address string, raw bool) {
	t.shim.Call("terminal", "connect", id, t.origin+address, raw)
}

// Focus implements app.Terminals.
func (t Terminals) Focus(id string) { t.shim.Call("terminal", "focus", id) }
