package learn

import (
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/learn/handout"
)

// Handout is the guide on paper: what to keep of each lesson.
func (p Pages) Handout(w http.ResponseWriter, r *http.Request) {
	all := p.Guide()
	m := handout.Model{Frame: page.Frame{Kind: handout.Kind, Shell: p.Shell(r, web.OfKind(handout.Kind).Title)}, Path: guide.ParsePath(r.URL.Query())}
	for _, c := range all.Chapters {
		of := handout.Chapter{Title: c.Title, About: c.About}
		for _, id := range c.Lessons {
			if l, ok := all.Lesson(id); ok && (m.Path == "" || slices.Contains(l.Paths, m.Path)) {
				of.Lessons = append(of.Lessons, handout.Lesson{ID: l.ID, Title: l.Title, Takeaways: l.Takeaways, Pictures: handout.Pictures(l)})
			}
		}
		if len(of.Lessons) > 0 {
			m.Chapters = append(m.Chapters, of)
		}
	}
	p.Render(w, r, http.StatusOK, m)
}
