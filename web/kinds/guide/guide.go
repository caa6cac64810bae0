// Package guide are the pages of the field guide, from which one learns. They are a program for the browser of their own.
package guide

import (
	"github.com/fieldmark/fieldmark/web/kinds"
	"github.com/fieldmark/fieldmark/web/learn"
	"github.com/fieldmark/fieldmark/web/lesson"
	"github.com/fieldmark/fieldmark/web/problem"
)

// Pages are all of them.
func Pages() kinds.Set {
	return kinds.Set{
		learn.GlossaryKind: kinds.Read[learn.Glossary],
		learn.Kind:         kinds.Read[learn.Model],
		lesson.Kind:        kinds.Read[lesson.Model],
		problem.Kind:       kinds.Read[problem.Model],
	}
}
