// Package read has the pages that show objects and lists. They are one program for the browser.
package read

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/read/clusters"
	"github.com/fieldmark/fieldmark/web/read/collection"
	"github.com/fieldmark/fieldmark/web/read/events"
	"github.com/fieldmark/fieldmark/web/read/object"
	"github.com/fieldmark/fieldmark/web/read/overview"
	"github.com/fieldmark/fieldmark/web/read/watched"
	"github.com/fieldmark/fieldmark/web/read/whoami"
)

// Pages are all pages of this program, by kind.
func Pages() page.Set {
	return page.Set{
		clusters.Kind:   page.Read[clusters.Model],
		collection.Kind: page.Read[collection.Model],
		events.Kind:     page.Read[events.Model],
		object.Kind:     page.Read[object.Model],
		overview.Kind:   page.Read[overview.Model],
		watched.Kind:    page.Read[watched.Model],
		whoami.Kind:     page.Read[whoami.Model],
		errorpage.Kind:  page.Read[errorpage.Model],
	}
}
