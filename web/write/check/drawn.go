package check

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// drawn is the page's HTML, rendered last. While hundreds of documents arrive, most messages change only a number.
type drawn struct {
	html string // empty: to be rendered
	at   int    // the count of files and documents when it was rendered
}

// every is the number of files or documents after which the page is rendered again.
const every = 8

// passing tells whether the page needn't be rendered after a message, because more of its kind will follow.
func (m Model) passing(msg page.Msg) bool {
	l := m.live
	switch msg.(type) {
	case page.Response, page.Worked, page.Loaded:
		return m.runs() && l.drawn.html != "" && l.progressCount() < l.drawn.at+every
	}
	return false
}

// progressCount is the number of files and documents so far.
func (l *live) progressCount() int { return len(l.input.given) + l.surveyed + l.done }

// drawn renders the page, unless its HTML is current.
func (m Model) drawn() templ.Component {
	l := m.live
	// The end is always shown.
	if l.drawn.html == "" || !m.runs() && l.drawn.at != l.progressCount() {
		var b strings.Builder
		if err := content(m).Render(context.Background(), &b); err != nil {
			return components.Say(components.Notice{Tone: components.Bad, Title: "Fieldmark can’t show the findings", Words: err.Error()})
		}
		l.drawn = drawn{b.String(), l.progressCount()}
	}
	return templ.Raw(l.drawn.html)
}
