package guide

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
)

// track is a path through the guide, for one sort of reader.
type track struct {
	id    string // as lessons name it; empty: all of them
	title string
	who   string
}

var tracks = []track{
	{"", "Everything", "Every concept of the Kubernetes API. Each lesson builds on earlier ones."},
	{"beginners", "Beginners", "You have used kubectl, and want to understand the API behind it."},
	{"operators", "Operators", "You run clusters. You need to understand what an API server responds, and who wrote which field."},
	{"controller-authors", "Controller authors", "Your programs list, watch and apply objects. They must be correct in difficult cases too."},
}

// track is the path that is shown.
func (m Model) track() track {
	i := slices.IndexFunc(tracks, func(t track) bool { return t.id == m.Path })
	return tracks[max(i, 0)]
}

// tabs are the paths to choose from.
func (m Model) tabs() []components.Link {
	var links []components.Link
	for _, t := range tracks {
		links = append(links, components.Link{
			Text: t.title + " " + strconv.Itoa(len(m.on(t.id))), Href: m.address(t.id), Current: t.id == m.Path, Hint: t.who,
		})
	}
	return links
}

// chapter is lessons whose concepts belong together.
type chapter struct {
	from  int // the first concept
	title string
	about string
}

var chapters = []chapter{
	{1, "Types and paths", "Resource types and kinds, their paths, the verbs, and the parts of an object."},
	{5, "Formats", "JSON, YAML, CBOR and Protobuf, and how client and server choose one."},
	{7, "Watches", "How a client gets every change, and what it does after it missed some."},
	{11, "Large responses", "Compressed responses, chunks, collections, and Tables."},
	{15, "Deletion", "Deletion in two phases, and objects that nobody can read anymore."},
	{17, "Validation", "One object per request, unknown fields, and dry runs."},
	{20, "Writes and versions", "Two writers at once, the five ways to write, and what a resource version guarantees."},
	{24, "Owners of fields", "Managed fields, conflicts and merging, and how to move a field to another manager."},
	{31, "Ownership in practice", "Older ways to apply, the permissions you need, and changes that ownership doesn’t record."},
	{35, "Features of a server", "How to test whether a server supports a feature, instead of trusting its version."},
	{36, "Plans and refusals", "What an apply would change in each field, and what to do when a request is refused."},
}

// part is a chapter with the lessons of it that are shown.
type part struct {
	chapter
	lessons []Lesson
}

// parts are the chapters that have lessons on the path that is shown.
func (m Model) parts() []part {
	var all []part
	for _, l := range m.chosen() {
		c := chapterOf(l)
		if len(all) == 0 || all[len(all)-1].from != c.from {
			all = append(all, part{chapter: c})
		}
		last := &all[len(all)-1]
		last.lessons = append(last.lessons, l)
	}
	return all
}

func chapterOf(l Lesson) chapter {
	at := 0
	for i, c := range chapters {
		if c.from <= l.first() {
			at = i
		}
	}
	return chapters[at]
}

// first is the number of the lesson's first concept, by which lessons are in order.
func (l Lesson) first() int {
	if len(l.Concepts) == 0 {
		return 0
	}
	return slices.Min(l.Concepts)
}

// numbers are those of the lesson's concepts.
func (l Lesson) numbers() string {
	var all []string
	for _, n := range l.Concepts {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, ", ")
}

// minutes is how long lessons take.
func minutes(lessons []Lesson) int {
	sum := 0
	for _, l := range lessons {
		sum += l.Minutes
	}
	return sum
}

// duration is so many minutes as one says it: to the half hour, once it is more than one.
func duration(minutes int) string {
	halves := (minutes + 15) / 30
	switch {
	case minutes == 1:
		return "1 minute"
	case minutes < 60:
		return fmt.Sprintf("%d minutes", minutes)
	case halves == 2:
		return "about an hour"
	case halves%2 == 1:
		return fmt.Sprintf("about %d½ hours", halves/2)
	}
	return fmt.Sprintf("about %d hours", halves/2)
}
