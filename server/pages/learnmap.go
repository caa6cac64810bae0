package pages

import (
	"encoding/json"
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/learn"
	"github.com/fieldmark/fieldmark/web/palette"
)

// Learn is the map of the field guide.
func (p *Pages) Learn(w http.ResponseWriter, r *http.Request) {
	guide := p.guide()
	if r.Header.Get("Accept") == palette.MediaType {
		p.headings(w, r, guide)
		return
	}
	query := r.URL.Query()
	m := learn.Model{
		Shell: p.shell(r, "The field guide"), Path: learn.ParsePath(query), Cluster: query.Get(web.ClusterField),
		Practice: p.Practice != nil, Terms: len(guide.Terms),
	}
	for _, l := range guide.Lessons {
		of := learn.Lesson{ID: l.ID, Title: l.Title, Summary: l.Summary, Concepts: l.Concepts, Minutes: l.Minutes, Paths: l.Paths, After: l.After}
		for _, s := range l.Steps {
			of.Steps = append(of.Steps, s.ID)
		}
		m.Lessons = append(m.Lessons, of)
	}
	m.Chart = learn.Draw(m.Lessons)
	p.render(w, r, http.StatusOK, m)
}

// headings sends what can be found of the guide by name.
func (p *Pages) headings(w http.ResponseWriter, r *http.Request, guide lessons.Guide) {
	var g palette.Guide
	for _, l := range guide.Lessons {
		g.Lessons = append(g.Lessons, palette.Heading{ID: l.ID, Title: l.Title})
	}
	for _, t := range guide.Terms {
		g.Terms = append(g.Terms, palette.Heading{ID: t.ID, Title: t.Title})
	}
	w.Header().Set("Vary", "Accept")
	w.Header().Set("Content-Type", palette.MediaType)
	if err := json.NewEncoder(w).Encode(g); err != nil && r.Context().Err() == nil {
		p.Log.Error("the headings of the guide were not sent to their end", "err", err)
	}
}

// Glossary is what the field's words mean.
func (p *Pages) Glossary(w http.ResponseWriter, r *http.Request) {
	guide := p.guide()
	m := learn.Glossary{Shell: p.shell(r, "Glossary"), Filter: r.URL.Query().Get(learn.FilterField)}
	for _, t := range guide.Terms {
		m.Terms = append(m.Terms, entryOf(guide, t))
	}
	learn.Alphabetical(m.Terms)
	p.render(w, r, http.StatusOK, m)
}

// guide is the field guide. One that is wrong in places is still worth reading; what is wrong is for the log.
func (p *Pages) guide() lessons.Guide {
	guide, err := lessons.Load()
	if err != nil {
		p.Log.Error("the field guide is not as it should be", "err", err)
	}
	return guide
}

// entryOf is a term with the lessons that lead to it.
func entryOf(guide lessons.Guide, t lesson.Term) learn.Term {
	of := learn.Term{ID: t.ID, Title: t.Title, HTML: t.HTML, Text: t.Text}
	for _, l := range guide.Lessons {
		named := learn.Named{ID: l.ID, Title: l.Title}
		switch {
		case l.ID == t.Lesson:
			of.Lesson = &named
		case slices.Contains(l.Terms, t.ID):
			of.Seen = append(of.Seen, named)
		}
	}
	return of
}
