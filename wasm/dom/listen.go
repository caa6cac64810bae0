//go:build js && wasm

package dom

import (
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// Happening is a message of the document: its values after the name.
type Happening []js.Value

func (h Happening) text(i int) string  { return h[i].String() }
func (h Happening) number(i int) int   { return int(h[i].Float()) }
func (h Happening) truth(i int) bool   { return h[i].Bool() }
func (h Happening) bytes(i int) []byte { return bytesOf(h[i]) }

// Listen posts what happens in the document, for as long as it lives. others are for messages of what only some pages have.
func (s *Screen) Listen(post func(any), others ...func(name string, h Happening) (event any)) {
	s.frame = js.FuncOf(func(js.Value, []js.Value) any {
		post(app.Frame{})
		return nil
	})
	js.Global().Call("listen", js.FuncOf(func(_ js.Value, values []js.Value) any {
		name, h := values[0].String(), Happening(values[1:])
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
		return app.Click{Address: s.local(h.text(0))}
	case "submit":
		return app.Submit{Address: s.local(h.text(0))}
	case "near":
		return app.Near{Address: s.local(h.text(0)), Pressed: h.truth(1)}
	case "key":
		return app.Key{Key: h.text(0), Ctrl: h.truth(1)}
	case "input":
		return app.Input{Field: h.text(0), Text: h.text(1)}
	case "option":
		return app.Option{ID: h.text(0)}
	case "do":
		return app.Do{Action: h.text(0)}
	case "dismiss":
		return app.Dismiss{}
	case "focus":
		return app.Focus{ID: h.text(0)}
	case "rows":
		return app.Rows{Top: h.number(0), Height: h.number(1), Width: h.number(2), Reader: h.truth(3)}
	case "pointer":
		return app.Pointer{Over: h.truth(0), Wire: h.truth(1)}
	case "unfolded":
		return app.Unfolded{On: h.truth(0)}
	case "copied":
		return app.Copied{What: h.text(0)}
	case "torn":
		return app.Torn{}
	}
	return file(name, h)
}

// pageEvent is what a message says of the document as a whole.
func (s *Screen) pageEvent(name string, h Happening) any {
	switch name {
	case "begin":
		s.know(h[0])
		return app.Begun{Model: []byte(h.text(1))}
	case "arrive":
		s.know(h[0])
		to := h[1]
		return app.Arrived{Arrival: app.Arrival{
			Address: to.Get("address").String(), Model: []byte(to.Get("model").String()), Reader: to.Get("reader").String(),
			How: app.How(to.Get("how").Int()), At: app.Position{Main: to.Get("main").Int(), Rows: to.Get("rows").Int()},
		}}
	case "park":
		return app.Parked{}
	case "popped":
		s.address = s.local(h.text(0))
		return app.Popped{Address: s.address, At: app.Position{Main: h.number(1), Rows: h.number(2)}}
	case "shown":
		s.visible = h.truth(0)
		return app.Shown{On: s.visible}
	case "stored":
		s.keeps(h.text(0), h.text(1))
		return app.Stored{Key: h.text(0)}
	case "signingOut":
		return app.SigningOut{}
	case "online":
		return app.Online{}
	}
	return nil
}

// know notes what the document says of itself.
func (s *Screen) know(document js.Value) {
	s.below = subpath.Path(document.Get("base").String())
	s.origin = document.Get("origin").String() + string(s.below)
	s.address = s.local(document.Get("address").String())
	s.visible = document.Get("visible").Bool()
	s.kept = map[string]string{}
	all := document.Get("kept")
	for i := 0; i < all.Length(); i += 2 {
		s.kept[all.Index(i).String()] = all.Index(i + 1).String()
	}
}

// local is the address of a link or a location, as Fieldmark's own code knows it: from its root.
func (s *Screen) local(address string) string {
	local, _ := s.below.Local(address)
	return local
}
