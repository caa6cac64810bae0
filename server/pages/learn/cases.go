package learn

import (
	"net/http"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/cases"
)

// Cases are all cases of the guide.
func (p Pages) Cases(w http.ResponseWriter, r *http.Request) {
	m := cases.Model{Frame: page.Frame{Kind: cases.Kind, Shell: p.Shell(r, "Cases")}}
	for _, c := range p.Guide().Cases {
		of := cases.Case{ID: c.ID, Title: c.Title, Goal: c.Goal, Minutes: c.Minutes}
		if !c.Range.IsZero() {
			of.Only = c.Range.Words()
		}
		m.Cases = append(m.Cases, of)
	}
	p.Render(w, r, http.StatusOK, m)
}
