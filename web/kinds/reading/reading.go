// Package reading are the pages that show what there is. They are one program for the browser.
package reading

import (
	"github.com/fieldmark/fieldmark/web/clusters"
	"github.com/fieldmark/fieldmark/web/collection"
	"github.com/fieldmark/fieldmark/web/kinds"
	"github.com/fieldmark/fieldmark/web/object"
	"github.com/fieldmark/fieldmark/web/overview"
	"github.com/fieldmark/fieldmark/web/problem"
)

// Pages are all of them.
func Pages() kinds.Set {
	return kinds.Set{
		clusters.Kind:   kinds.Read[clusters.Model],
		collection.Kind: kinds.Read[collection.Model],
		object.Kind:     kinds.Read[object.Model],
		overview.Kind:   kinds.Read[overview.Model],
		problem.Kind:    kinds.Read[problem.Model],
	}
}
