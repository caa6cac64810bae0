// Package cases is the page of the cases of the guide: stories with evidence, in which something is wrong in a cluster.
package cases

import (
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "cases"

// Model is the page's state.
type Model struct {
	page.Frame

	Cases []Case `json:"cases"`

	live live
}

// live is the state that only the browser has.
type live struct {
	tasks map[string]progress.Task // also cases
}

// Case is a case as the page needs it.
type Case struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Goal    string `json:"goal"` // HTML, with variables
	Minutes int    `json:"minutes"`
	Only    string `json:"only,omitempty"` // the versions of Kubernetes that it needs, in words; empty: all
}

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Small: page.Text(words.Count(int64(len(m.Cases)), "case", "cases")), Lead: lead()}
}

// Keeps implements page.Keeper.
func (Model) Keeps() []string { return []string{progress.TasksKey} }

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Kept:
		m.live.tasks = progress.ReadTasks(msg.Values[progress.TasksKey])
	case page.Addressed:
		return m, []page.Cmd{page.Reload{}}
	}
	return m, nil
}
