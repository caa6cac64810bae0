// Package survey has the pages that ask a whole cluster, or all clusters: where an object is, who runs it, who contends for fields, who could change what, and what an upgrade, or the
// first server-side apply, would break. They are one program for the browser.
package survey

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/survey/contention"
	"github.com/fieldmark/fieldmark/web/survey/managers"
	"github.com/fieldmark/fieldmark/web/survey/migrate"
	"github.com/fieldmark/fieldmark/web/survey/search"
	"github.com/fieldmark/fieldmark/web/survey/unappliable"
	"github.com/fieldmark/fieldmark/web/survey/upgradecheck"
	"github.com/fieldmark/fieldmark/web/survey/whocan"
)

// Pages are all of them.
func Pages() page.Set {
	return page.Set{
		contention.Kind:   page.Read[contention.Model],
		errorpage.Kind:    page.Read[errorpage.Model],
		managers.Kind:     page.Read[managers.Model],
		migrate.Kind:      page.Read[migrate.Model],
		search.Kind:       page.Read[search.Model],
		unappliable.Kind:  page.Read[unappliable.Model],
		upgradecheck.Kind: page.Read[upgradecheck.Model],
		whocan.Kind:       page.Read[whocan.Model],
	}
}
