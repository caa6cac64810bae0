//go:build js && wasm

package dom

import (
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
)

// file is what a message says of files that the reader has chosen. The content of a file that is too large, or can't be read, is null.
func file(name string, h Happening) any {
	switch name {
	case "file":
		chosen := app.File{Field: h.text(0), Name: h.text(1), Size: int64(h[2].Float())}
		if h[3].Truthy() {
			chosen.Body = h.bytes(3)
		}
		return chosen
	case "files":
		return app.Files{Field: h.text(0), Files: h.number(1), Passed: h.number(2), Why: h.text(3)}
	}
	return nil
}

func bytesOf(buffer js.Value) []byte {
	view := js.Global().Get("Uint8Array").New(buffer)
	content := make([]byte, view.Length())
	js.CopyBytesToGo(content, view)
	return content
}
