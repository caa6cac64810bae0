package contention

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func model(phase report.Phase) Model {
	return Model{Frame: page.Frame{Shell: shell.Model{Cluster: shell.Cluster{Slug: "practice"}}}, Run: &report.Run{Phase: phase, Lasts: time.Minute, Left: 30 * time.Second}}
}

func send(m Model, messages ...page.Msg) (Model, []page.Cmd) {
	var p page.Page = m
	var last []page.Cmd
	p, _ = p.Awake(time.Time{})
	for _, msg := range messages {
		p, last = p.Update(msg)
	}
	return p.(Model), last
}

func answer(r report.Run) page.Response {
	body, _ := json.Marshal(r)
	return page.Response{ID: asking, Status: 200, Body: body}
}

func TestAScanThatRunsIsAskedForEverySecondAndNeverTwice(t *testing.T) {
	want := []page.Cmd{page.Ask{ID: asking, Address: "/c/practice/-/contention", Accept: MediaType}}
	m, got := send(model(report.Watching), page.Tick{})
	if !reflect.DeepEqual(got, want) {
		t.Errorf("asks %+v", got)
	}
	if _, got = send(model(report.Watching), page.Tick{}, page.Tick{}); got != nil {
		t.Errorf("asks again: %+v", got)
	}
	if _, got = m.Update(page.Tick{}); got != nil {
		t.Errorf("asks again: %+v", got)
	}
	if _, got = send(model(report.Watching), page.Tick{}, page.Response{ID: asking}, page.Tick{}); !reflect.DeepEqual(got, want) {
		t.Errorf("does not try again: %+v", got)
	}
	for _, over := range []Model{model(report.Done), {}} {
		if _, got = send(over, page.Tick{}); got != nil {
			t.Errorf("asks for what is over: %+v", got)
		}
	}
}

func TestTheEndOfAScanIsAnnouncedOnce(t *testing.T) {
	over := report.Run{Phase: report.Done, Report: report.Report{Fights: report.Part[report.Fight]{All: 2}}}
	m, got := send(model(report.Watching), page.Tick{}, answer(over))
	if !reflect.DeepEqual(got, []page.Cmd{page.Announce{Words: "The scan has ended. Fields that go back and forth: 2."}}) || m.runs() {
		t.Errorf("%+v", got)
	}
	if _, got = send(m, answer(over)); got != nil {
		t.Errorf("again: %+v", got)
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	for status, want := range map[int]string{0: "doesn’t respond", 401: "signed out", 500: "doesn’t respond"} {
		m, _ := send(model(report.Watching), page.Tick{}, page.Response{ID: asking, Status: status, Body: []byte("{}")})
		if words := m.liveness().Words; !strings.Contains(words, want) {
			t.Errorf("%d: %s", status, words)
		}
		m, _ = send(m, answer(*m.Run))
		if words := m.liveness().Words; words != "watching, 0:30 left" {
			t.Errorf("after %d: %s", status, words)
		}
	}
	m, _ := send(model(report.Watching), page.Tick{}, page.Response{ID: asking, Status: 200, Body: []byte("null")})
	if m.Run != nil {
		t.Error("a scan that is forgotten is shown")
	}
}

func TestRowsDoNotMoveUnderThePointer(t *testing.T) {
	found := func(objects int) report.Run {
		r := *model(report.Watching).Run
		r.Report.Objects, r.Left = objects, time.Duration(objects)*time.Second
		return r
	}
	m, _ := send(model(report.Watching), answer(found(1)), page.Pointed{Over: true}, answer(found(2)), answer(found(3)))
	if m.Run.Report.Objects != 1 || m.Run.Left != 3*time.Second {
		t.Errorf("%+v", m.Run)
	}
	m, _ = send(m, page.Pointed{Over: true}, page.Pointed{Over: false})
	if m.Run.Report.Objects != 3 {
		t.Errorf("%+v", m.Run)
	}
}

func TestLengthsInWords(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0:00", 59 * time.Second: "0:59", 61 * time.Second: "1:01", 15 * time.Minute: "15:00"} {
		if got := clock(d); got != want {
			t.Errorf("%s is %s", d, got)
		}
	}
	if percent(1, 3) != "33 %" || percent(1, 0) != "–" || length(30) != "30 seconds" || length(60) != "1 minute" || every(0) != "–" {
		t.Error(percent(1, 3), percent(1, 0), length(30), length(60), every(0))
	}
}

// Managers with the same first initials are told apart, and a manager looks the same in each part of the page, whatever API version it writes in.
func TestManagersHaveFaces(t *testing.T) {
	create := report.Manager{Name: "kubectl-create", Operation: "Update", APIVersion: "v1"}
	controller := report.Manager{Name: "kube-controller-manager", Operation: "Update", APIVersion: "apps/v1"}
	var r report.Report
	r.Fights.Rows = []report.Fight{{Managers: []report.Manager{create, controller}}}
	again := create
	again.APIVersion = "apps/v1"
	r.Rewrites.Rows = []report.Rewrite{{Writer: again}, {}}
	r.Takings.Rows = []report.Taking{{By: report.Manager{Name: "kubectl-create", Operation: "Apply"}, From: []report.Manager{controller}}}
	who := cast(r)
	one, other := who.Of(create), who.Of(controller)
	if one.Initials == other.Initials || one.Hue == 0 || other.Hue == 0 {
		t.Errorf("%+v and %+v", one, other)
	}
	if same := who.Of(again); same.Hue != one.Hue || same.Mark != one.Mark || same.Initials != one.Initials {
		t.Errorf("%+v, but also %+v", one, same)
	}
	if applies := who.Of(r.Takings.Rows[0].By); applies.Mark == one.Mark || applies.Hue != one.Hue {
		t.Errorf("no second mark: %+v", applies)
	}
}

func TestAFightIsCopied(t *testing.T) {
	m := model(report.Done)
	object := report.Object{Path: "/api/v1/namespaces/shop/configmaps/a", Kind: "ConfigMap", Namespace: "shop", Name: "a"}
	fight := report.Fight{Object: object, Path: ".data.x", Count: 12, Period: 6 * time.Second, Managers: []report.Manager{{Name: "gitops", Operation: "Apply"}}, Values: [2]string{"5", "3"}}
	secret := fight
	secret.Path, secret.Values = ".data.password", [2]string{}
	m.Run.Report.Fights.Rows = []report.Fight{fight, secret}
	_, did := send(m, page.Acted{Action: "copy-as-markdown " + row("fight", object.Path, ".data.x")})
	if len(did) != 1 || !strings.HasSuffix(did[0].(page.Copy).Text, "\n| `.data.x` | `5 ⇄ 3` | 12 times, about every 6s | `gitops` (Apply) |\n") {
		t.Errorf("%+v", did)
	}
	if _, did = send(m, page.Acted{Action: "copy-as-markdown " + row("fight", object.Path, ".data.password")}); !strings.Contains(did[0].(page.Copy).Text, "| hidden |") {
		t.Errorf("%+v", did)
	}
	if _, did = send(m, page.Acted{Action: "copy-as-image another"}); did != nil {
		t.Errorf("%+v", did)
	}
}
