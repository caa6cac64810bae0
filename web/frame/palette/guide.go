package palette

import (
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// MediaType is the media type of a request for only the names in the field guide: a Guide as JSON.
const MediaType = "application/vnd.fieldmark.guide+json"

// Guide is the lessons, tasks, cases and terms of the field guide. The browser requests it when a palette is opened, so that no program has to contain it.
type Guide struct {
	Lessons []Heading `json:"lessons"`
	Tasks   []Heading `json:"tasks"`
	Cases   []Heading `json:"cases"`
	Terms   []Heading `json:"terms"`
}

// Heading is a lesson, a task, a case or a term, by its id and its title. A task has the id of its lesson.
type Heading struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// FoundBy are texts that people have in front of them when they need it: parts of messages, names of fields.
	FoundBy []string `json:"foundBy,omitempty"`
}

// guideID is the ID of the request for the guide.
const guideID = prefixID + "guide"

func askGuide() page.Cmd { return page.Ask{ID: guideID, Address: web.Learn, Accept: MediaType} }

// guide adds the lessons, tasks, cases and terms in a response. If there are none, the palette finds everything else.
func (m Model) guide(f page.Response) Model {
	var g Guide
	if f.Status != status.CodeOK || json.Unmarshal(f.Body, &g) != nil {
		return m
	}
	add := func(kind Kind, h Heading, href string) {
		m.index.addEntry(Entry{Kind: kind, Text: h.Title, Href: href, also: append([]string{strings.ReplaceAll(h.ID, "-", " ")}, h.FoundBy...)})
	}
	for _, l := range g.Lessons {
		add(Lesson, l, web.Lesson(l.ID))
	}
	for _, t := range g.Tasks {
		add(Task, t, web.Task(t.ID))
	}
	for _, c := range g.Cases {
		add(Task, c, web.Case(c.ID))
	}
	for _, t := range g.Terms {
		add(Term, t, web.Glossary+"#"+t.ID)
	}
	m.guided = true
	return m.again()
}
