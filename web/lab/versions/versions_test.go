package versions

import (
	"bytes"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/chunk"
	"github.com/fieldmark/fieldmark/kube/request"
	rules "github.com/fieldmark/fieldmark/kube/resourceversion"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

const base = "/api/v1/namespaces/lab/configmaps"

var began = time.Unix(1000, 0)

func awake(t *testing.T) Model {
	t.Helper()
	m := Parse(url.Values{QueryPath: {base}})
	m.Shell = shell.Model{Cluster: shell.Cluster{Slug: "practice"}}
	m = m.Fill(chunk.Answer{Version: "15", Continue: "t", Items: []chunk.Item{{Namespace: "lab", Name: "a", Version: "10"}}})
	m = m.Fill(chunk.Answer{Version: "20", Continue: "t2", Items: []chunk.Item{{Namespace: "lab", Name: "b", Version: "11"}}})
	p, _ := m.Awake(began)
	return p.(Model)
}

// play tells a page what happens: keys by their names, buttons after a "!", messages as they are. What is asked for is noted.
func play(t *testing.T, m Model, events ...any) (Model, []string) {
	t.Helper()
	var asked []string
	for _, e := range events {
		var msgs []page.Msg
		switch e := e.(type) {
		case string:
			if button, ok := strings.CutPrefix(e, "!"); ok {
				msgs = []page.Msg{page.Acted{Action: button}}
			} else {
				msgs = []page.Msg{page.Pressed{Key: e}}
			}
		case page.Msg:
			msgs = []page.Msg{e}
		case []page.Msg:
			msgs = e
		}
		for _, msg := range msgs {
			p, cmds := m.Update(msg)
			m = p.(Model)
			for _, c := range cmds {
				if call, ok := c.(page.Call); ok {
					asked = append(asked, call.Path)
				}
			}
		}
	}
	return m, asked
}

func answer(id string, code int, body string, head ...request.Header) []page.Msg {
	return []page.Msg{page.Opened{ID: id, Status: code, Header: head}, page.Arrived{ID: id, Part: []byte(body)}, page.Ended{ID: id, How: page.Whole}}
}

func shown(t *testing.T, m Model) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Main(m).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func tick(seconds int) page.Msg {
	return page.Tick{Now: began.Add(time.Duration(seconds) * time.Second)}
}

func TestValuesAreTakenFromLists(t *testing.T) {
	m := awake(t)
	if want := (rules.Values{Old: "15", Current: "20", Future: "1000020", Token: "t2", Of: "20", Limit: 1}); m.Values != want || m.Object != base+"/a" {
		t.Errorf("%+v of %s", m.Values, m.Object)
	}
	m, _ = play(t, m, page.Typed{Field: "old", Text: " 3 "}, page.Typed{Field: "future", Text: "77"})
	if m.Values.Old != "3" || m.Values.Future != "77" {
		t.Errorf("%+v", m.Values)
	}
	m, asked := play(t, m, "!fresh", answer("fresh", 200, `{"metadata":{"resourceVersion":"31","continue":"t3"},"items":[]}`))
	if len(asked) != 1 || asked[0] != base+"?limit=1" || m.Values.Old != "20" || m.Values.Current != "31" || m.Values.Token != "t3" {
		t.Errorf("%v: %+v", asked, m.Values)
	}
}

func TestPredictSendCompare(t *testing.T) {
	const early = `{"kind":"Status","code":504,"reason":"Timeout","message":"Timeout: Too large resource version: 1000020, current: 21","details":{"retryAfterSeconds":1,"causes":[{"reason":"ResourceVersionTooLarge","message":"Too large resource version"}]}}`
	for name, c := range map[string]struct {
		events []any
		asked  string
		has    []string
		hasNot []string
	}{
		"chosen":              {[]any{"!cell/list-limit.old"}, "", []string{"What does the request mean?", `aria-current="true"`, "limit=1&amp;resourceVersion=15"}, []string{"The request means: Exact</h2><p", "data-call"}},
		"said":                {[]any{"!cell/list-limit.old", "4"}, "", []string{"Exact?"}, nil},
		"right":               {[]any{"!cell/list-limit.old", "4", "s", answer("list-limit.old", 200, `{"metadata":{"resourceVersion":"15","continue":"x"},"items":[{}]}`)}, base + "?limit=1&resourceVersion=15", []string{"Correct. The request means: Exact", "Predictions: 1 of 1 correct.", "Matches the documentation.", "the state at exactly the requested version", "Exact · 200"}, []string{"What does the request mean?"}},
		"wrong":               {[]any{"!cell/list-limit.old", "1", "s", answer("list-limit.old", 200, `{"metadata":{"resourceVersion":"15"},"items":[{}]}`)}, base + "?limit=1&resourceVersion=15", []string{"You said “Most Recent”. The request means: Exact", "Predictions: 0 of 1 correct."}, nil},
		"too late to say":     {[]any{"!cell/list-limit.old", "s", answer("list-limit.old", 200, `{"metadata":{"resourceVersion":"15"},"items":[{}]}`), "4"}, base + "?limit=1&resourceVersion=15", []string{"Choose a cell, predict its meaning"}, []string{"Right."}},
		"not as documented":   {[]any{"!cell/list-exact.old", "s", answer("list-exact.old", 200, `{"metadata":{"resourceVersion":"99"},"items":[]}`)}, base + "?resourceVersion=15&resourceVersionMatch=Exact", []string{"Differs from the documentation", "cell differs", "The requested version was 15"}, nil},
		"422":                 {[]any{"!cell/list-exact.zero", "s", answer("list-exact.zero", 422, `{"kind":"Status","code":422,"reason":"Invalid","message":"is invalid","details":{"causes":[{"reason":"FieldValueForbidden","field":"resourceVersionMatch","message":"Forbidden"}]}}`)}, base + "?resourceVersion=0&resourceVersionMatch=Exact", []string{"This server responds with 422", "FieldValueForbidden resourceVersionMatch", "cell agrees refused"}, nil},
		"revealed":            {[]any{"!cell/list-limit.old", "m", "4"}, "", []string{"Continue Token, Exact", `aria-pressed="true"`}, []string{"What does the request mean?"}},
		"no answer":           {[]any{"!cell/list.unset", "s", page.Ended{ID: "list.unset", How: page.CutOff}}, base, []string{"no response"}, nil},
		"early, waits":        {[]any{"!cell/list.future", "s", answer("list.future", 504, early, request.Header{Name: "retry-after", Value: "2"}), tick(5)}, base + "?resourceVersion=1000020", []string{"Retry-After: 2 s. Sent again in 2 s (2 of 3).", "Too large resource version"}, nil},
		"early, counted down": {[]any{"!cell/list.future", "s", answer("list.future", 504, early, request.Header{Name: "retry-after", Value: "2"}), tick(5), tick(6)}, base + "?resourceVersion=1000020", []string{"Sent again in 1 s (2 of 3)"}, nil},
		"early, sent again":   {[]any{"!cell/list.future", "s", answer("list.future", 504, early), tick(5), tick(6)}, base + "?resourceVersion=1000020 " + base + "?resourceVersion=1000020", []string{"waiting…"}, nil},
		"early, stopped":      {[]any{"!cell/list.future", "s", answer("list.future", 504, early), tick(5), "!stop", tick(9)}, base + "?resourceVersion=1000020", nil, []string{"Sent again"}},
	} {
		m, asked := play(t, awake(t), c.events...)
		if got := strings.Join(asked, " "); got != c.asked {
			t.Errorf("%s: asked %s, want %s", name, got, c.asked)
		}
		text := shown(t, m)
		for _, want := range c.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the page doesn't have %q", name, want)
			}
		}
		for _, not := range c.hasNot {
			if strings.Contains(text, not) {
				t.Errorf("%s: the page has %q", name, not)
			}
		}
	}
}

// A server that goes on asking to wait is asked three times, and no more.
func TestRetriesEnd(t *testing.T) {
	m := awake(t)
	no := answer("list.future", 504, `{"kind":"Status","code":504,"message":"no","details":{"retryAfterSeconds":1}}`)
	m, asked := play(t, m, "!cell/list.future", "s", no, tick(1), tick(2), no, tick(3), tick(4), no, tick(5), tick(6), tick(7))
	if len(asked) != mostTrys {
		t.Errorf("asked %d times", len(asked))
	}
	if text := shown(t, m); !strings.Contains(text, "Sent 3 times, with the same response") {
		t.Error("the page doesn't say that it has given up")
	}
}

func TestKeysGoFromCellToCell(t *testing.T) {
	m := awake(t)
	for _, step := range []struct{ keys, want string }{
		{"h", "get.unset"},
		{"k", "get.unset"},
		{"l", "get.zero"},
		{"jl", "list.old"},
		{"llll", "list.future"},
		{"hhhh", "list.unset"},
		{strings.Repeat("j", 40), "watch-skip-notolder.unset"},
	} {
		for _, k := range step.keys {
			m, _ = play(t, m, string(k))
		}
		if m.Cell != step.want {
			t.Errorf("after %s: %s, want %s", step.keys, m.Cell, step.want)
		}
	}
}

// All are sent, never more than a few at a time, and none is sent again.
func TestAll(t *testing.T) {
	m, asked := play(t, awake(t), "S")
	for sent := 0; sent < len(asked); sent++ {
		if under := m.under(); under > atOnce {
			t.Fatalf("%d are under way", under)
		}
		for id, c := range m.live.cells {
			if c.x.Under() {
				var more []string
				m, more = play(t, m, answer(id, 504, `{"kind":"Status","code":504,"message":"no","details":{"retryAfterSeconds":1}}`), tick(1), tick(5))
				asked = append(asked, more...)
				break
			}
		}
	}
	if want := len(rules.Rows) * len(rules.Columns); len(asked) != want || m.under() > 0 {
		t.Errorf("%d were sent, want %d; %d under way", len(asked), want, m.under())
	}
	m, asked = play(t, awake(t), "S", "!stop")
	if len(m.live.queue) > 0 || len(asked) != atOnce {
		t.Errorf("%d were sent, %d are to be", len(asked), len(m.live.queue))
	}
}

// What there is no value for can't be sent, and the page says why.
func TestWithoutValues(t *testing.T) {
	m := Parse(url.Values{QueryPath: {base}, QueryCell: {"list-continue.unset"}})
	p, _ := m.Awake(began)
	m, asked := play(t, p.(Model), "s", "!cell/get.unset", "s", "!cell/list.old", "s")
	if len(asked) > 0 {
		t.Errorf("asked %v", asked)
	}
	if text := shown(t, m); !strings.Contains(text, "This request can’t be sent: there is no old version yet.") {
		t.Error("the page doesn't say why")
	}
}

func TestWithoutTheProgramAllIsTold(t *testing.T) {
	m := Parse(url.Values{QueryPath: {base}, QueryCell: {"list-exact.zero"}})
	text := shown(t, m.Fill(chunk.Answer{Version: "15", Continue: "t", Items: []chunk.Item{{Name: "a", Version: "10"}}}))
	for _, want := range []string{"Get State and Start at Most Recent", "The parameters contradict each other", "curl -H ", "resourceVersion=0&amp;resourceVersionMatch=Exact"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page doesn't have %q", want)
		}
	}
}

func TestEveryMeaningAndClassHasWords(t *testing.T) {
	for _, r := range rules.Rows {
		for _, c := range rules.Columns {
			if meaningWords.Get()[r.In(c)] == "" {
				t.Errorf("%s has no words", r.In(c))
			}
			for _, class := range rules.Allowed(r, c) {
				if classWords.Get()[class] == "" {
					t.Errorf("%s has no words", class)
				}
			}
		}
	}
}
