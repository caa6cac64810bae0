package exam

import (
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/standby"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	m := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, Path: "operators", Tasks: 10}
	m.Shell.Here, m.Shell.Title = "/learn/exam", "Exam"
	outside := m
	outside.Shell, outside.Reading = s.Outside(), "Tasks are done on the practice cluster."
	pending, notice := m, s.Notice()
	pending.Problem, pending.Pending = &notice, true
	at := func(at int, solved ...bool) Model {
		of := m
		of.Sitting = &Sitting{Path: "operators", At: at}
		for i, so := range solved {
			of.Sitting.Tasks = append(of.Sitting.Tasks, Task{ID: "task-" + string(rune('a'+i)), Title: "Hand it over", Lesson: "Handing over", Able: "You'll be able to hand a field over.", Solved: so})
		}
		return of
	}
	return map[string]page.Page{
		"an exam outside":          outside,
		"in an exam, unbegun":      m,
		"in an exam, pending":      pending,
		"in an exam, at a task":    at(1, false, false, false),
		"in an exam, solved":       at(1, true, true, false),
		"in an exam, at the last":  at(2, true, false, true),
		"in an exam, over":         at(3, true, false, true),
		"in an exam, over in vain": at(3, false, false, false),
		"in an exam, alive":        pagetest.Live(at(0, false, false)),
	}
}

func view(t *testing.T, m page.Page) string {
	t.Helper()
	var b strings.Builder
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Later tasks are unknown until they are there.
func TestAnExamShowsNoLaterTask(t *testing.T) {
	m := samples("x")["in an exam, at a task"].(Model)
	m.Sitting.Tasks[2].Title = "The last one"
	if html := view(t, m); strings.Contains(html, "The last one") || !strings.Contains(html, "Task 3") {
		t.Error("a later task is shown")
	}
}

func TestTheResultSaysWhatOneCanDo(t *testing.T) {
	html := view(t, samples("x")["in an exam, over"])
	for _, want := range []string{"2 of 3 tasks solved", "You can hand a field over.", "What to practise", "/learn/task-b"} {
		if !strings.Contains(html, want) {
			t.Errorf("it doesn’t say %q", want)
		}
	}
}

// The task is solved on another page, and this one hears of it.
func TestTheExamIsFollowed(t *testing.T) {
	var p page.Page = samples("x")["in an exam, at a task"].(Model)
	p, _ = p.Awake(time.Now())
	asked := 0
	for range 4 {
		var cmds []page.Cmd
		p, cmds = p.Update(page.Tick{})
		for _, c := range cmds {
			if a, is := c.(page.Ask); is && a.Address == "/learn/exam?path=operators" && a.ID == standby.ID {
				asked++
			}
		}
	}
	if asked != 2 {
		t.Errorf("it asked %d times", asked)
	}
	if over, cmds := samples("x")["in an exam, over"].Update(page.Tick{}); len(cmds) > 0 {
		t.Errorf("an exam that is over is followed: %v, %v", over, cmds)
	}
}
