package scenario

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func practice() shell.Model {
	m := shell.Model{Cluster: shell.Cluster{Slug: "practice"}}
	m.Catalog = discovery.Catalog{Groups: []discovery.Group{{Name: "practice.fieldmark.dev", Preferred: "v1alpha1", Versions: []discovery.Version{
		{Name: "v1alpha1", Types: []discovery.Type{{Group: "practice.fieldmark.dev", Version: "v1alpha1", Resource: "scenarios", Kind: "Scenario"}}},
	}}}}
	return m
}

func answered(id string, code int, body string) []page.Msg {
	return []page.Msg{page.Opened{ID: id, Status: code}, page.Arrived{ID: id, Part: []byte(body)}, page.Ended{ID: id, How: page.Whole}}
}

// play tells a run what happens; "tick" looks.
func play(t *testing.T, events ...any) (Compaction, string) {
	t.Helper()
	r, cmds := Compaction{}.Begin(practice())
	for _, e := range events {
		var more []page.Cmd
		switch e := e.(type) {
		case string:
			r, more = r.Tick()
		case []page.Msg:
			for _, m := range e {
				var some []page.Cmd
				r, some, _ = r.Hear(m)
				more = append(more, some...)
			}
		}
		cmds = append(cmds, more...)
	}
	var asked []string
	for _, c := range cmds {
		call := c.(page.Call)
		asked = append(asked, call.Method+" "+call.Path[strings.LastIndex(call.Path, "/")+1:])
	}
	return r, strings.Join(asked, ", ")
}

func TestCompaction(t *testing.T) {
	made := answered(create, 201, `{"kind":"Scenario","metadata":{"name":"compaction-x"}}`)
	condition := func(status, reason string) []page.Msg {
		return answered(look, 200, `{"kind":"Scenario","status":{"conditions":[{"type":"Holds","status":"`+status+`","reason":"`+reason+`","message":"so"}]}}`)
	}
	for name, c := range map[string]struct {
		events []any
		stage  Stage
		asked  string
	}{
		"begun":          {nil, Asked, "POST scenarios"},
		"not yet made":   {[]any{"tick"}, Asked, "POST scenarios"},
		"made":           {[]any{made}, Works, "POST scenarios"},
		"looked at":      {[]any{made, "tick", "tick"}, Works, "POST scenarios, GET compaction-x"},
		"not yet":        {[]any{made, "tick", condition("False", "Working"), "tick"}, Works, "POST scenarios, GET compaction-x, GET compaction-x"},
		"an odd answer":  {[]any{made, "tick", answered(look, 500, "no"), "tick"}, Works, "POST scenarios, GET compaction-x, GET compaction-x"},
		"done":           {[]any{made, "tick", condition("True", "AllHolds"), "tick"}, Done, "POST scenarios, GET compaction-x, DELETE compaction-x"},
		"failed":         {[]any{made, "tick", condition("False", "Failed")}, Refused, "POST scenarios, GET compaction-x, DELETE compaction-x"},
		"forbidden":      {[]any{answered(create, 403, `{"kind":"Status","message":"no"}`), "tick"}, Refused, "POST scenarios"},
		"no answer":      {[]any{[]page.Msg{page.Ended{ID: create, How: page.CutOff}}}, Refused, "POST scenarios"},
		"what it is not": {[]any{answered("other", 200, "{}")}, Asked, "POST scenarios"},
	} {
		if r, asked := play(t, c.events...); r.Stage != c.stage || asked != c.asked {
			t.Errorf("%s: %s after %s, want %s after %s", name, r.Stage, asked, c.stage, c.asked)
		}
	}
}

func TestOnlyWherePossible(t *testing.T) {
	locked := practice()
	locked.ReadOnly = true
	for name, frame := range map[string]shell.Model{"read-only": locked, "no practice cluster": {}} {
		if r, cmds := (Compaction{}).Begin(frame); r.Stage != None || len(cmds) > 0 {
			t.Errorf("%s: %+v", name, cmds)
		}
	}
}

func TestWhatIsAskedFor(t *testing.T) {
	for cache, want := range map[Cache]string{"": `"watchCache":"Keep"`, Keep: `"watchCache":"Keep"`, Forget: `"watchCache":"Forget"`} {
		_, cmds := Compaction{Cache: cache}.Begin(practice())
		if call := cmds[0].(page.Call); !strings.Contains(string(call.Body), want) {
			t.Errorf("%q: %s", cache, call.Body)
		}
	}
}
