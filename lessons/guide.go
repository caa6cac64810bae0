package lessons

import (
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
	Chapters []Chapter
	Lessons  []lesson.Lesson // in the order of the chapters
	Terms    []lesson.Term   // in the order of the glossary
	Tasks    []lesson.Task   // in the order of their lessons; not every lesson has one
	Cases    []lesson.Task   // the short ones first
}

// Task finds the task of a lesson, or a case.
func (g Guide) Task(id string) (lesson.Task, bool) {
	for _, all := range [][]lesson.Task{g.Tasks, g.Cases} {
		if i := slices.IndexFunc(all, func(t lesson.Task) bool { return t.ID == id }); i >= 0 {
			return all[i], true
		}
	}
	return lesson.Task{}, false
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

// Read reads the chapters, the lessons and the glossary of a folder. The problems are all mistakes in them; they name the folder by the
// given name.
func Read(folder fs.FS, name string) (Guide, markdown.Problems) {
	g := guide{folder: folder, name: name, known: markdown.Known{Terms: map[string]lesson.Term{}, Picture: draw}, files: map[string]string{}}
	g.glossary()
	found, _ := fs.Glob(folder, "*/lesson.md") // the pattern is well-formed
	for _, file := range found {
		g.lesson(file)
	}
	g.chapters()
	g.tasks()
	g.cases()
	g.links()
	g.order()
	return g.Guide, g.problems
}

// guide is a guide that is being read.
type guide struct {
	Guide
	folder   fs.FS
	name     string
	known    markdown.Known
	files    map[string]string // of the lessons, by their ids
	places   map[string]int    // of the lessons in the order of the chapters; nil: the chapters could not be read
	mentions []mention
	problems markdown.Problems
}

// mention is a reference to a lesson.
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

// tasks reads the task of each lesson that has one.
func (g *guide) tasks() {
	for _, l := range g.Lessons {
		file := path.Join(l.ID, "task.md")
		source, err := fs.ReadFile(g.folder, file)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		named := path.Join(g.name, file)
		if err != nil {
			g.wrong(named, 1, false, "the task can't be read: %v", err)
			continue
		}
		task, mentions, problems := markdown.ParseTask(g.known, l.ID, named, source)
		g.problems = append(g.problems, problems...)
		g.mentioned(named, mentions)
		g.Tasks = append(g.Tasks, task)
	}
}

// cases reads the cases: folders with a case.md in them.
func (g *guide) cases() {
	found, _ := fs.Glob(g.folder, "*/case.md") // the pattern is well-formed
	for _, file := range found {
		id, named := path.Dir(file), path.Join(g.name, file)
		source, err := fs.ReadFile(g.folder, file)
		if err != nil {
			g.wrong(named, 1, false, "the case can't be read: %v", err)
			continue
		}
		if g.files[id] != "" {
			g.wrong(named, 1, false, "there is a lesson %s: give the case another folder", id)
		}
		of, mentions, problems := markdown.ParseCase(g.known, id, named, source)
		g.problems = append(g.problems, problems...)
		g.mentioned(named, mentions)
		g.Cases = append(g.Cases, of)
	}
	slices.SortStableFunc(g.Cases, func(a, b lesson.Task) int { return a.Minutes - b.Minutes })
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

// links reports references to lessons that don't exist.
func (g *guide) links() {
	for _, m := range g.mentions {
		if _, ok := g.files[m.Lesson]; !ok {
			g.wrong(m.file, m.Line, true, "there is no lesson %s: correct the name, or write %s/%[1]s/lesson.md", m.Lesson, g.name)
		}
	}
}
