// Package write makes the pages for changing objects: apply, check, assistants, and what a refusal means.
package write

import (
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// Pages has the HTTP handlers of this wing.
type Pages struct{ *visit.Site }

// making is the making of one page of this wing.
type making struct{ *visit.Visit }

// maker is a method of a making as a Maker.
func maker(m func(making) (page.Page, error)) visit.Maker {
	return func(v *visit.Visit) (page.Page, error) { return m(making{v}) }
}

// Tools are the makers of the tools of this wing that need more than their surroundings, by name.
func Tools() map[string]visit.Maker {
	return map[string]visit.Maker{
		web.Apply:   maker(making.apply),
		web.Assist:  maker(making.assist),
		web.Check:   maker(making.check),
		web.Explain: maker(making.explain),
	}
}
