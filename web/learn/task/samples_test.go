package task

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	text := string(s)
	m := Model{Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Path{})}, About: written()}
	m.Shell.Here = "/learn/sample/task"
	outside := m
	outside.Shell, outside.About.Reading = s.Outside(), "Tasks are done on the practice cluster."
	pending, notice := m, s.Notice()
	pending.Problem, pending.Pending = &notice, true
	as := func(phase standing.Phase, why string, states ...standing.GoalState) Model {
		of := m
		now := &standing.Standing{Revision: 3, Task: "sample", Phase: phase, Why: why, Namespace: "task-sample-abc", Vars: lesson.Vars{lesson.Namespace: "task-sample-abc", "version": text}, Writes: 7}
		for _, state := range states {
			g := standing.Goal{State: state}
			if state == standing.Open {
				g.Why = "Owners of .spec.replicas: " + text + "."
			}
			now.Goals = append(now.Goals, g)
		}
		of.Standing, of.About.Viewer = now, "practice-viewer"
		return of
	}
	working := as(standing.Working, "", standing.Open, standing.Kept, standing.Open)
	missed := as(standing.Working, "", standing.Reached, standing.Unknown, standing.Open)
	missed.Standing.Misses, missed.Standing.Goals[2].Said = []int{0}, "<p>That one lost the field.</p>"
	missed.Standing.Goals[2].Answer = text
	solved := as(standing.Solved, "", standing.Reached, standing.Kept, standing.Reached)
	solved.Standing.Goals[2].Answer = text
	sat := as(standing.Working, "", standing.Open, standing.Kept, standing.Open)
	sat.About = sat.About.InExam(2)
	return map[string]page.Page{
		"in a task, of an exam": sat,
		"a task outside":        outside,
		"in a task":             m,
		"in a task, pending":    pending,
		"in a task, prepared":   as(standing.Preparing, "", standing.Open, standing.Kept, standing.Open),
		"in a task, working":    working,
		"in a task, alive":      pagetest.Live(working),
		"in a task, missed":     missed,
		"in a task, solved":     solved,
		"in a task, lost":       as(standing.Lost, "", standing.Open, standing.Broken, standing.Open),
		"in a task, failed":     as(standing.Failed, "The namespace wasn’t created: "+text, standing.Open, standing.Kept, standing.Open),
	}
}

// written is a task with everything in it.
func written() About {
	return About{
		ID: "sample", Lesson: "A lesson", Title: "Hand it over", Minutes: 5,
		Story: "<p>Ada has a Deployment in <code>" + lesson.Placeholder(lesson.Namespace) + "</code>.</p>", Goal: "Make <code>scaler</code> the only owner.",
		Goals: []Goal{
			{Says: "<p><code>scaler</code> owns the number.</p>"},
			{Says: "<p>Fewer than three were wanted.</p>", Never: true},
			{Says: "<p>You know who wrote it.</p>", Question: "Which manager wrote the image?"},
		},
		Misses: []string{"<p>You deleted the line first.</p>"}, Hints: []string{"<p>The idea.</p>", "<p>The place.</p>", "<p>The request.</p>"},
		Solution: []lesson.Request{
			{Name: "a", Method: "PATCH", Target: "/api/v1/namespaces/{{namespace}}/configmaps/shop?fieldManager=scaler", Header: []lesson.Header{{Name: "Content-Type", Value: "application/apply-patch+yaml"}}, Body: "apiVersion: v1\nkind: ConfigMap"},
			{Name: "b", Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/configmaps/shop", As: "viewer"},
		},
		Ending: "<p>Both owned it for a moment.</p>",
	}
}
