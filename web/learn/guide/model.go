// Package guide is the field guide as a whole: the map of its lessons. The lessons themselves are package web/learn/lesson.
package guide

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
	"github.com/fieldmark/fieldmark/web/learn/standby"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the map in the embedded model.
const Kind = "guide"

// PathField is the parameter with the path through the guide that the map shows.
const PathField = "path"

// Lesson is a lesson as the map needs it.
type Lesson struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Summary string   `json:"summary"`
	Minutes int      `json:"minutes"`
	Paths   []string `json:"paths,omitempty"`
	After   []string `json:"after,omitempty"` // the lessons that it builds on
	Steps   []string `json:"steps,omitempty"` // their ids
	Task    string   `json:"task,omitempty"`  // title of its task; empty: it has none
}

// Model is the map's state.
type Model struct {
	page.Frame
	Lessons  []Lesson  `json:"lessons"`            // in the order of the guide
	Chapters []Chapter `json:"chapters"`           // the lessons are in their order
	Path     string    `json:"path,omitempty"`     // empty: all lessons
	Cluster  string    `json:"cluster,omitempty"`  // the slug that lessons are opened with; empty: their own choice
	Practice bool      `json:"practice,omitempty"` // there is a practice cluster
	Terms    int       `json:"terms"`              // of the glossary
	// Waiting says why the practice cluster isn't ready; nil: it is, or there is none. Pending tells that it will be ready by itself.
	Waiting *components.Notice `json:"waiting,omitempty"`
	Pending bool               `json:"pending,omitempty"`
	Chart   Chart              `json:"chart"`

	live live
}

// live is the state that only the browser has.
type live struct {
	book   *progress.Book // nil: the browser's storage has not been read yet
	tasks  map[string]progress.Task
	values map[string]string // as the browser keeps them
	asked  asked             // what the page asks about the progress
	at     string            // the lesson with the focus, for the keys
	wait   standby.Wait      // for the practice cluster
}

// ParsePath reads the path through the guide from the address; empty: all lessons, or an unknown path.
func ParsePath(q url.Values) string {
	path := q.Get(PathField)
	if !slices.ContainsFunc(tracks, func(t track) bool { return t.id == path }) {
		return ""
	}
	return path
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	size := fmt.Sprintf("%s, %s", words.Count(int64(len(m.Lessons)), "lesson", "lessons"), duration(minutes(m.Lessons)))
	return page.Head{Small: page.Text(size), Lead: lead(m), Below: components.Tabs("Paths through the guide", m.tabs())}
}

// pathAddress is the address of the map for a path through the guide.
func (m Model) pathAddress(path string) string {
	return web.WithQuery(web.Learn, url.Values{PathField: {path}, web.ClusterField: {m.Cluster}})
}

// lessonAddress is the address of a lesson.
func (m Model) lessonAddress(id string) string {
	return web.WithQuery(web.Lesson(id), url.Values{web.ClusterField: {m.Cluster}})
}

// taskAddress is the address of the task of a lesson.
func (m Model) taskAddress(id string) string {
	return web.WithQuery(web.Task(id), url.Values{web.ClusterField: {m.Cluster}})
}

// lesson finds a lesson by its id.
func (m Model) lesson(id string) (Lesson, bool) {
	i := slices.IndexFunc(m.Lessons, func(l Lesson) bool { return l.ID == id })
	if i < 0 {
		return Lesson{}, false
	}
	return m.Lessons[i], true
}

// chosen are the lessons of the path that is shown.
func (m Model) chosen() []Lesson { return m.on(m.Path) }

func (m Model) on(path string) []Lesson {
	var all []Lesson
	for _, l := range m.Lessons {
		if (Model{Path: path}).lit(l) {
			all = append(all, l)
		}
	}
	return all
}
