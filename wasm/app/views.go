package app

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// views is what the screen shows: each place is touched only when its HTML has changed.
type views struct {
	painter Painter
	asked   bool // a frame was requested
	whole   bool // the whole page is shown again, with its shell
	main    string
	parts   parted // of main; not ok before the program has painted main once
	overlay string
	after   []func()
	shift   int // pixels that the rows are scrolled with the next paint
	bottom  func() *shell.Wire
}

// request requests a paint before the next frame. Several requests make one paint.
func (v *views) request() {
	if !v.asked {
		v.asked = true
		v.painter.Frame()
	}
}

// forget forgets what the document shows of the page, so that the next paint shows all of it again.
func (v *views) forget() { v.main, v.parts = "", parted{} }

// runAfterPaint is called after the next paint.
func (v *views) runAfterPaint(f func()) {
	v.after = append(v.after, f)
	v.request()
}

// covered tells whether the overlay is open.
func (v *views) covered() bool { return v.overlay != "" }

func (v *views) paint(p page.Page, overlay templ.Component) {
	v.asked = false
	v.page(p)
	if v.shift != 0 {
		v.painter.Shift(v.shift)
		v.shift = 0
	}
	if html := render(overlay); html != v.overlay {
		opens, closes := v.overlay == "", html == ""
		v.overlay = html
		if closes {
			v.painter.Modal(false)
		}
		v.painter.Show(Overlay, html)
		if opens {
			v.painter.Modal(true)
		}
	}
	after := v.after
	v.after = nil
	for _, f := range after {
		f()
	}
}

func (v *views) page(p page.Page) {
	html := render(page.Main(p))
	if html == v.main && !v.whole {
		return
	}
	parts := part(html)
	if v.whole {
		var wire *shell.Wire
		if v.bottom != nil {
			wire = v.bottom()
		}
		v.painter.Show(Everything, render(page.Body(p, wire)))
	} else {
		v.parts.show(parts, html, v.painter)
	}
	v.main, v.parts, v.whole = html, parts, false
}

// render gives the HTML of a view, nothing for none. Writing into memory does not fail; a view that does has
// a bug, which must not pass as an empty page.
func render(c templ.Component) string {
	if c == nil {
		return ""
	}
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		panic(err)
	}
	return b.String()
}
