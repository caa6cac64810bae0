//go:build js && wasm

package dom

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Editors are the editors of the document (static/editor). Only programs whose pages need them link this.
type Editors struct{ *Screen }

// Listen implements app.Editors.
func (e Editors) Listen() { e.say("editing") }

// Edit implements app.Editors.
func (e Editors) Edit(field, text string) { e.say("edit field text", field, text) }

// Mark implements app.Editors.
func (e Editors) Mark(field string, marks []page.Marking) {
	if marks == nil {
		marks = []page.Marking{}
	}
	e.say("marks field marks", field, encoded(marks))
}

// Point implements app.Editors.
func (e Editors) Point(field string, line, column int) {
	e.say("point field line column", field, line, column)
}

// Help implements app.Editors.
func (e Editors) Help(field string, id int, answer page.Answer) {
	e.say("answer field id answer", field, id, encoded(answer))
}

// Happened is what a message says of an editor; nil: nothing.
func (Editors) Happened(name string, h Happening) any {
	if name == "asked" {
		var q page.Question
		if err := json.Unmarshal([]byte(h.text("question")), &q); err != nil {
			panic(err) // the script and this program are of one build
		}
		return app.Asked{Question: q}
	}
	return nil
}

func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values can always be encoded
	}
	return string(data)
}
