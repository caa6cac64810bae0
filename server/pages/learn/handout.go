package learn

import (
	"net/http"
	"slices"

	"github.com/fieldmark/fieldmark/lessons"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/learn/handout"
)

// Handout is the guide on paper: what to keep of each lesson.
func (p Pages) Handout(w http.ResponseWriter, r *http.Request) {
	all := p.Guide()
	m := handout.Model{Frame: page.Frame{Kind: handout.Kind, Shell: p.Shell(r, web.OfKind(handout.Kind).Title)}, Path: guide.ParsePath(r.URL.Query())}
	m.Chapters = kept(all, m.Path)
	p.Render(w, r, http.StatusOK, m)
}

// kept is what to keep of each lesson of a path.
func kept(all lessons.Guide, path string) (chapters []handout.Chapter) {
	for _, c := range all.Chapters {
		of := handout.Chapter{Title: c.Title, About: c.About}
		for _, id := range c.Lessons {
			if l, ok := all.Lesson(id); ok && (path == "" || slices.Contains(l.Paths, path)) {
				of.Lessons = append(of.Lessons, handout.Lesson{ID: l.ID, Title: l.Title, Takeaways: l.Takeaways, Pictures: handout.Pictures(l)})
			}
		}
		if len(of.Lessons) > 0 {
			chapters = append(chapters, of)
		}
	}
	return chapters
}
