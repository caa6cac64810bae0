// Package survey makes the pages that ask a whole cluster.
package survey

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
func Tools() map[string]visit.Maker { return map[string]visit.Maker{web.WhoCan: maker(making.whoCan)} }

// Handlers serve the tools of this wing that also send data, or take acts on this server, by name.
func (p Pages) Handlers() map[string]visit.Handler {
	return map[string]visit.Handler{
		web.Contention:   p.contention,
		web.Managers:     p.managers,
		web.Migrate:      p.migrate,
		web.Unappliable:  p.unappliable,
		web.UpgradeCheck: p.upgradeCheck,
	}
}
