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
	{"", "Everything", "Every concept of the Kubernetes API, in an order in which each lesson builds on those before."},
	{"beginners", "Beginners", "For those who have used kubectl, and want to know what it talks to."},
	{"operators", "Operators", "For those who keep clusters running, and have to understand what an API server says and who wrote what."},
	{"controller-authors", "Controller authors", "For those whose programs list, watch and apply, and have to be right when it gets difficult."},
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
	{1, "What there is", "Types and kinds, the paths that lead to them, the verbs, and the parts of objects."},
	{5, "In which form it comes", "JSON, YAML, CBOR and Protobuf, and how client and server agree on one."},
	{7, "Following what happens", "Watches: how nothing is missed, and what to do when something was."},
	{11, "Many at once", "Large answers: packed, in chunks, as collections, as Tables."},
	{15, "How things go", "Deletion in two phases, and objects that nobody can read any more."},
	{17, "Before anything is stored", "One object a request, fields that nobody knows, and trying without doing."},
	{20, "Writers and versions", "What happens when two write, the five ways to write, and what a version promises."},
	{24, "Who owns a field", "Managed fields, conflicts and merging, from one entry to handing a field over."},
	{31, "Ownership in practice", "Older ways to apply, the rights it takes, and what ownership does not follow."},
	{35, "What a server can do", "To ask, instead of trusting a version number."},
	{36, "Plans and refusals", "What an apply would do to each field, and what to do after a refusal."},
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
