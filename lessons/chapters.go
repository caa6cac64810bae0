package lessons

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/markdown"
)

// chaptersFile has the order of the guide. It is in the folder of the lessons.
const chaptersFile = "chapters.yaml"

// Chapter is a part of the guide: lessons that belong together.
type Chapter struct {
	Title   string
	About   string   // one sentence
	Lessons []string // their ids, in the order of the guide
}

// writtenChapter is a chapter in the file. The nodes tell the lines of the lessons.
type writtenChapter struct {
	Title   string      `yaml:"title"`
	About   string      `yaml:"about"`
	Lessons []yaml.Node `yaml:"lessons"`
}

// chapters reads the order of the guide and sorts the lessons by it. Lessons that the file doesn't list come last.
func (g *guide) chapters() {
	file := path.Join(g.name, chaptersFile)
	source, err := fs.ReadFile(g.folder, chaptersFile)
	if err != nil {
		g.wrong(file, 1, errors.Is(err, fs.ErrNotExist), "the chapters can't be read: %v", err)
		return
	}
	var written []writtenChapter
	d := yaml.NewDecoder(bytes.NewReader(source))
	d.KnownFields(true)
	if err := d.Decode(&written); err != nil {
		g.wrong(file, 1, false, "the chapters can't be read: %v", err)
		return
	}
	g.places = map[string]int{}
	for _, w := range written {
		c := Chapter{Title: w.Title, About: w.About}
		for _, l := range w.Lessons {
			if _, twice := g.places[l.Value]; twice {
				g.wrong(file, l.Line, false, "%s is listed twice: remove it from one of the two places", l.Value)
				continue
			}
			g.places[l.Value] = len(g.places)
			c.Lessons = append(c.Lessons, l.Value)
			g.mentions = append(g.mentions, mention{markdown.Mention{Lesson: l.Value, Line: l.Line}, file})
		}
		g.Chapters = append(g.Chapters, c)
	}
	slices.SortStableFunc(g.Lessons, func(a, b lesson.Lesson) int { return cmp.Compare(g.lessonPlace(a.ID), g.lessonPlace(b.ID)) })
}

// lessonPlace is where the guide shows a lesson, counted from 0. Lessons that no chapter lists have the place after the last one.
func (g *guide) lessonPlace(id string) int {
	if at, listed := g.places[id]; listed {
		return at
	}
	return len(g.places)
}

// order finds lessons that no chapter lists, and lessons that come before one that they build on. So no lessons build on each other.
func (g *guide) order() {
	if g.places == nil {
		return
	}
	for _, l := range g.Lessons {
		if _, listed := g.places[l.ID]; !listed {
			g.wrong(g.files[l.ID], 1, false, "no chapter lists the lesson %s: add it to %s", l.ID, path.Join(g.name, chaptersFile))
			continue
		}
		for _, before := range l.After {
			if at, listed := g.places[before]; listed && at >= g.places[l.ID] {
				g.wrong(g.files[l.ID], 1, false, "%s builds on %s, but doesn't come after %[2]s: change the order in %[3]s", l.ID, before, path.Join(g.name, chaptersFile))
			}
		}
	}
}
