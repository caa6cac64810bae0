package guide

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/words"
)

// track is a path through the guide, for one sort of reader.
type track struct {
	id    string // as in the lessons' paths; empty: all lessons
	title string
	who   string
}

var tracks = []track{
	{"", "Everything", "Every concept of the Kubernetes API. Each lesson builds on earlier ones."},
	{"beginners", "Beginners", "You have used kubectl, and want to understand the API behind it."},
	{"operators", "Operators", "You run clusters. You need to understand what an API server responds, and who wrote which field."},
	{"controller-authors", "Controller authors", "Your programs list, watch and apply objects. They must be correct in difficult cases too."},
}

// PathNames are the names of all paths through the guide. The first one is empty, and stands for all lessons.
func PathNames() []string {
	names := make([]string, len(tracks))
	for i, t := range tracks {
		names[i] = t.id
	}
	return names
}

// PathTitle is the title of a path through the guide.
func PathTitle(path string) string { return Model{Path: path}.track().title }

// track is the path that is shown.
func (m Model) track() track {
	i := slices.IndexFunc(tracks, func(t track) bool { return t.id == m.Path })
	return tracks[max(i, 0)]
}

// tabs are the paths to choose from, with the numbers of their lessons.
func (m Model) tabs() []components.Link {
	links := PathTabs(m.Path, m.pathAddress)
	for i, t := range tracks {
		links[i].Text += " " + strconv.Itoa(len(m.on(t.id)))
	}
	return links
}

// PathTabs are links to a page of each path through the guide.
func PathTabs(current string, address func(path string) string) []components.Link {
	var links []components.Link
	for _, t := range tracks {
		links = append(links, components.Link{Text: t.title, Href: address(t.id), Current: t.id == current, Hint: t.who})
	}
	return links
}

// Chapter is a part of the guide: lessons that belong together.
type Chapter struct {
	Title   string   `json:"title"`
	About   string   `json:"about"`
	Lessons []string `json:"lessons"` // their ids, in the order of the guide
}

// part is a chapter with its shown lessons.
type part struct {
	Chapter
	number  int // of the chapter, from 1
	lessons []Lesson
}

// parts are the chapters that have lessons on the shown path.
func (m Model) parts() []part {
	var all []part
	lessons := m.chosen()
	for i, c := range m.Chapters {
		p := part{Chapter: c, number: i + 1}
		for _, l := range lessons {
			if slices.Contains(c.Lessons, l.ID) {
				p.lessons = append(p.lessons, l)
			}
		}
		if len(p.lessons) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// lessonNumber is the lesson's number on the path that is shown, from 1; empty: it isn't on this path.
func (m Model) lessonNumber(l Lesson) string {
	i := slices.IndexFunc(m.chosen(), func(other Lesson) bool { return other.ID == l.ID })
	if i < 0 {
		return ""
	}
	return strconv.Itoa(1 + i)
}

// minutes is how long lessons take.
func minutes(lessons []Lesson) int {
	sum := 0
	for _, l := range lessons {
		sum += l.Minutes
	}
	return sum
}

// duration is a time in words. From an hour on, it is rounded to half hours.
func duration(minutes int) string {
	halves := (minutes + 15) / 30
	switch {
	case minutes < 60:
		return words.Count(int64(minutes), "minute", "minutes")
	case halves == 2:
		return "about an hour"
	case halves%2 == 1:
		return fmt.Sprintf("about %d½ hours", halves/2)
	}
	return fmt.Sprintf("about %d hours", halves/2)
}
