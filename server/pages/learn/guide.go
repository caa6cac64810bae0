package learn

import (
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/practice"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/palette"
	"github.com/fieldmark/fieldmark/web/learn/glossary"
	"github.com/fieldmark/fieldmark/web/learn/guide"
)

// Learn is the map of the field guide.
func (p Pages) Learn(w http.ResponseWriter, r *http.Request) {
	all := p.Guide()
	switch r.Header.Get("Accept") {
	case palette.MediaType:
		p.headings(w, r, all)
		return
	case guide.BriefsType:
		p.briefs(w, r, all)
		return
	}
	query := r.URL.Query()
	m := mapOf(all)
	m.Frame = page.Frame{Kind: guide.Kind, Shell: p.Shell(r, "The field guide")}
	m.Path, m.Cluster, m.Practice = guide.ParsePath(query), query.Get(web.ClusterField), p.Practice != nil
	m.Waiting, m.Pending = p.standby()
	p.Render(w, r, http.StatusOK, m)
}

// mapOf is the map of the guide, without what depends on the reader.
func mapOf(all lessons.Guide) guide.Model {
	m := guide.Model{Terms: len(all.Terms)}
	for _, l := range all.Lessons {
		of := guide.Lesson{ID: l.ID, Title: l.Title, Summary: l.Summary, Minutes: l.Minutes, Paths: l.Paths, After: l.After}
		for _, s := range l.Steps {
			of.Steps = append(of.Steps, s.ID)
		}
		if t, ok := all.Task(l.ID); ok {
			of.Task = t.Title
		}
		m.Lessons = append(m.Lessons, of)
	}
	for _, c := range all.Chapters {
		m.Chapters = append(m.Chapters, guide.Chapter(c))
	}
	m.Chart = guide.Draw(m.Chapters, m.Lessons)
	return m
}

// standby says why the practice cluster isn't ready; nil if it is, or if there is none.
func (p Pages) standby() (notice *components.Notice, pending bool) {
	if p.Practice == nil {
		return nil, false
	}
	g := p.Practice(cluster.Practice)
	s := practice.StateOf(g)
	if g.Ready && s.Phase != cluster.Failed {
		return nil, false
	}
	n := components.Notice{
		Tone: visit.ToneOf(s.Phase), Title: "The practice cluster isn’t ready yet", Words: components.Sentence(s.Text),
		Advice: "You can read all lessons now. You can send their requests when the practice cluster is ready.",
		Links:  []components.Link{{Text: "Show all clusters", Href: web.Home}},
	}
	if !s.Phase.Pending() {
		n.Title, n.Advice = "There is no practice cluster", s.Advice
	}
	return &n, s.Phase.Pending()
}

// headings sends the headings of the guide, for the search by name.
func (p Pages) headings(w http.ResponseWriter, r *http.Request, all lessons.Guide) {
	var g palette.Guide
	for _, l := range all.Lessons {
		g.Lessons = append(g.Lessons, palette.Heading{ID: l.ID, Title: l.Title, FoundBy: l.FoundBy})
	}
	for _, t := range all.Tasks {
		l, _ := all.Lesson(t.ID)
		g.Tasks = append(g.Tasks, palette.Heading{ID: t.ID, Title: t.Title, FoundBy: l.FoundBy})
	}
	for _, c := range all.Cases {
		g.Cases = append(g.Cases, palette.Heading{ID: c.ID, Title: c.Title, FoundBy: c.FoundBy})
	}
	for _, t := range all.Terms {
		g.Terms = append(g.Terms, palette.Heading{ID: t.ID, Title: t.Title})
	}
	p.SendJSON(w, r, palette.MediaType, g)
}

// Glossary is what the field's words mean.
func (p Pages) Glossary(w http.ResponseWriter, r *http.Request) {
	all := p.Guide()
	m := glossary.Model{Frame: page.Frame{Kind: glossary.Kind, Shell: p.Shell(r, web.OfKind(glossary.Kind).Title)}, Filter: r.URL.Query().Get(glossary.FilterField)}
	m.Terms = termsOf(all)
	p.Render(w, r, http.StatusOK, m)
}

// termsOf are the terms of the glossary in their order.
func termsOf(all lessons.Guide) (terms []glossary.Term) {
	for _, t := range all.Terms {
		terms = append(terms, entryOf(all, t))
	}
	glossary.Alphabetical(terms)
	return terms
}

// Guide is the field guide. If parts of it have errors, the log has them, and the rest is still served.
func (p Pages) Guide() lessons.Guide {
	all, err := lessons.Load()
	if err != nil {
		p.Log.Error("the field guide has an error", "err", err)
	}
	return all
}

// entryOf is a term with the lessons that lead to it.
func entryOf(all lessons.Guide, t lesson.Term) glossary.Term {
	of := glossary.Term{ID: t.ID, Title: t.Title, HTML: t.HTML, Text: t.Words}
	for _, l := range all.Lessons {
		named := glossary.Named{ID: l.ID, Title: l.Title}
		switch {
		case l.ID == t.Lesson:
			of.Lesson = &named
		case slices.Contains(l.Terms, t.ID):
			of.Seen = append(of.Seen, named)
		}
	}
	return of
}
