//go:build js && wasm

package dom

import (
	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Terminals are the terminals of the document (static/terminal). Only programs whose pages need them link this.
type Terminals struct{ *Screen }

// Listen implements app.Terminals.
func (t Terminals) Listen() { t.say("streaming") }

// Connect implements app.Terminals.
func (t Terminals) Connect(id, address string, raw bool) {
	t.say("connect id address raw", id, t.origin+address, raw)
}

// Focus implements app.Terminals. It is for a terminal, and Screen.Focus for any element.
func (t Terminals) Focus(id string) { t.say("focusTerminal id", id) }

// Happened is what a message says of a terminal's connection; nil: nothing.
func (Terminals) Happened(name string, h Happening) any {
	if name == "streamed" {
		return app.Streamed{ID: h.text("id"), State: page.StreamState(h.text("state")), Code: h.number("code"), Words: h.text("words")}
	}
	return nil
}
