//go:build js && wasm

package dom

import (
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// Happening is a message of the document, or a field that has fields: each is read by its name.
type Happening struct{ fields js.Value }

func (h Happening) text(field string) string    { return h.fields.Get(field).String() }
func (h Happening) number(field string) int     { return int(h.fields.Get(field).Float()) }
func (h Happening) truth(field string) bool     { return h.fields.Get(field).Bool() }
func (h Happening) list(field string) js.Value  { return h.fields.Get(field) }
func (h Happening) part(field string) Happening { return Happening{h.fields.Get(field)} }

// bytes are the content of a buffer; nil: there is none.
func (h Happening) bytes(field string) []byte {
	if buffer := h.fields.Get(field); buffer.Truthy() {
		return bytesOf(buffer)
	}
	return nil
}

// Listen posts what happens in the document, for as long as it lives. others are for messages of what only some pages have.
func (s *Screen) Listen(post func(any), others ...func(name string, h Happening) (event any)) {
	s.frame = js.FuncOf(func(js.Value, []js.Value) any {
		post(app.Frame{})
		return nil
	})
	js.Global().Call("listen", js.FuncOf(func(_ js.Value, values []js.Value) any {
		name, h := values[0].String(), Happening{values[1]}
		event := s.event(name, h)
		for i := 0; event == nil && i < len(others); i++ {
			event = others[i](name, h)
		}
		if event != nil {
			post(event)
		}
		return nil
	}))
}

// event is what a message of the document says; nil: it is for somebody else.
func (s *Screen) event(name string, h Happening) any {
	if event := s.pageEvent(name, h); event != nil {
		return event
	}
	switch name {
	case "click":
		return app.Click{Address: s.local(h.text("address"))}
	case "submit":
		return app.Submit{Address: s.local(h.text("address"))}
	case "near":
		return app.Near{Address: s.local(h.text("address")), Pressed: h.truth("pressed")}
	case "key":
		return app.Key{Key: h.text("key"), Ctrl: h.truth("ctrl")}
	case "typed":
		return page.Typed{Field: h.text("field"), Text: h.text("text")}
	case "option":
		return app.Option{ID: h.text("id")}
	case "do":
		return app.Do{Action: h.text("action")}
	case "dismiss":
		return app.Dismiss{}
	case "focus":
		return app.Focus{ID: h.text("id")}
	case "rows":
		return app.Rows{Top: h.number("top"), Height: h.number("height"), Width: h.number("width"), Reader: h.truth("reader")}
	case "pointer":
		return app.Pointer{Over: h.truth("over"), Wire: h.truth("wire")}
	case "unfolded":
		return app.Unfolded{On: h.truth("on")}
	case "copied":
		return app.Copied{What: h.text("what")}
	case "torn":
		return app.Torn{}
	}
	return file(name, h)
}

// pageEvent is what a message says of the document as a whole.
func (s *Screen) pageEvent(name string, h Happening) any {
	switch name {
	case "begin":
		s.know(h.part("document"))
		return app.Begun{Model: []byte(h.text("model"))}
	case "arrive":
		s.know(h.part("document"))
		return app.Arrived{Arrival: arrival(h.part("page"))}
	case "park":
		return app.Parked{}
	case "popped":
		s.address = s.local(h.text("address"))
		return app.Popped{Address: s.address, At: app.Position{Main: h.number("main"), Rows: h.number("rows")}}
	case "shown":
		s.visible = h.truth("on")
		return app.Shown{On: s.visible}
	case "stored":
		s.keeps(h.text("key"), h.text("value"))
		return app.Stored{Key: h.text("key")}
	case "signingOut":
		return app.SigningOut{}
	case "online":
		return app.Online{}
	}
	return nil
}

// know notes what the document says of itself.
func (s *Screen) know(document Happening) {
	s.below = subpath.Path(document.text("base"))
	s.origin = document.text("origin") + string(s.below)
	s.address = s.local(document.text("address"))
	s.visible = document.truth("visible")
	s.kept = map[string]string{}
	kept := document.list("kept")
	for i := 0; i < kept.Length(); i += 2 {
		s.kept[kept.Index(i).String()] = kept.Index(i + 1).String()
	}
}

// arrival is a page that another program has passed.
func arrival(page Happening) app.Arrival {
	return app.Arrival{
		Address: page.text("address"), Model: []byte(page.text("model")), Reader: page.text("reader"), How: app.How(page.number("how")),
		At: app.Position{Main: page.number("main"), Rows: page.number("rows")},
	}
}

// local is the address of a link or a location, as Fieldmark's own code knows it: from its root.
func (s *Screen) local(address string) string {
	local, _ := s.below.Local(address)
	return local
}
