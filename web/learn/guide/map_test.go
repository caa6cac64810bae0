package guide

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/progress"
)

// some is a small guide.
func some() Model {
	return Model{Chapters: []Chapter{
		{Title: "Types", Lessons: []string{"kinds", "paths"}}, {Title: "Watches", Lessons: []string{"watch"}}, {Title: "Owners", Lessons: []string{"fields"}},
	}, Lessons: []Lesson{
		{ID: "kinds", Title: "Kinds", Minutes: 5, Paths: []string{"beginners"}, Steps: []string{"a", "b"}},
		{ID: "paths", Title: "Paths", Minutes: 10, Paths: []string{"beginners", "operators"}, After: []string{"kinds"}, Steps: []string{"a", "b", "c"}},
		{ID: "watch", Title: "Watch", Minutes: 10, Paths: []string{"operators"}, After: []string{"paths", "gone"}, Steps: []string{"a"}},
		{ID: "fields", Title: "Fields", Minutes: 8, Steps: []string{"a"}},
	}}
}

// keeping is the map in a browser that has kept something.
func keeping(t *testing.T, m Model, b progress.Book) Model {
	t.Helper()
	p, _ := m.Awake(time.Time{})
	p, commands := p.Update(page.Kept{Values: map[string]string{progress.Key: b.String()}})
	if len(commands) > 0 {
		t.Errorf("what was kept does %v", commands)
	}
	return p.(Model)
}

func ids(lessons []Lesson) string {
	var all []string
	for _, l := range lessons {
		all = append(all, l.ID)
	}
	return strings.Join(all, " ")
}

func TestPaths(t *testing.T) {
	for path, want := range map[string]string{"": "kinds paths watch fields", "beginners": "kinds paths", "operators": "paths watch", "controller-authors": ""} {
		m := some()
		m.Path = path
		if got := ids(m.chosen()); got != want {
			t.Errorf("%q: %s", path, got)
		}
		if got := ParsePath(url.Values{PathField: {path}}); got != path {
			t.Errorf("%q is read as %q", path, got)
		}
		current := slices.IndexFunc(tracks, func(t track) bool { return t.id == path })
		for i, tab := range m.tabs() {
			if tab.Current != (i == current) {
				t.Errorf("%q: %+v", path, tab)
			}
		}
	}
	if got := ParsePath(url.Values{PathField: {"nowhere"}}); got != "" {
		t.Errorf("a path that there is not is read as %q", got)
	}
}

func TestAPathIsChosenWithoutAskingAnyone(t *testing.T) {
	m := some()
	m.Cluster, m.live.asked = "other", asked{forget: true}
	p, commands := m.Update(page.Addressed{Query: url.Values{PathField: {"operators"}}})
	m = p.(Model)
	want := []page.Cmd{page.Remember{Address: "/learn?cluster=other&path=operators"}, page.Announce{Words: "Operators: 2 lessons"}}
	if ids(m.chosen()) != "paths watch" || m.live.asked.open() || !slices.Equal(commands, want) {
		t.Errorf("%s, %v", ids(m.chosen()), commands)
	}
	if got := m.lessonAddress("watch"); got != "/learn/watch?cluster=other" {
		t.Errorf("a lesson is opened at %s", got)
	}
}

func TestChapters(t *testing.T) {
	for path, want := range map[string][]string{
		"":          {"1 Types: kinds paths", "2 Watches: watch", "3 Owners: fields"},
		"operators": {"1 Types: paths", "2 Watches: watch"},
	} {
		m := some()
		m.Path = path
		var got []string
		for _, p := range m.parts() {
			got = append(got, fmt.Sprintf("%d %s: %s", p.number, p.Title, ids(p.lessons)))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", path, got)
		}
	}
}

func TestHowFarOneIs(t *testing.T) {
	under := progress.Lesson{Cluster: "practice", Step: "b"}
	again := progress.Lesson{Done: true, Cluster: "practice", Step: "gone"}
	done := progress.Lesson{Done: true}
	for what, c := range map[string]struct {
		lessons map[string]progress.Lesson
		path    string
		begun   bool
		under   string
		next    string
		words   string
	}{
		"nothing":            {nil, "", false, "", "kinds", "Done: 0 of 4 lessons. Time left: 33 minutes."},
		"the first is done":  {map[string]progress.Lesson{"kinds": done}, "", true, "", "paths", "Done: 1 of 4 lessons. Time left: 28 minutes."},
		"one is under way":   {map[string]progress.Lesson{"paths": under}, "", true, "paths", "kinds", "Done: 0 of 4 lessons. Started: 1. Time left: 33 minutes."},
		"what it builds on":  {map[string]progress.Lesson{"kinds": under}, "operators", true, "kinds", "paths", "Done: 0 of 2 lessons. Time left: 20 minutes."},
		"free ones first":    {map[string]progress.Lesson{"kinds": under}, "", true, "kinds", "fields", "Done: 0 of 4 lessons. Started: 1. Time left: 33 minutes."},
		"done and again":     {map[string]progress.Lesson{"kinds": again, "paths": done, "watch": done, "fields": done}, "", true, "kinds", "", "You have done all lessons of this path."},
		"done on this path":  {map[string]progress.Lesson{"paths": done, "watch": done}, "operators", true, "", "", "You have done all lessons of this path."},
		"only elsewhere":     {map[string]progress.Lesson{"fields": under}, "beginners", true, "fields", "kinds", "Done: 0 of 2 lessons. Time left: 15 minutes."},
		"of no such lesson":  {map[string]progress.Lesson{"nowhere": under}, "", false, "", "kinds", "Done: 0 of 4 lessons. Time left: 33 minutes."},
		"opened, and left":   {map[string]progress.Lesson{"kinds": {Attempt: 1}}, "", false, "", "kinds", "Done: 0 of 4 lessons. Time left: 33 minutes."},
		"a path without any": {nil, "controller-authors", false, "", "", "Done: 0 of 0 lessons. Time left: 0 minutes."},
	} {
		m := some()
		m.Path = c.path
		m = keeping(t, m, progress.Book{Learner: "x", Lessons: c.lessons})
		next, _ := m.nextLesson()
		if m.begun() != c.begun || ids(m.underway()) != c.under || next.ID != c.next || m.tally().summaryText() != c.words {
			t.Errorf("%s: begun %v, under way %q, next %q, %q", what, m.begun(), ids(m.underway()), next.ID, m.tally().summaryText())
		}
	}
}

func TestStandings(t *testing.T) {
	l := some().Lessons[1]
	for _, c := range []struct {
		kept         progress.Lesson
		state, words string
	}{
		{progress.Lesson{}, "new", ""},
		{progress.Lesson{Done: true, Attempt: 2}, "done", "done"},
		{progress.Lesson{Cluster: "practice", Step: "b"}, "under", "step 2 of 3"},
		{progress.Lesson{Cluster: "practice", Step: "renamed since"}, "under", "step 1 of 3"},
		{progress.Lesson{Cluster: "practice", Step: "c", Done: true}, "under", "done before, now at step 3 of 3"},
	} {
		s := keeping(t, some(), progress.Book{}.With(l.ID, c.kept)).standing(l)
		if s.state() != c.state || s.progressText() != c.words {
			t.Errorf("%+v: %s, %q", c.kept, s.state(), s.progressText())
		}
	}
	if s := some().standing(l); s.state() != "new" {
		t.Errorf("before anything is known it is %s", s.state())
	}
}

func TestTasksThatAreSolved(t *testing.T) {
	for text, want := range map[string]struct {
		kinds, words string
		begun        bool
	}{
		"":                          {"", "Done: 0 of 4 lessons. Time left: 33 minutes.", false},
		"[]":                        {"", "Done: 0 of 4 lessons. Time left: 33 minutes.", false},
		`{"kinds":{"helped":true}}`: {"", "Done: 0 of 4 lessons. Time left: 33 minutes.", true},
		`{"kinds":{"solved":true}}`: {"solved", "Done: 0 of 4 lessons. Time left: 33 minutes. Solved: 1 of 2 tasks.", true},
		`{"kinds":{"solved":true,"alone":true},"watch":{"solved":true}}`: {"solved without a hint", "Done: 0 of 4 lessons. Time left: 33 minutes. Solved: 2 of 2 tasks.", true},
		`{"nowhere":{"solved":true}}`:                                    {"", "Done: 0 of 4 lessons. Time left: 33 minutes.", true},
	} {
		m := some()
		m.Lessons[0].Task, m.Lessons[2].Task = "Find a kind", "Miss nothing"
		p, _ := m.Update(page.Kept{Values: map[string]string{progress.TasksKey: text}})
		m = p.(Model)
		if got := m.taskText(m.Lessons[0]); got != want.kinds || m.tally().summaryText() != want.words || m.begun() != want.begun {
			t.Errorf("%s: %q, %q, %t", text, got, m.tally().summaryText(), m.begun())
		}
	}
}

func TestDurations(t *testing.T) {
	for minutes, want := range map[int]string{
		0: "0 minutes", 1: "1 minute", 44: "44 minutes", 59: "59 minutes", 60: "about an hour", 74: "about an hour", 75: "about 1½ hours", 104: "about 1½ hours", 105: "about 2 hours", 270: "about 4½ hours",
	} {
		if got := duration(minutes); got != want {
			t.Errorf("%d: %s", minutes, got)
		}
	}
}
