// Package run has the pages that show what runs (in plain words, logs, shells, and what is in use), the page of acts on it, and the page that deletes an object. They are one program for the browser.
package run

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/run/act"
	deletion "github.com/fieldmark/fieldmark/web/run/delete"
	"github.com/fieldmark/fieldmark/web/run/describe"
	"github.com/fieldmark/fieldmark/web/run/logs"
	"github.com/fieldmark/fieldmark/web/run/shell"
	"github.com/fieldmark/fieldmark/web/run/usage"
)

// Pages are all pages of this program, by kind.
func Pages() page.Set {
	return page.Set{
		act.Kind:       page.Read[act.Model],
		deletion.Kind:  page.Read[deletion.Model],
		describe.Kind:  page.Read[describe.Model],
		logs.Kind:      page.Read[logs.Model],
		shell.Kind:     page.Read[shell.Model],
		usage.Kind:     page.Read[usage.Model],
		errorpage.Kind: page.Read[errorpage.Model],
	}
}
