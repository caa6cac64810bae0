package cases

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	titled := s.Outside()
	titled.Title, titled.Here = "Cases", "/learn/cases"
	m := Model{Frame: page.Frame{Kind: Kind, Shell: titled}, Cases: []Case{
		{ID: "stuck", Title: "The season that can’t end", Goal: "Let the deletion of <code>season</code> complete.", Minutes: 10},
		{ID: "eater", Title: "The annotation that is eaten", Goal: "Let it stay.", Minutes: 15, Only: "1.36 or newer"},
	}}
	some := m
	some.live.tasks = map[string]progress.Task{"stuck": {Solved: true}}
	return map[string]page.Page{"the cases": m, "the cases, one solved": some}
}

func TestASolvedCaseIsMarked(t *testing.T) {
	p, _ := samples("x")["the cases"].Update(page.Kept{Values: map[string]string{progress.TasksKey: `{"eater":{"solved":true}}`}})
	var b strings.Builder
	if err := page.Main(p).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	if _, after, _ := strings.Cut(b.String(), `data-case="eater"`); !strings.Contains(after, "solved") || strings.Count(b.String(), ">solved<") != 1 {
		t.Error(b.String())
	}
}
