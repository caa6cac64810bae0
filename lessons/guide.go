package lessons

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components/picture"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/markdown"
)

// Guide is the field guide.
type Guide struct {
	Lessons []lesson.Lesson // in the order of their first concepts
	Terms   []lesson.Term   // in the order of the glossary
}

// Lesson finds a lesson by its id.
func (g Guide) Lesson(id string) (lesson.Lesson, bool) {
	i := slices.IndexFunc(g.Lessons, func(l lesson.Lesson) bool { return l.ID == id })
	if i < 0 {
		return lesson.Lesson{}, false
	}
	return g.Lessons[i], true
}

// Term finds an entry of the glossary by its id.
func (g Guide) Term(id string) (lesson.Term, bool) {
	i := slices.IndexFunc(g.Terms, func(t lesson.Term) bool { return t.ID == id })
	if i < 0 {
		return lesson.Term{}, false
	}
	return g.Terms[i], true
}

// Read reads the lessons and the glossary of a folder, and says all that is wrong with them. In messages the folder has the given name.
func Read(folder fs.FS, name string) (Guide, markdown.Problems) {
	g := guide{folder: folder, name: name, known: markdown.Known{Terms: map[string]lesson.Term{}, Picture: draw}, files: map[string]string{}}
	g.glossary()
	found, _ := fs.Glob(folder, "*/lesson.md") // the pattern is well-formed
	for _, file := range found {
		g.lesson(file)
	}
	slices.SortStableFunc(g.Lessons, func(a, b lesson.Lesson) int { return cmp.Compare(first(a), first(b)) })
	g.links()
	g.circles()
	return g.Guide, g.problems
}

// guide is the guide while it is read.
type guide struct {
	Guide
	folder   fs.FS
	name     string
	known    markdown.Known
	files    map[string]string // of the lessons, by their ids
	mentions []mention
	problems markdown.Problems
}

// mention is a place in a file where a lesson is spoken of.
type mention struct {
	markdown.Mention
	file string
}

func (g *guide) wrong(file string, line int, missing bool, format string, args ...any) {
	g.problems = append(g.problems, markdown.Problem{File: file, Line: line, Missing: missing, What: fmt.Sprintf(format, args...)})
}

func (g *guide) mentioned(file string, mentions []markdown.Mention) {
	for _, m := range mentions {
		g.mentions = append(g.mentions, mention{m, file})
	}
}

func (g *guide) glossary() {
	file := path.Join(g.name, "glossary.md")
	source, err := fs.ReadFile(g.folder, "glossary.md")
	if err != nil {
		g.wrong(file, 1, errors.Is(err, fs.ErrNotExist), "the glossary can't be read: %v", err)
		return
	}
	terms, mentions, problems := markdown.Glossary(file, source)
	g.Terms, g.problems = terms, append(g.problems, problems...)
	g.mentioned(file, mentions)
	for _, t := range terms {
		g.known.Terms[t.ID] = t
	}
}

func (g *guide) lesson(file string) {
	named := path.Join(g.name, file)
	source, err := fs.ReadFile(g.folder, file)
	if err != nil {
		g.wrong(named, 1, false, "the lesson can't be read: %v", err)
		return
	}
	parsed, problems := markdown.Parse(g.known, path.Dir(file), named, source)
	g.problems = append(g.problems, problems...)
	g.mentioned(named, parsed.Mentions)
	g.Lessons, g.files[parsed.Lesson.ID] = append(g.Lessons, parsed.Lesson), named
}

// draw renders a drawing.
func draw(name string) (string, bool) {
	drawing, ok := picture.All[name]
	if !ok {
		return "", false
	}
	var b strings.Builder
	if err := drawing.Render(context.Background(), &b); err != nil {
		return "", false
	}
	return b.String(), true
}

func first(l lesson.Lesson) int {
	if len(l.Concepts) == 0 {
		return 0
	}
	return slices.Min(l.Concepts)
}

// links finds lessons that are spoken of and don't exist.
func (g *guide) links() {
	for _, m := range g.mentions {
		if _, ok := g.files[m.Lesson]; !ok {
			g.wrong(m.file, m.Line, true, "there is no lesson %s: correct the name, or write %s/%[1]s/lesson.md", m.Lesson, g.name)
		}
	}
}

// circles finds lessons that build on themselves, by way of others.
func (g *guide) circles() {
	for _, l := range g.Lessons {
		if way := g.way(l.ID, l.ID, map[string]bool{}); way != nil {
			g.wrong(g.files[l.ID], 1, false, "after leads in a circle, %s: one of these doesn't build on the next", strings.Join(append([]string{l.ID}, way...), " → "))
		}
	}
}

// way leads from a lesson to another by what they build on.
func (g *guide) way(from, to string, seen map[string]bool) []string {
	if seen[from] {
		return nil
	}
	seen[from] = true
	l, _ := g.Lesson(from)
	for _, id := range l.After {
		if id == to {
			return []string{id}
		}
		if rest := g.way(id, to, seen); rest != nil {
			return append([]string{id}, rest...)
		}
	}
	return nil
}
