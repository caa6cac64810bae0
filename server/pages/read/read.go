// Package read makes the pages for reading a cluster: what it serves, its objects, what the server watches of them, and who the reader is.
package read

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
		web.Events: maker(making.events),
	}
}

// Handlers serve the tools of this wing that also send data, or take acts on this server, by name.
func (p Pages) Handlers() map[string]visit.Handler {
	return map[string]visit.Handler{
		web.Watched: p.watched,
		web.WhoAmI:  p.whoami,
	}
}

// Overview makes the page of a cluster, or of a part of what it serves.
func Overview(v *visit.Visit) (page.Page, error) { return making{v}.overview() }

// Collection makes the page of a collection.
func Collection(v *visit.Visit) (page.Page, error) { return making{v}.collection() }

// Object makes the page of an object, or of one of its subresources.
func Object(v *visit.Visit) (page.Page, error) { return making{v}.object() }
