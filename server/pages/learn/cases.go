package learn

import (
	"net/http"

	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/cases"
)

// Cases are all cases of the guide.
func (p Pages) Cases(w http.ResponseWriter, r *http.Request) {
	p.Render(w, r, http.StatusOK, cases.Model{Frame: page.Frame{Kind: cases.Kind, Shell: p.Shell(r, "Cases")}, Cases: casesOf(p.Guide())})
}

func casesOf(all lessons.Guide) (out []cases.Case) {
	for _, c := range all.Cases {
		of := cases.Case{ID: c.ID, Title: c.Title, Goal: c.Goal, Minutes: c.Minutes}
		if !c.Range.IsZero() {
			of.Only = c.Range.Words()
		}
		out = append(out, of)
	}
	return out
}
