//go:build js && wasm

package dom

import (
	"syscall/js"

	"github.com/fieldmark/fieldmark/web/frame/page"
)

// file is what a message says of files that the reader has chosen. The content of a file that is too large, or can't be read, is null.
func file(name string, h Happening) any {
	switch name {
	case "file":
		return page.Loaded{Field: h.text("field"), Name: h.text("name"), Size: int64(h.number("size")), Body: h.bytes("body")}
	case "files":
		return page.Choosing{Field: h.text("field"), Files: h.number("files"), Passed: h.number("passed"), Why: h.text("why")}
	}
	return nil
}

func bytesOf(buffer js.Value) []byte {
	view := js.Global().Get("Uint8Array").New(buffer)
	content := make([]byte, view.Length())
	js.CopyBytesToGo(content, view)
	return content
}
