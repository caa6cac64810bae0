// Package run makes the pages of what runs, of acts on it, and of deletions.
package run

import (
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// making is the making of one page of this wing.
type making struct{ *visit.Visit }

// maker is a method of a making as a Maker.
func maker(m func(making) (page.Page, error)) visit.Maker {
	return func(v *visit.Visit) (page.Page, error) { return m(making{v}) }
}

// Tools are the makers of the tools of this wing that need more than their surroundings, by name.
func Tools() map[string]visit.Maker {
	return map[string]visit.Maker{
		web.Act:    maker(making.act),
		web.Delete: maker(making.deletion),
	}
}

// Object makes the page of a view that shows what an object runs.
func Object(v *visit.Visit) (page.Page, error) { return making{v}.running() }
