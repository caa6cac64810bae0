// Package exam is the page of the exam at the end of a path through the guide: tasks in a mixed order, without help. The server keeps it; this page shows how
// it stands, and at the end what the learner can do.
package exam

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/guide"
	"github.com/fieldmark/fieldmark/web/learn/standby"
	"github.com/fieldmark/fieldmark/words"
)

// Kind names the page in the embedded model.
const Kind = "exam"

// Fields of the page's forms, and the values of FieldAct.
const (
	FieldAct = "act"
	FieldAt  = "at" // the place of the task that is left
	Begin    = "begin"
	GoOn     = "go-on"
	End      = "end"
)

// Model is the page's state.
type Model struct {
	page.Frame

	Path    string   `json:"path,omitempty"` // of the address; empty: the whole guide
	Tasks   int      `json:"tasks"`          // how many an exam of the path has
	Sitting *Sitting `json:"sitting,omitempty"`
	Reading string   `json:"reading,omitempty"` // why no exam can begin here; empty: one can
	// Pending tells that the cluster will be ready without any action.
	Pending bool `json:"pending,omitempty"`

	live live
}

// Sitting is the exam of the session.
type Sitting struct {
	Path  string `json:"path,omitempty"`
	Tasks []Task `json:"tasks"`
	At    int    `json:"at"` // the place of the task that is to be done; len(Tasks): it is over
}

// Task is a task of an exam.
type Task struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Lesson string `json:"lesson"` // title of the lesson that it practises
	Able   string `json:"able"`   // what somebody can do who has done the lesson: “You'll be able to …”
	Solved bool   `json:"solved,omitempty"`
}

type live struct{ wait standby.Wait }

// Content implements page.Page.
func (m Model) Content() templ.Component { return content(m) }

// Head implements page.Headed.
func (m Model) Head() page.Head {
	return page.Head{Small: page.Text(guide.PathTitle(m.path())), Lead: lead()}
}

// path is the path that the page is about: that of the exam, as long as there is one.
func (m Model) path() string {
	if m.Sitting != nil {
		return m.Sitting.Path
	}
	return m.Path
}

func (m Model) here() string { return web.WithQuery(web.Exam, url.Values{guide.PathField: {m.Path}}) }

// runs tells whether a task is to be done.
func (m Model) runs() bool { return m.Sitting != nil && m.Sitting.At < len(m.Sitting.Tasks) }

// solved are the tasks that were solved, or those that weren't.
func (m Model) solved(so bool) []Task {
	var all []Task
	for _, t := range m.Sitting.Tasks {
		if t.Solved == so {
			all = append(all, t)
		}
	}
	return all
}

// can says what somebody can do who has solved a task.
func (t Task) can() string {
	return "You can " + strings.TrimPrefix(t.Able, "You'll be able to ")
}

// result says in a few words how the exam ended.
func (m Model) result() string {
	return strconv.Itoa(len(m.solved(true))) + " of " + words.Count(int64(len(m.Sitting.Tasks)), "task", "tasks") + " solved"
}

// mark is how a task of the exam stands, with its tone.
func (m Model) mark(at int) (string, components.Tone) {
	switch t := m.Sitting.Tasks[at]; {
	case t.Solved:
		return "solved", components.Good
	case at == m.Sitting.At:
		return "now", components.Busy
	case at < m.Sitting.At:
		return "left", components.Warn
	}
	return "later", components.Calm
}

// Awake implements page.Page.
func (m Model) Awake(time.Time) (page.Page, []page.Cmd) { return m, nil }

// Update implements page.Page.
func (m Model) Update(msg page.Msg) (page.Page, []page.Cmd) {
	switch msg := msg.(type) {
	case page.Addressed:
		return m, []page.Cmd{page.Reload{}}
	case page.Tick:
		if m.Pending || m.runs() {
			return m, m.live.wait.Tick(m.here())
		}
	case page.Response:
		if now, ok := standby.Read[Model](msg); ok {
			return m.told(now)
		}
	}
	return m, nil
}

// told takes in how the exam stands now.
func (m Model) told(now Model) (page.Page, []page.Cmd) {
	was := m
	m.Frame, m.Sitting, m.Reading, m.Pending = now.Frame, now.Sitting, now.Reading, now.Pending
	if m.Sitting != nil && was.Sitting != nil && len(m.solved(true)) > len(was.solved(true)) {
		return m, []page.Cmd{page.Announce{Words: "The task is solved."}}
	}
	return m, nil
}

// onward is the label of the button that leaves the task.
func (m Model) onward() string {
	last := m.Sitting.At == len(m.Sitting.Tasks)-1
	switch solved := m.Sitting.Tasks[m.Sitting.At].Solved; {
	case solved && last:
		return "See the result"
	case solved:
		return "Next task"
	case last:
		return "Leave this task, and see the result"
	}
	return "Leave this task"
}

// tone is that of the result.
func (m Model) tone() components.Tone {
	if len(m.solved(true)) == 0 {
		return components.Calm
	}
	return components.Good
}
