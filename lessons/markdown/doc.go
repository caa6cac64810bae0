// Package markdown reads lessons and the glossary as people write them (lessons/README.md) into values of package lesson. Whatever is
// wrong it says with file and line, all of it at once.
package markdown

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/lessons/lesson"
)

// Problem is something wrong with what is written.
type Problem struct {
	File string
	Line int
	What string // and how to mend it
	// Missing tells that something is spoken of that is not there: a lesson, a term, a picture. Somebody may still be writing it.
	Missing bool
}

func (p Problem) String() string { return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What) }

// Problems are all that is wrong; none are no error.
type Problems []Problem

func (all Problems) Error() string {
	var lines []string
	for _, p := range all {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// Err is nil where nothing is wrong.
func (all Problems) Err() error {
	if len(all) == 0 {
		return nil
	}
	return all
}

// Severe are those that are more than something missing.
func (all Problems) Severe() Problems {
	return slices.DeleteFunc(slices.Clone(all), func(p Problem) bool { return p.Missing })
}

// sorted puts problems in the order of their lines.
func (all Problems) sorted() Problems {
	slices.SortStableFunc(all, func(a, b Problem) int { return a.Line - b.Line })
	return all
}

// Known is what lessons may speak of besides what is in them.
type Known struct {
	Terms   map[string]lesson.Term                  // of the glossary, by their ids
	Picture func(name string) (svg string, ok bool) // drawings by their names
}

// Mention is a place where another lesson is spoken of.
type Mention struct {
	Lesson string
	Line   int
}

// Parsed is a lesson, and the lessons that it speaks of.
type Parsed struct {
	Lesson   lesson.Lesson
	Mentions []Mention
}
