//go:build js && wasm

package dom

import (
	"context"
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/words"
)

// file passes on a file that the user chose for a field. If the file is larger than the field accepts, its content is left out.
func (s *Screen) file(field string, file js.Value, most float64) {
	chosen := app.File{Field: field, Name: file.Get("name").String(), Size: int64(file.Get("size").Float())}
	if float64(chosen.Size) <= most {
		if content, ok := await(context.Background(), file.Call("arrayBuffer")); ok {
			chosen.Body = bytesOf(content)
		}
	}
	s.post(chosen)
}

// folder passes on files that come from a folder or an archive, one by one: the script has read them already.
func (s *Screen) folder(args []js.Value) {
	switch field := args[1].String(); args[0].String() {
	case "begin":
		s.post(app.Files{Field: field, Files: args[2].Int(), Passed: args[3].Int(), Why: args[4].String()})
	case "file":
		chosen := app.File{Field: field, Name: args[2].String(), Size: int64(args[3].Float())}
		if content := args[4]; content.Truthy() {
			chosen.Body = bytesOf(content)
		}
		s.post(chosen)
	}
}

func bytesOf(buffer js.Value) []byte {
	view := js.Global().Get("Uint8Array").New(buffer)
	content := make([]byte, view.Length())
	js.CopyBytesToGo(content, view)
	return content
}

// Copy implements app.Screen. The script knows the clipboard, and tells what became of the text or the picture: one of words.Copies.
func (s *Screen) Copy(text, svg, file string) {
	var told js.Func
	told = js.FuncOf(func(_ js.Value, args []js.Value) any {
		told.Release()
		s.Announce(words.Copies[args[0].String()])
		return words.Copies[args[0].String()]
	})
	s.shim.Call("copy", text, svg, file, told)
}

// Download implements app.Screen.
func (s *Screen) Download(name, mediaType string, body []byte) {
	content := js.Global().Get("Uint8Array").New(len(body))
	js.CopyBytesToJS(content, body)
	s.shim.Call("download", name, mediaType, content)
}
