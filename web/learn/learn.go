// Package learn has the pages of the field guide. They are one program for the browser.
package learn

import (
	"github.com/fieldmark/fieldmark/web/frame/errorpage"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/cases"
	"github.com/fieldmark/fieldmark/web/learn/exam"
	"github.com/fieldmark/fieldmark/web/learn/glossary"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/learn/handout"
	"github.com/fieldmark/fieldmark/web/learn/lesson"
	"github.com/fieldmark/fieldmark/web/learn/task"
)

// Pages are all of them.
func Pages() page.Set {
	return page.Set{
		cases.Kind:     page.Read[cases.Model],
		exam.Kind:      page.Read[exam.Model],
		glossary.Kind:  page.Read[glossary.Model],
		handout.Kind:   page.Read[handout.Model],
		guide.Kind:     page.Read[guide.Model],
		lesson.Kind:    page.Read[lesson.Model],
		task.Kind:      page.Read[task.Model],
		errorpage.Kind: page.Read[errorpage.Model],
	}
}
