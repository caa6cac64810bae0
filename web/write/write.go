// Package write has the pages that write to a cluster, or try out a write. They have their own program for the browser, so that pages that
// only read don't load the editor.
package write

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/apply"
	"github.com/fieldmark/fieldmark/web/write/assist"
	"github.com/fieldmark/fieldmark/web/write/check"
	"github.com/fieldmark/fieldmark/web/write/explain"
)

// Pages is the set of these pages.
func Pages() page.Set {
	return page.Set{
		apply.Kind:     page.Read[apply.Model],
		check.Kind:     page.Read[check.Model],
		assist.Kind:    page.Read[assist.Model],
		explain.Kind:   page.Read[explain.Model],
		errorpage.Kind: page.Read[errorpage.Model],
	}
}
