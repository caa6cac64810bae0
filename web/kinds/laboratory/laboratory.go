// Package laboratory are the pages on which the API itself is tried out: requests made by hand, streams, versions, what goes over the
// wire. They are a program for the browser of their own.
package laboratory

import (
	"github.com/fieldmark/fieldmark/web/chunks"
	"github.com/fieldmark/fieldmark/web/contention"
	"github.com/fieldmark/fieldmark/web/explorer"
	"github.com/fieldmark/fieldmark/web/kinds"
	"github.com/fieldmark/fieldmark/web/problem"
	"github.com/fieldmark/fieldmark/web/representations"
	"github.com/fieldmark/fieldmark/web/request"
	"github.com/fieldmark/fieldmark/web/requests"
	"github.com/fieldmark/fieldmark/web/versions"
	"github.com/fieldmark/fieldmark/web/watchlab"
)

// Pages are all of them.
func Pages() kinds.Set {
	return kinds.Set{
		chunks.Kind:          kinds.Read[chunks.Model],
		contention.Kind:      kinds.Read[contention.Model],
		explorer.Kind:        kinds.Read[explorer.Model],
		problem.Kind:         kinds.Read[problem.Model],
		representations.Kind: kinds.Read[representations.Model],
		request.Kind:         kinds.Read[request.Model],
		requests.Kind:        kinds.Read[requests.Model],
		versions.Kind:        kinds.Read[versions.Model],
		watchlab.Kind:        kinds.Read[watchlab.Model],
	}
}
