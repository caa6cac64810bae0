//go:build js && wasm

package dom

import (
	"strings"
	"syscall/js"

	"github.com/fieldmark/fieldmark/wasm/app"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// Program receives the document's events.
type Program interface {
	Post(event any)
	// Takes tells whether the program handles a key instead of the browser. If focus isn't empty, the key only moves the focus there.
	Takes(key string, ctrl, inField bool) (takes bool, focus string)
}

// Listen passes on what happens in the document, for as long as it lives.
func (s *Screen) Listen(p Program) {
	s.post = p.Post
	s.frame = js.FuncOf(func(js.Value, []js.Value) any {
		p.Post(app.Frame{})
		return nil
	})
	s.on(s.document, "click", s.click)
	s.on(s.document, "submit", s.submit)
	s.on(s.document, "paste", s.paste)
	s.on(s.document, "input", s.input)
	s.on(s.document, "keydown", func(e js.Value) { s.key(p, e) })
	s.on(s.document, "focusin", s.focused)
	s.on(s.document, "visibilitychange", func(js.Value) { s.post(app.Shown{On: s.Visible()}) })
	s.on(s.window, "popstate", s.popped)
	s.on(s.window, "storage", s.stored)
	s.on(s.window, "online", func(js.Value) { s.post(app.Online{}) })
	s.shim.Call("pointed", js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.post(app.Pointer{Over: args[0].Bool(), Wire: args[1].String() == shell.WireDrawer})
		return nil
	}))
	s.shim.Call("scrolled", js.FuncOf(func(js.Value, []js.Value) any {
		s.rowsChanged()
		return nil
	}))
	s.shim.Call("files", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go s.file(args[0].String(), args[1], args[2].Float())
		return nil
	}), js.FuncOf(func(_ js.Value, args []js.Value) any {
		s.folder(args)
		return nil
	}))
	s.on(s.document, "toggle", s.toggled)
	if drawer := s.byID(shell.WireDrawer); !drawer.IsNull() {
		s.post(app.Unfolded{On: drawer.Get("open").Bool()}) // it may have been opened before the program listened
	}
	s.typedBefore()
}

// stored reports that another tab has kept a value.
func (s *Screen) stored(e js.Value) {
	if key := e.Get("key"); key.Type() == js.TypeString {
		s.post(app.Stored{Key: strings.TrimPrefix(key.String(), kept)})
	}
}

// toggled reports that the list of requests was opened or closed. The program needs no other toggle events.
func (s *Screen) toggled(e js.Value) {
	if what := element(e); what.Truthy() && what.Get("id").String() == shell.WireDrawer {
		s.post(app.Unfolded{On: what.Get("open").Bool()})
	}
}

// typedBefore reports what was typed before the program listened.
func (s *Screen) typedBefore() {
	fields := s.document.Call("querySelectorAll", "input[data-live]")
	for i := range fields.Length() {
		if field := fields.Index(i); !field.Get("value").Equal(field.Get("defaultValue")) {
			s.post(app.Input{Field: field.Get("name").String(), Text: field.Get("value").String()})
		}
	}
}

// on listens in the capturing phase, so that events which don't bubble are heard too.
func (s *Screen) on(target js.Value, event string, f func(js.Value)) {
	target.Call("addEventListener", event, js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0])
		return nil
	}), true)
}

// element is the element of an event; null for events on text or on the document.
func element(e js.Value) js.Value {
	target := e.Get("target")
	if target.Truthy() && target.Get("closest").Type() == js.TypeFunction {
		return target
	}
	return js.Null()
}

// click handles plain clicks on links to pages of Fieldmark. The browser handles everything else (new tabs, downloads, other
// origins, API calls, links within the page).
func (s *Screen) click(e js.Value) {
	target := element(e)
	if !target.Truthy() || e.Get("defaultPrevented").Bool() || e.Get("button").Int() != 0 || modified(e) {
		return
	}
	if option := target.Call("closest", "button[role=option]"); option.Truthy() {
		s.post(app.Option{ID: option.Get("id").String()})
		return
	}
	if target.Call("closest", "a[role=option][target=_blank]").Truthy() {
		s.post(app.Dismiss{}) // the browser opens the new tab
		return
	}
	if do := target.Call("closest", "[data-do]"); do.Truthy() {
		e.Call("preventDefault")
		s.post(app.Do{Action: do.Get("dataset").Get("do").String()})
		return
	}
	if target.Call("closest", "[data-close]").Truthy() && !target.Call("closest", "[role=dialog]").Truthy() ||
		target.Call("closest", "button[data-close]").Truthy() {
		e.Call("preventDefault")
		s.post(app.Dismiss{})
		return
	}
	if copied := target.Call("closest", "[data-copy]"); copied.Truthy() {
		s.copy(copied.Get("dataset").Get("copy").String())
		return
	}
	link := s.shim.Call("linkAt", target)
	if !link.Truthy() || !s.ours(link) || s.within(link) {
		return
	}
	e.Call("preventDefault")
	s.post(app.Click{Address: local(s.below, link)})
}

// copy puts text into the clipboard, if the browser allows it.
func (s *Screen) copy(text string) {
	if clipboard := s.window.Get("navigator").Get("clipboard"); clipboard.Truthy() {
		clipboard.Call("writeText", text)
		s.Announce(words.CopiedNow)
	}
}

func modified(e js.Value) bool {
	return e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("shiftKey").Bool() || e.Get("altKey").Bool()
}

// ours tells whether a link leads to a page of Fieldmark in this tab.
func (s *Screen) ours(link js.Value) bool {
	if link.Call("hasAttribute", "download").Bool() || link.Get("origin").String() != s.window.Get("location").Get("origin").String() {
		return false
	}
	if target := link.Get("target").String(); target != "" && target != "_self" {
		return false
	}
	path, ok := s.below.Local(link.Get("pathname").String())
	return ok && app.IsPage(path)
}

// within tells whether a link leads to a place in the current page.
func (s *Screen) within(link js.Value) bool {
	here := s.window.Get("location")
	return link.Get("hash").String() != "" && link.Get("pathname").Equal(here.Get("pathname")) && link.Get("search").Equal(here.Get("search"))
}

// submit handles forms with GET. A form that returns to the page uses its current address, which may have another query than when the
// form was rendered.
func (s *Screen) submit(e js.Value) {
	form := element(e)
	if !form.Truthy() {
		return
	}
	if form.Call("getAttribute", "method").String() != "get" { // form.method could be a field named method
		if form.Call("matches", ".sign-out").Bool() {
			s.post(app.SigningOut{})
		}
		if back := form.Call("querySelector", "input[name=back]"); back.Truthy() {
			back.Set("value", s.Address())
		}
		return
	}
	if !s.ours(s.shim.Call("action", form)) {
		return
	}
	e.Call("preventDefault")
	s.post(app.Submit{Address: local(s.below, s.shim.Call("action", form))})
}

// paste replaces line breaks by spaces in text that is pasted into the palette's field. Browsers would join the lines without a space,
// and then a refusal of several lines could not be parsed.
func (s *Screen) paste(e js.Value) {
	field := element(e)
	if !field.Truthy() || field.Get("id").String() != palette.Input {
		return
	}
	text := e.Get("clipboardData").Call("getData", "text").String()
	if !strings.Contains(text, "\n") {
		return
	}
	e.Call("preventDefault")
	field.Call("setRangeText", strings.Join(strings.Fields(text), " "), field.Get("selectionStart"), field.Get("selectionEnd"), "end")
	s.post(app.Input{Field: palette.Field, Text: field.Get("value").String()})
}

func (s *Screen) input(e js.Value) {
	if field := element(e); field.Truthy() && field.Get("name").Truthy() && field.Get("type").String() != "file" && !inEditor(field) {
		s.post(app.Input{Field: field.Get("name").String(), Text: field.Get("value").String()})
	}
}

// inEditor tells whether an element is part of an editor, which has its own keys and fields.
func inEditor(target js.Value) bool { return target.Call("closest", "[data-mounted]").Truthy() }

// inTerminal tells whether an element is part of a terminal, whose keys are all for the container.
func inTerminal(target js.Value) bool { return target.Call("closest", "[data-terminal]").Truthy() }

func (s *Screen) key(p Program, e js.Value) {
	if e.Get("isComposing").Bool() || e.Get("altKey").Bool() {
		return
	}
	target := element(e)
	k := app.Key{Key: e.Get("key").String(), Ctrl: e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()}
	inField := target.Truthy() && target.Call("matches", "input:not([type=range], [type=file]), select, textarea, [contenteditable]").Bool()
	if step := steps[k.Key]; step != "" && target.Truthy() && target.Call("closest", "#lines").Truthy() {
		k.Key = step
	}
	if target.Truthy() && (inTerminal(target) || !k.Ctrl && inEditor(target)) {
		return
	}
	takes, focus := p.Takes(k.Key, k.Ctrl, inField)
	if !takes {
		return
	}
	e.Call("preventDefault")
	if focus != "" {
		s.Focus(focus)
		return
	}
	s.post(k)
}

// steps are the arrow keys, with the keys that do the same everywhere: from line to line.
var steps = map[string]string{"ArrowDown": "j", "ArrowUp": "k"}

// focused reports the row that got the focus, or another element with an id.
func (s *Screen) focused(e js.Value) {
	target := element(e)
	if !target.Truthy() {
		return
	}
	if row := target.Call("closest", "tr[data-uid]"); row.Truthy() {
		target = row
	}
	if id := target.Get("id").String(); id != "" {
		s.post(app.Focus{ID: id})
	}
}

func (s *Screen) popped(e js.Value) {
	s.post(app.Popped{Address: s.Address(), At: position(e.Get("state"))})
}
