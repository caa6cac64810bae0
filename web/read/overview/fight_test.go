package overview

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/call/scenario"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

const (
	waiting  = `{"kind":"Scenario","metadata":{"name":"fight","uid":"u1"}}`
	fighting = `{"kind":"Scenario","metadata":{"name":"fight","uid":"u1"},"status":{
		"conditions":[{"type":"Holds","status":"True","message":"everything in the Scenario holds"}],
		"actors":[{"name":"gitops","created":1,"updated":11},{"name":"autoscaler","created":0,"updated":10,"message":"it was refused"}]}}`
	leaving = `{"kind":"Scenario","metadata":{"name":"fight","uid":"u1","deletionTimestamp":"2026-11-21T12:00:00Z"}}`
	another = `{"kind":"Scenario","metadata":{"name":"fight","uid":"u2"}}`
)

func parsed(t *testing.T, text string) object.Object {
	t.Helper()
	if text == "" {
		return object.Object{}
	}
	o, err := object.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// arena is the page of a practice cluster, alive.
func arena(t *testing.T, scenario string) Model {
	t.Helper()
	m := pageOf(t, "/")
	m.Fight = &Fight{Scenario: parsed(t, scenario)}
	p, commands := m.Awake(time.Unix(0, 0))
	want := page.Subscribe{ID: subscription, Cluster: "practice", Path: "/apis/practice.fieldmark.dev/v1alpha1/scenarios/fight", As: wire.Object}
	if len(commands) != 1 || commands[0] != want {
		t.Fatalf("it follows %+v", commands)
	}
	return p.(Model)
}

func after(t *testing.T, m Model, messages ...page.Msg) (Model, []page.Cmd) {
	t.Helper()
	var all []page.Cmd
	for _, msg := range messages {
		p, commands := m.Update(msg)
		m, all = p.(Model), append(all, commands...)
	}
	return m, all
}

func heard(kind wire.MessageType, objects ...string) page.Msg {
	m := wire.Message{Type: kind, ID: subscription, Gen: 1}
	for _, text := range objects {
		m.Objects = append(m.Objects, json.RawMessage(text))
	}
	return page.Received{Message: m}
}

func happens(what watch.Type, text string) page.Msg {
	return page.Received{Message: wire.Message{Type: wire.Events, ID: subscription, Gen: 1, Events: []wire.Event{{Type: what, Object: json.RawMessage(text)}}}}
}

func TestTheFightIsFollowed(t *testing.T) {
	gap := page.Received{Message: wire.Message{Type: wire.Gap, Gen: 2, Reason: watch.Expired}}
	secondSync := page.Received{Message: wire.Message{Type: wire.Synced, Gen: 2}}
	for name, c := range map[string]struct {
		embedded string
		messages []page.Msg
		want     stage
	}{
		"there is none":                  {"", []page.Msg{heard(wire.Synced)}, absent},
		"it came meanwhile":              {"", []page.Msg{heard(wire.Rows, waiting), heard(wire.Synced)}, begins},
		"it went meanwhile":              {fighting, []page.Msg{heard(wire.Synced)}, absent},
		"it went meanwhile, in an empty": {fighting, []page.Msg{heard(wire.Rows), heard(wire.Synced)}, absent},
		"it begins":                      {"", []page.Msg{heard(wire.Synced), happens(watch.Added, waiting), happens(watch.Modified, fighting)}, rages},
		"it ends":                        {fighting, []page.Msg{happens(watch.Modified, leaving)}, ends},
		"it is over":                     {leaving, []page.Msg{happens(watch.Deleted, leaving)}, absent},
		"another one is gone":            {fighting, []page.Msg{happens(watch.Deleted, another)}, rages},
		"synced again, nothing new":      {"", []page.Msg{heard(wire.Rows, fighting), heard(wire.Synced), heard(wire.Synced)}, rages},
		"gone after a gap":               {fighting, []page.Msg{heard(wire.Rows, fighting), heard(wire.Synced), gap, secondSync}, absent},
		"there after a gap":              {fighting, []page.Msg{heard(wire.Synced), gap, heard(wire.Rows, fighting), secondSync}, rages},
		"what is no Scenario":            {fighting, []page.Msg{happens(watch.Modified, `{"kind":"Status"}`)}, rages},
		"a half state, and a cut":        {fighting, []page.Msg{heard(wire.Rows), page.Connection{State: page.Broken}, heard(wire.Rows, fighting), heard(wire.Synced)}, rages},
	} {
		m, _ := after(t, arena(t, c.embedded), c.messages...)
		if got := m.Fight.stage(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestTheButtonSendsWhatKubectlWould(t *testing.T) {
	_, commands := after(t, arena(t, ""), page.Acted{Action: doStart})
	start, ok := commands[0].(page.Call)
	if !ok || start.Method != "POST" || start.Cluster != "practice" || start.Path != "/apis/practice.fieldmark.dev/v1alpha1/scenarios" || request.Field(start.Header, "Content-Type") != "application/json" {
		t.Errorf("%+v", commands)
	}
	if !json.Valid(start.Body) {
		t.Errorf("%s", start.Body)
	}
	_, commands = after(t, arena(t, fighting), page.Acted{Action: doStop})
	if stop, ok := commands[0].(page.Call); !ok || stop.Method != "DELETE" || stop.Path != "/apis/practice.fieldmark.dev/v1alpha1/scenarios/fight" {
		t.Errorf("%+v", commands)
	}
	for _, want := range []string{"kubectl create -f -", "name: fight", "replicas: 3", "kubectl delete scenario fight"} {
		if !strings.Contains(byKubectl(), want) {
			t.Errorf("no %q in:\n%s", want, byKubectl())
		}
	}
}

func TestTheButtonDoesOneThingAtATime(t *testing.T) {
	start, stop := page.Acted{Action: doStart}, page.Acted{Action: doStop}
	readOnly := arena(t, "")
	readOnly.Shell.ReadOnly = true
	unawake := pageOf(t, "/")
	unawake.Fight = &Fight{}
	unclear := arena(t, "")
	unclear.Fight = &Fight{Problem: &components.Notice{Title: "It took too long"}}
	for name, c := range map[string]struct {
		m        Model
		messages []page.Msg
		sends    int
	}{
		"start":            {arena(t, ""), []page.Msg{start}, 1},
		"start twice":      {arena(t, ""), []page.Msg{start, start}, 1},
		"stop what is not": {arena(t, ""), []page.Msg{stop}, 0},
		"start what is":    {arena(t, fighting), []page.Msg{start}, 0},
		"stop":             {arena(t, fighting), []page.Msg{stop}, 1},
		"stop at once":     {arena(t, waiting), []page.Msg{stop}, 1},
		"stop what stops":  {arena(t, leaving), []page.Msg{stop}, 0},
		"something else":   {arena(t, ""), []page.Msg{page.Acted{Action: "dance"}}, 0},
		"read-only":        {readOnly, []page.Msg{start}, 0},
		"not alive":        {unawake, []page.Msg{start}, 0},
		"not known":        {unclear, []page.Msg{start}, 0},
		"after a refusal":  {arena(t, ""), []page.Msg{start, page.Response{ID: doStart, Status: 403}, start}, 2},
	} {
		sends := 0
		_, commands := after(t, c.m, c.messages...)
		for _, one := range commands {
			if _, is := one.(page.Call); is {
				sends++
			}
		}
		if sends != c.sends {
			t.Errorf("%s: %d requests, want %d", name, sends, c.sends)
		}
	}
}

func TestWhatTheAnswerMeans(t *testing.T) {
	start, stop := page.Acted{Action: doStart}, page.Acted{Action: doStop}
	answer := func(id string, code int, body string) page.Msg {
		return page.Response{ID: id, Status: code, Body: []byte(body)}
	}
	const no = `{"kind":"Status","status":"Failure","message":"scenarios is forbidden","code":403}`
	for name, c := range map[string]struct {
		scenario string
		messages []page.Msg
		want     stage
		refused  string
	}{
		"created":                      {"", []page.Msg{start, answer(doStart, 201, waiting)}, begins, ""},
		"created, but heard of before": {"", []page.Msg{start, happens(watch.Added, fighting), answer(doStart, 201, waiting)}, rages, ""},
		"forbidden":                    {"", []page.Msg{start, answer(doStart, 403, no)}, absent, "scenarios is forbidden"},
		"no answer":                    {"", []page.Msg{start, answer(doStart, 0, "")}, absent, "Fieldmark didn’t respond"},
		"refused, then somebody else":  {"", []page.Msg{start, answer(doStart, 403, no), happens(watch.Added, waiting)}, begins, ""},
		"deleted":                      {fighting, []page.Msg{stop, answer(doStop, 200, leaving)}, ends, ""},
		"deleted, and heard of before": {leaving, []page.Msg{happens(watch.Deleted, leaving), answer(doStop, 200, leaving)}, absent, ""},
		"deleted by somebody else":     {fighting, []page.Msg{stop, answer(doStop, status.CodeNotFound, "")}, rages, ""},
		"not deleted":                  {fighting, []page.Msg{stop, answer(doStop, 500, "")}, rages, "The fight did not stop"},
		"an answer to nothing":         {"", []page.Msg{answer(doStart, 201, waiting)}, absent, ""},
	} {
		m, commands := after(t, arena(t, c.scenario), c.messages...)
		if got := m.Fight.stage(); got != c.want || m.live.asked != "" {
			t.Errorf("%s: %s, want %s; still asked: %q", name, got, c.want, m.live.asked)
		}
		if said := m.live.refused; (said != nil) != (c.refused != "") || said != nil && !strings.Contains(said.Title+said.Words+said.Quoted, c.refused) {
			t.Errorf("%s: told %+v, want %q", name, said, c.refused)
		}
		if c.refused != "" && commands[len(commands)-1] != (page.Announce{Words: m.live.refused.Title}) {
			t.Errorf("%s: not announced: %+v", name, commands)
		}
	}
}

func TestTheFightInWords(t *testing.T) {
	html := func(m Model) string {
		var b bytes.Buffer
		if err := fight(m).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	dead := pageOf(t, "/")
	dead.Fight = &Fight{}
	readOnly := arena(t, fighting)
	readOnly.Shell.ReadOnly = true
	broken := arena(t, "")
	broken.Fight = &Fight{Problem: &components.Notice{Title: "It took too long"}}
	for name, c := range map[string]struct {
		m      Model
		has    []string
		hasNot []string
	}{
		"on the server": {dead, []string{"Start a fight", " disabled", "needs JavaScript", "kubectl create"}, []string{"liveness", "contested</a>"}},
		"none":          {arena(t, ""), []string{"Start a fight", "connecting"}, []string{" disabled", "contested</a>"}},
		"it rages":      {arena(t, fighting), []string{"Stop the fight", ">12\n", "last write refused", "/c/practice/apis/apps/v1/namespaces/contest/deployments/contested?managed=1"}, []string{" disabled"}},
		"it ends":       {arena(t, leaving), []string{`aria-disabled="true"`, "Cleaning up"}, []string{"contested</a>"}},
		"read-only":     {readOnly, []string{" disabled", "--read-only"}, []string{"needs JavaScript"}},
		"not known":     {broken, []string{" disabled", "It took too long"}, nil},
	} {
		got := html(c.m)
		for _, want := range c.has {
			if !strings.Contains(strings.ReplaceAll(got, "<", "\n<"), want) {
				t.Errorf("%s: no %q in %s", name, want, got)
			}
		}
		for _, no := range c.hasNot {
			if strings.Contains(got, no) {
				t.Errorf("%s: %q in %s", name, no, got)
			}
		}
	}
}

func TestOnlyPracticeClustersHaveIt(t *testing.T) {
	m := pageOf(t, "/")
	if scenario.Offered(m.Shell.Catalog) {
		t.Error("there are no Scenarios")
	}
	if _, commands := m.Awake(time.Time{}); len(commands) > 0 {
		t.Errorf("nothing is to be followed: %v", commands)
	}
	p := FightPath()
	with := discovery.Catalog{Groups: []discovery.Group{{Name: p.Group, Versions: []discovery.Version{{Name: p.Version, Types: []discovery.Type{{Group: p.Group, Version: p.Version, Resource: p.Resource}}}}}}}
	if !scenario.Offered(with) || p.Kind != apipath.KindObject {
		t.Error("there are")
	}
}

func TestTheFightIsAnnounced(t *testing.T) {
	_, commands := after(t, arena(t, ""), heard(wire.Synced), happens(watch.Added, waiting), happens(watch.Modified, fighting),
		happens(watch.Modified, fighting), happens(watch.Modified, leaving), happens(watch.Deleted, leaving))
	var words []string
	for _, c := range commands {
		if a, is := c.(page.Announce); is {
			words = append(words, a.Words)
		}
	}
	if got := strings.Join(words, "|"); got != "The fight has started|The fight has ended, and everything is deleted" {
		t.Error(got)
	}
}
