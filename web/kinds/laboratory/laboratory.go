// Package laboratory are the pages on which the API itself is tried out: requests made by hand, streams, versions, what goes over the
// wire. They are a program for the browser of their own.
package laboratory

import (
	"github.com/fieldmark/fieldmark/web/contention"
	"github.com/fieldmark/fieldmark/web/kinds"
	"github.com/fieldmark/fieldmark/web/problem"
)

// Pages are all of them.
func Pages() kinds.Set {
	return kinds.Set{
		contention.Kind: kinds.Read[contention.Model],
		problem.Kind:    kinds.Read[problem.Model],
	}
}
