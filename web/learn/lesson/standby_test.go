package lesson

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/lesson/predict"
	"github.com/fieldmark/fieldmark/web/learn/standby"
)

// TestALessonFollowsAClusterThatIsCompiled: nothing that the learner has begun gets lost.
func TestALessonFollowsAClusterThatIsCompiled(t *testing.T) {
	up := practice(t)
	m := up
	up.Version, up.Lesson.Title = 35, "As on 1.35"
	m.Shell.Catalog, m.Pending, m.Problem = discovery.Catalog{}, true, &components.Notice{Words: "312 of 1,140 packages"}
	hear := func(p page.Page, status int, model Model) Model {
		t.Helper()
		body, err := json.Marshal(model)
		if err != nil {
			t.Fatal(err)
		}
		p, _ = p.Update(page.Response{ID: standby.ID, Status: status, Body: body})
		return p.(Model)
	}
	var p page.Page
	p, _ = m.Awake(began)
	p, _ = p.Update(page.Kept{})
	p, _ = p.Update(page.Pressed{Key: "j"})
	m = p.(Model)
	at := block{0, 1}
	m.live.guesses[at] = predict.Guess{Choice: 1}
	var asked []page.Cmd
	for range 2 {
		p, asked = p.Update(page.Tick{Now: began})
	}
	if want := []page.Cmd{page.Ask{ID: standby.ID, Address: m.placeAddress(0), Accept: page.MediaType}}; !slices.Equal(asked, want) {
		t.Errorf("it asks %v", asked)
	}

	further := m
	further.Problem = &components.Notice{Words: "700 of 1,140 packages"}
	if m = hear(p, 200, further); m.Problem.Words != further.Problem.Words || m.live.phase != reading || m.currentPlace() != 0 {
		t.Errorf("on the way: %+v, %s at %d", m.Problem, m.live.phase, m.currentPlace())
	}
	if m = hear(m, 401, up); m.Problem == nil {
		t.Error("a refusal is taken for the cluster")
	}
	m = hear(m, 200, up)
	if m.Version != 35 || m.Lesson.Title != up.Lesson.Title {
		t.Errorf("ready: the lesson is %q, for %s", m.Lesson.Title, m.Version)
	}
	if m.Problem != nil || m.Pending || !m.writable() || m.live.phase != unbegun || m.currentPlace() != 0 || m.live.guesses[at].Choice != 1 {
		t.Errorf("ready: %+v, %s at %d, %v", m.Problem, m.live.phase, m.currentPlace(), m.live.guesses)
	}
	if ns := m.live.vars[lesson.Namespace]; ns == "default" {
		t.Errorf("the learner's namespace is %q", ns)
	}
	if _, asked = m.Update(page.Tick{Now: began}); slices.ContainsFunc(asked, func(c page.Cmd) bool { _, is := c.(page.Ask); return is }) {
		t.Errorf("it still asks: %v", asked)
	}
}
