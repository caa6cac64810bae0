package palette

import (
	"encoding/json"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
)

// MediaType is what the map of the field guide is asked for as when only the names in it are wanted: a Guide as JSON.
const MediaType = "application/vnd.fieldmark.guide+json"

// Guide is what can be found of the field guide. It comes when a palette is opened, so that no program for the browser has to hold it.
type Guide struct {
	Lessons []Heading `json:"lessons"`
	Terms   []Heading `json:"terms"`
}

// Heading is a lesson or a term, by its id and its title.
type Heading struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// guideID is the id of the question for the guide.
const guideID = prefixID + "guide"

func askGuide() page.Cmd { return page.Ask{ID: guideID, Address: web.Learn, Accept: MediaType} }

// guide takes the guide in. Without it everything else is found all the same.
func (m Model) guide(f page.Response) Model {
	var g Guide
	if f.Status != status.CodeOK || json.Unmarshal(f.Body, &g) != nil {
		return m
	}
	add := func(kind Kind, h Heading, href string) {
		m.index.add(Entry{Kind: kind, Text: h.Title, Href: href, also: []string{strings.ReplaceAll(h.ID, "-", " ")}})
	}
	for _, l := range g.Lessons {
		add(Lesson, l, web.Lesson(l.ID))
	}
	for _, t := range g.Terms {
		add(Term, t, web.Glossary+"#"+t.ID)
	}
	m.guided = true
	return m.again()
}
