// Package handout is the guide on paper, for teachers: the takeaways and pictures of all lessons, one page a chapter.
package handout

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "handout"

// Model is the page's state.
type Model struct {
	page.Frame

	Path     string    `json:"path,omitempty"` // empty: the whole guide
	Chapters []Chapter `json:"chapters"`       // with lessons of the path only
}

// Chapter is a chapter with its lessons.
type Chapter struct {
	Title   string   `json:"title"`
	About   string   `json:"about"`
	Lessons []Lesson `json:"lessons"`
}

// Lesson is what is kept of a lesson.
type Lesson struct {
	ID        string            `json:"id"`
	Title     string            `json:"title"`
	Takeaways []lesson.Takeaway `json:"takeaways,omitempty"`
	Pictures  []string          `json:"pictures,omitempty"` // HTML
}

// Pictures are the pictures in the texts of a lesson.
func Pictures(l lesson.Lesson) []string {
	texts := []string{l.Intro}
	for _, s := range l.Steps {
		for _, b := range s.Blocks {
			texts = append(texts, b.HTML)
		}
	}
	var all []string
	for _, text := range texts {
		for {
			_, after, found := strings.Cut(text, opens)
			if !found {
				break
			}
			drawing, rest, _ := strings.Cut(after, closes)
			all, text = append(all, opens+drawing+closes), rest
		}
	}
	return all
}

// How a picture begins and ends in a text.
const (
	opens  = `<figure class="picture"`
	closes = `</figure>`
)

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	n := 0
	for _, c := range m.Chapters {
		n += len(c.Lessons)
	}
	size := fmt.Sprintf("%s: %s", guide.PathTitle(m.Path), words.Count(int64(n), "lesson", "lessons"))
	return page.Head{Small: page.Text(size), Lead: lead(), Below: components.Tabs("Paths through the guide", m.tabs())}
}

// tabs are the paths to choose from.
func (m Model) tabs() []components.Link {
	return guide.PathTabs(m.Path, func(path string) string { return web.WithQuery(web.Print, url.Values{guide.PathField: {path}}) })
}

// fill puts names in the place of variables.
func fill(text string) templ.Component {
	return templ.Raw(lesson.Tooled(lesson.Vars{}.Fill(text), func(string) string { return web.Learn }))
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	if _, is := msg.(page.Addressed); is {
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}
