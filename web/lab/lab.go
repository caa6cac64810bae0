// Package lab has the pages for trying out the API itself: requests made by hand, streams, versions, and requests on the wire. They are
// one program for the browser.
package lab

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/lab/chunks"
	"github.com/fieldmark/fieldmark/web/lab/compare"
	"github.com/fieldmark/fieldmark/web/lab/discovery"
	"github.com/fieldmark/fieldmark/web/lab/representations"
	"github.com/fieldmark/fieldmark/web/lab/request"
	"github.com/fieldmark/fieldmark/web/lab/requests"
	"github.com/fieldmark/fieldmark/web/lab/versions"
	"github.com/fieldmark/fieldmark/web/lab/watch"
)

// Pages are all of them.
func Pages() page.Set {
	return page.Set{
		chunks.Kind:          page.Read[chunks.Model],
		discovery.Kind:       page.Read[discovery.Model],
		errorpage.Kind:       page.Read[errorpage.Model],
		representations.Kind: page.Read[representations.Model],
		request.Kind:         page.Read[request.Model],
		compare.Kind:         page.Read[compare.Model],
		requests.Kind:        page.Read[requests.Model],
		versions.Kind:        page.Read[versions.Model],
		watch.Kind:           page.Read[watch.Model],
	}
}
