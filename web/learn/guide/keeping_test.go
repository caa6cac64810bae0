package guide

import (
	"reflect"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

func TestProgressIsForgottenOnceThatIsMeant(t *testing.T) {
	m := keeping(t, some(), progress.Book{}.With("kinds", progress.Lesson{Done: true}))
	act := func(action string, want ...page.Cmd) {
		t.Helper()
		p, commands := m.Update(page.Acted{Action: action})
		m = p.(Model)
		if !reflect.DeepEqual(commands, want) {
			t.Errorf("%s: %v", action, commands)
		}
	}
	act(forget, page.Focus{ID: keepMine})
	if !m.live.asked.forget || !m.begun() {
		t.Error("it is forgotten at once, or the reader isn't asked")
	}
	act(keepMine, page.Focus{ID: forget})
	if m.live.asked.open() || !m.begun() {
		t.Error("it is forgotten although the reader kept it")
	}
	act(forget, page.Focus{ID: keepMine})
	act(forgetDone, page.Keep{Key: progress.Key}, page.Keep{Key: progress.TasksKey}, page.Focus{ID: "main"}, page.Announce{Words: "Progress is forgotten"})
	if m.live.asked.open() || m.begun() {
		t.Error("it is not forgotten")
	}
	act("another's")
}

// exported is the file that a page with this progress offers.
func exported(t *testing.T, m Model) []byte {
	t.Helper()
	_, commands := m.Update(page.Acted{Action: export})
	if len(commands) != 1 {
		t.Fatalf("%v", commands)
	}
	return commands[0].(page.Download).Body
}

func TestProgressGoesToAnotherBrowser(t *testing.T) {
	mine := progress.Book{Learner: "bcdfg"}.With("kinds", progress.Lesson{Done: true, Attempt: 3, Cluster: "practice", Step: "two"})
	const tasks = `{"kinds":{"solved":true,"helped":true}}`
	p, _ := some().Update(page.Kept{Values: map[string]string{progress.Key: mine.String(), progress.TasksKey: tasks}})
	file := exported(t, p.(Model))

	p, commands := keeping(t, some(), progress.Book{}).Update(page.Loaded{Field: fileField, Name: "mine.json", Size: int64(len(file)), Body: file})
	if m := p.(Model); !reflect.DeepEqual(*m.live.book, mine) || !m.live.tasks["kinds"].Solved || m.live.asked.open() {
		t.Errorf("%+v", m.live)
	}
	if got := commands[1].(page.Keep); !strings.Contains(got.Value, "helped") {
		t.Errorf("what this page doesn't know is lost: %s", got.Value)
	}

	busy := keeping(t, some(), progress.Book{Learner: "zzzzz"}.With("watch", progress.Lesson{Done: true}))
	p, commands = busy.Update(page.Loaded{Field: fileField, Name: "mine.json", Size: int64(len(file)), Body: file})
	m := p.(Model)
	if m.live.asked.from != "mine.json" || !m.standing(m.Lessons[2]).done || !reflect.DeepEqual(commands, []page.Cmd{page.Focus{ID: keepMine}}) {
		t.Errorf("progress is replaced without a question: %+v, %v", m.live.asked, commands)
	}
	p, _ = m.Update(page.Acted{Action: replace})
	if m := p.(Model); !reflect.DeepEqual(*m.live.book, mine) {
		t.Errorf("%+v", m.live.book)
	}
}

func TestOtherFilesAreRefused(t *testing.T) {
	for name, f := range map[string]struct {
		file page.Loaded
		says string
	}{
		"too large":      {page.Loaded{Size: maxFile + 1}, "larger than 32 MB"},
		"not readable":   {page.Loaded{Size: 3}, "could not read it"},
		"no JSON":        {page.Loaded{Body: []byte("kind: Pod")}, "has no progress"},
		"a recording":    {page.Loaded{Body: []byte(`{"fieldmark":"recording","version":1}`)}, "has no progress"},
		"of the future":  {page.Loaded{Body: []byte(`{"fieldmark":"progress","version":99}`)}, "A newer Fieldmark"},
		"changed":        {page.Loaded{Body: []byte(`{"fieldmark":"progress","version":1,"learn":7}`)}, "has changed this file"},
		"changed lesson": {page.Loaded{Body: []byte(`{"fieldmark":"progress","version":1,"learn":{"lessons":[]}}`)}, "has changed this file"},
	} {
		m := keeping(t, some(), progress.Book{}.With("kinds", progress.Lesson{Done: true}))
		f.file.Name = "<b>x</b>"
		p, _ := m.Update(f.file)
		if m = p.(Model); m.live.asked.refused == nil || !strings.Contains(m.live.asked.refused.Words, f.says) || !m.begun() {
			t.Errorf("%s: %+v", name, m.live.asked)
		}
	}
}
