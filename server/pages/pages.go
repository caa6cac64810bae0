// Package pages serves the pages of Fieldmark. For each page it makes the API requests for the model, on behalf of the session, and
// renders the view. The pages of each wing are made in a package of its own; this one joins them, and has what belongs to none.
package pages

import (
	"net/http"

	"github.com/fieldmark/fieldmark/server/pages/lab"
	"github.com/fieldmark/fieldmark/server/pages/learn"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/server/pages/write"
)

// Options are what the pages are made from.
type Options = visit.Options

// Pages renders the pages. Its methods are HTTP handlers and safe for concurrent use.
type Pages struct{ *visit.Site }

// New makes the pages.
func New(o Options) *Pages {
	site := visit.New(o)
	site.Card = learn.Pages{Site: site}.Card
	return &Pages{site}
}

// Learn is the map of the field guide.
func (p *Pages) Learn(w http.ResponseWriter, r *http.Request) { learn.Pages{Site: p.Site}.Learn(w, r) }

// Glossary is what the field's words mean.
func (p *Pages) Glossary(w http.ResponseWriter, r *http.Request) {
	learn.Pages{Site: p.Site}.Glossary(w, r)
}

// Lesson is a lesson of the field guide.
func (p *Pages) Lesson(w http.ResponseWriter, r *http.Request, id string) {
	learn.Pages{Site: p.Site}.Lesson(w, r, id)
}

// Task is the task of a lesson.
func (p *Pages) Task(w http.ResponseWriter, r *http.Request, id string) {
	learn.Pages{Site: p.Site}.Task(w, r, id, false)
}

// Handout is the field guide on paper.
func (p *Pages) Handout(w http.ResponseWriter, r *http.Request) {
	learn.Pages{Site: p.Site}.Handout(w, r)
}

// Cases are the cases of the field guide.
func (p *Pages) Cases(w http.ResponseWriter, r *http.Request) { learn.Pages{Site: p.Site}.Cases(w, r) }

// Case is a case of the field guide.
func (p *Pages) Case(w http.ResponseWriter, r *http.Request, id string) {
	learn.Pages{Site: p.Site}.Task(w, r, id, true)
}

// Exam is the exam at the end of a path through the guide.
func (p *Pages) Exam(w http.ResponseWriter, r *http.Request) { learn.Pages{Site: p.Site}.Exam(w, r) }

// Progress keeps the progress in the field guide, and has what was kept.
func (p *Pages) Progress(w http.ResponseWriter, r *http.Request) {
	p.Learner.Serve(w, r, p.Session(r))
}

// Archive sends the recorded requests that match the query, as an HTTP archive (HAR).
func (p *Pages) Archive(w http.ResponseWriter, r *http.Request, slug string) {
	lab.Pages{Site: p.Site}.Archive(w, r, slug)
}

// KindSchema responds with the schema of one kind, for live pages.
func (p *Pages) KindSchema(w http.ResponseWriter, r *http.Request, slug string) {
	write.Pages{Site: p.Site}.KindSchema(w, r, slug)
}
