//go:build js && wasm

package dom

import (
	"encoding/json"
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Editors are the editors of the document (static/editor), and the values that the browser keeps for pages. Only programs whose pages
// need them link this.
type Editors struct {
	shim js.Value
	post func(any)
}

// NewEditors returns the editors of the document. From now on it posts their events.
func NewEditors(post func(any)) *Editors {
	e := &Editors{js.Global().Get("fieldmark"), post}
	e.shim.Call("editing", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.happened(args[0].String(), args[1].String(), args[2:])
		return nil
	}))
	return e
}

func (e *Editors) happened(what, field string, args []js.Value) {
	switch what {
	case "typed":
		e.post(app.Input{Field: field, Text: args[0].String()})
	case "refused":
		e.post(app.File{Field: field, Name: args[0].String(), Size: int64(args[1].Float())})
	case "asked":
		var q page.Question
		if err := json.Unmarshal([]byte(args[0].String()), &q); err != nil {
			panic(err) // the script and this program are of one build
		}
		e.post(app.Asked{Question: q})
	}
}

// Edit implements app.Editors.
func (e *Editors) Edit(field, text string) { e.shim.Call("editor", "edit", field, text) }

// Mark implements app.Editors.
func (e *Editors) Mark(field string, marks []page.Marking) {
	if marks == nil {
		marks = []page.Marking{}
	}
	e.shim.Call("editor", "mark", field, encoded(marks))
}

// Point implements app.Editors.
func (e *Editors) Point(field string, line, column int) {
	e.shim.Call("editor", "point", field, line, column)
}

// Help implements app.Editors.
func (e *Editors) Help(field string, id int, answer page.Answer) {
	e.shim.Call("editor", "answer", field, id, encoded(answer))
}

func encoded(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain values can always be encoded
	}
	return string(data)
}
