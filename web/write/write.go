// Package write are the pages with which one writes and tries things out. They are a program for the browser of their
// own, so that who only reads doesn't load an editor's worth of it.
package write

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/write/apply"
	"github.com/fieldmark/fieldmark/web/write/check"
	"github.com/fieldmark/fieldmark/web/write/deletion"
	"github.com/fieldmark/fieldmark/web/write/explain"
	"github.com/fieldmark/fieldmark/web/write/handover"
)

// Pages are all of them.
func Pages() page.Set {
	return page.Set{
		apply.Kind:     page.Read[apply.Model],
		check.Kind:     page.Read[check.Model],
		handover.Kind:  page.Read[handover.Model],
		deletion.Kind:  page.Read[deletion.Model],
		explain.Kind:   page.Read[explain.Model],
		errorpage.Kind: page.Read[errorpage.Model],
	}
}
