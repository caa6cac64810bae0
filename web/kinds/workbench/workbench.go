// Package workbench are the pages with which one writes and tries things out. They are a program for the browser of their
// own, so that who only reads doesn't load an editor's worth of it.
package workbench

import (
	"github.com/fieldmark/fieldmark/web/apply"
	"github.com/fieldmark/fieldmark/web/assistant"
	"github.com/fieldmark/fieldmark/web/deletion"
	"github.com/fieldmark/fieldmark/web/kinds"
	"github.com/fieldmark/fieldmark/web/problem"
)

// Pages are all of them.
func Pages() kinds.Set {
	return kinds.Set{
		apply.Kind:     kinds.Read[apply.Model],
		assistant.Kind: kinds.Read[assistant.Model],
		deletion.Kind:  kinds.Read[deletion.Model],
		problem.Kind:   kinds.Read[problem.Model],
	}
}
