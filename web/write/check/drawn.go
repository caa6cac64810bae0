package check

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// drawn is the page as it was last written out. While hundreds of documents come, most messages change nothing but a number.
type drawn struct {
	html string // empty: it is to be written out
	at   int    // files and documents then
}

// every is after how many files or documents the page is written out again.
const every = 8

// passing tells whether a message is one of many of its kind, so that what is shown may stay until more have come.
func (m Model) passing(msg page.Msg) bool {
	l := m.live
	switch msg.(type) {
	case page.Response, page.Worked, page.Loaded:
		return m.runs() && l.drawn.html != "" && l.count() < l.drawn.at+every
	}
	return false
}

// count grows with each file and each document.
func (l *live) count() int { return len(l.input.given) + l.surveyed + l.done }

// drawn writes the page out, unless that was done.
func (m Model) drawn() templ.Component {
	l := m.live
	// The end is always shown.
	if l.drawn.html == "" || !m.runs() && l.drawn.at != l.count() {
		var b strings.Builder
		if err := content(m).Render(context.Background(), &b); err != nil {
			return components.Say(components.Notice{Tone: components.Bad, Title: "The findings can’t be shown", Words: err.Error()})
		}
		l.drawn = drawn{b.String(), l.count()}
	}
	return templ.Raw(l.drawn.html)
}
