package guide

import (
	"fmt"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// What the buttons for the progress do, and their ids.
const (
	forget     = "forget"
	forgetDone = "forget-now"
	export     = "export"
	replace    = "replace"
	keepMine   = "keep-progress"
	fileField  = "progress"
)

// maxFile bounds a file of progress, in bytes.
const maxFile = 32 << 20

// fileName is that of an exported file.
const fileName = "fieldmark-progress.json"

// asked is what the page asks its reader about the progress.
type asked struct {
	forget  bool
	from    string // the name of the file whose progress is to replace this one; empty: none is
	book    string // its values
	tasks   string
	refused *components.Notice // why a file wasn't imported
}

// open tells whether there is a question.
func (a asked) open() bool { return a.forget || a.from != "" }

// take takes over the values that the browser keeps.
func (m *Model) take(values map[string]string) {
	book := progress.Read(values[progress.Key])
	m.live.book, m.live.tasks, m.live.values = &book, progress.ReadTasks(values[progress.TasksKey]), values
}

// keep changes the values that the browser keeps.
func (m *Model) keep(book, tasks, said string) []page.Cmd {
	m.live.asked = asked{}
	m.take(map[string]string{progress.Key: book, progress.TasksKey: tasks})
	return []page.Cmd{page.Keep{Key: progress.Key, Value: book}, page.Keep{Key: progress.TasksKey, Value: tasks}, page.Focus{ID: "main"}, page.Announce{Words: said}}
}

func (m *Model) handleAction(action string) []page.Cmd {
	a := &m.live.asked
	switch action {
	case forget:
		*a = asked{forget: true}
		return []page.Cmd{page.Focus{ID: keepMine}}
	case keepMine:
		*a = asked{}
		return []page.Cmd{page.Focus{ID: forget}}
	case forgetDone:
		return m.keep("", "", "Progress is forgotten")
	case replace:
		return m.keep(a.book, a.tasks, "Progress is imported")
	case export:
		body := progress.Export(m.live.values[progress.Key], m.live.values[progress.TasksKey])
		return []page.Cmd{page.Download{Name: fileName, MediaType: "application/json", Body: body}}
	}
	return nil
}

// loaded imports a file, or asks first if the reader has progress already.
func (m *Model) loaded(f page.Loaded) []page.Cmd {
	var book, tasks, why string
	switch {
	case f.Size > maxFile:
		why = fmt.Sprintf("It is larger than %d MB.", maxFile>>20)
	case f.Body == nil:
		why = "The browser could not read it."
	default:
		book, tasks, why = progress.Import(f.Body)
	}
	switch {
	case why != "":
		m.live.asked = asked{refused: &components.Notice{Tone: components.Warn, Title: components.Visible(f.Name) + " was not imported", Words: why}}
		return []page.Cmd{page.Announce{Words: "The file was not imported"}}
	case m.begun():
		m.live.asked = asked{from: f.Name, book: book, tasks: tasks}
		return []page.Cmd{page.Focus{ID: keepMine}}
	}
	return m.keep(book, tasks, "Progress is imported")
}

// home says where the progress is kept.
func (m Model) home() string {
	if m.Shell.Progress != "" {
		return "Fieldmark keeps your progress on this machine."
	}
	return "Your progress is stored only in this browser."
}

// forgets says what is forgotten, and by whom.
func (m Model) forgets() string {
	who := "This browser forgets"
	if m.Shell.Progress != "" {
		who = "Fieldmark forgets"
	}
	return who + " which lessons you have done, your place in the others, and which tasks you have solved. Objects that lessons created in a cluster stay there."
}
