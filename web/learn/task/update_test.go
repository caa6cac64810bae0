package task

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/lessons/standing"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/learn/standby"
)

func response(t *testing.T, id string, status int, body any) page.Response {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return page.Response{ID: id, Status: status, Body: text}
}

func stood(revision uint64, phase standing.Phase, misses int, states ...standing.GoalState) *standing.Standing {
	s := &standing.Standing{Revision: revision, Phase: phase, Misses: make([]int, misses)}
	for _, state := range states {
		s.Goals = append(s.Goals, standing.Goal{State: state})
	}
	return s
}

func TestThePageAsksForTheNextStanding(t *testing.T) {
	p, asked := Model{About: written(), Standing: stood(3, standing.Working, 0, standing.Open)}.Awake(time.Now())
	if want := (page.Ask{ID: asking, Address: "/learn/sample/task?revision=3", Accept: MediaType}); len(asked) != 1 || asked[0] != page.Cmd(want) {
		t.Fatalf("%+v", asked)
	}
	if _, again := p.Update(page.Tick{}); len(again) > 0 {
		t.Errorf("a request is on its way, and the page sends %+v", again)
	}
	p, asked = p.Update(response(t, asking, 503, nil))
	if m := p.(Model); len(asked) > 0 || m.live.trouble == "" {
		t.Errorf("%+v %q", asked, m.live.trouble)
	}
	p, asked = p.Update(page.Tick{})
	if len(asked) != 1 {
		t.Errorf("after a failure, a tick asks again: %+v", asked)
	}
	p, asked = p.Update(response(t, asking, 200, stood(4, standing.Solved, 0, standing.Reached)))
	if want := (page.Announce{Words: "The task is solved."}); len(asked) != 1 || asked[0] != page.Cmd(want) {
		t.Errorf("%+v", asked)
	}
	if _, more := p.Update(page.Tick{}); len(more) > 0 {
		t.Errorf("a task that is solved is asked for: %+v", more)
	}
}

func TestASessionThatHasEndedIsNotAskedFor(t *testing.T) {
	p, _ := Model{About: written(), Standing: stood(1, standing.Working, 0)}.Awake(time.Now())
	p, asked := p.Update(response(t, asking, 401, nil))
	if _, more := p.Update(page.Tick{}); len(asked)+len(more) > 0 {
		t.Errorf("%+v %+v", asked, more)
	}
}

func TestWhatIsAnnounced(t *testing.T) {
	before := stood(1, standing.Working, 0, standing.Open, standing.Kept)
	for want, now := range map[string]*standing.Standing{
		"":                          stood(2, standing.Working, 0, standing.Open, standing.Kept),
		"2 of 2 goals are reached.": stood(2, standing.Working, 0, standing.Reached, standing.Kept),
		"That was a mistake. The page says which.":    stood(2, standing.Working, 1, standing.Open, standing.Kept),
		"This can’t be reached any more. Start over.": stood(2, standing.Lost, 1, standing.Open, standing.Broken),
		"The task is solved.":                         stood(2, standing.Solved, 0, standing.Reached, standing.Kept),
	} {
		if got := announced(before, now); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestThePageFollowsAClusterThatIsNotReady(t *testing.T) {
	m := Model{About: written(), Pending: true}
	m.Problem = &components.Notice{Words: "312 of 1,140 packages"}
	var p page.Page = m
	var asked []page.Cmd
	for range 2 {
		p, asked = p.Update(page.Tick{})
	}
	if len(asked) != 1 {
		t.Fatalf("%+v", asked)
	}
	p, _ = p.Update(response(t, standby.ID, 200, Model{About: written()}))
	if got := p.(Model); got.Pending || got.Problem != nil {
		t.Errorf("%+v", got)
	}
}
