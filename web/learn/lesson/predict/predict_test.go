package predict

import (
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

func TestGuessesAreReadAsTheyAreWritten(t *testing.T) {
	for _, g := range []Guess{{Choice: 0}, {Choice: 12}, {Choice: Unknown}, {Choice: Written, Value: "=7"}} {
		if got := Parse(g.String()); got != g {
			t.Errorf("%+v became %q, and that %+v", g, g.String(), got)
		}
	}
	for _, text := range []string{"", "-1", "x"} {
		if got := Parse(text); got.Choice != Unknown {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func says(t *testing.T, line string) *lesson.Statement {
	t.Helper()
	s, err := lesson.ParseStatement(line)
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

func responded(status int, body string) *sent.Request {
	return &sent.Request{Call: call.Call{State: call.Whole, Status: status, Kept: []byte(body)}}
}

// A response judges a prediction only if it bears out what the lesson explains: one choice, the one that the lesson calls correct.
func TestAChoiceIsJudged(t *testing.T) {
	p := &lesson.Predict{Choices: []lesson.Choice{
		{Text: "it works", Right: true, If: says(t, "status = 200")},
		{Text: "it doesn’t exist", If: says(t, "status = 404")},
		{Text: "it is refused", If: says(t, "status >= 404")},
	}}
	stream := &sent.Request{Call: call.Call{State: call.Answering, Status: 404}, Watch: true}
	for _, c := range []struct {
		name    string
		a       *sent.Request
		guess   int
		outcome Outcome
		doubt   string
	}{
		{"a correct guess", responded(200, ""), 0, Right, ""},
		{"a wrong guess", responded(200, ""), 1, Wrong, ""},
		{"no guess", responded(200, ""), Unknown, NotKnown, ""},
		{"a stream", stream, 0, Right, ""},
		{"no response", nil, 1, Wrong, ""},
		{"a choice that the lesson calls wrong", responded(409, ""), 2, "", "differs from what this lesson explains"},
		{"two choices", responded(404, ""), 1, "", "more than one choice"},
		{"no choice", responded(201, ""), 0, "", "none of the choices"},
		{"no choice, and no guess", responded(201, ""), Unknown, "", "none of the choices"},
	} {
		v, d := Judge(p, Guess{Choice: c.guess}, c.a, nil)
		if v.Outcome != c.outcome || (d == nil) != (c.doubt == "") || d != nil && !strings.Contains(d.Words, c.doubt) {
			t.Errorf("%s: %+v, %+v", c.name, v, d)
		}
	}
}

func TestAValueIsJudged(t *testing.T) {
	count, err := lesson.ParseSubject("json .kind")
	if err != nil {
		t.Fatal(err)
	}
	p := &lesson.Predict{Value: &count, Choices: []lesson.Choice{
		{Text: "{{kind}}", Right: true, Because: "it is"}, {Text: "widget", Because: "one of them"}, {Text: "2", Because: "a number"}, {Text: "*", Because: "any other"},
	}}
	vars := lesson.Vars{"kind": "Widgets"}
	for _, c := range []struct {
		name, body, guess string
		outcome           Outcome
		because, doubt    string
	}{
		{"the value", `{"kind":"Widgets"}`, "Widgets", Right, "it is", ""},
		{"almost the value", `{"kind":"Widgets"}`, "\"WIDGETS\"", Wrong, "one of them", ""}, // the lesson is about number
		{"almost the value, and explained", `{"kind":"Widgets"}`, "widget", Wrong, "one of them", ""},
		{"another value", `{"kind":"Widgets"}`, "gadget", Wrong, "any other", ""},
		{"a value that is explained", `{"kind":"Widgets"}`, "two", Wrong, "a number", ""},
		{"another value came", `{"kind":"widget"}`, "widget", "", "", "differs from what this lesson explains"},
		{"no value came", `{}`, "Widgets", "", "", "doesn’t have this value"},
	} {
		g := Guess{Choice: Written, Value: c.guess}
		v, d := Judge(p, g, responded(200, c.body), vars)
		if v.Outcome != c.outcome || (d == nil) != (c.doubt == "") || d != nil && !strings.Contains(d.Words, c.doubt) {
			t.Errorf("%s: %+v, %+v", c.name, v, d)
		}
		if why := chosen(p, g, v, vars); d == nil && (v.Came != "Widgets" || why == nil || why.Because != c.because) {
			t.Errorf("%s: %+v because %+v", c.name, v, why)
		}
	}
}

func TestAlmostRightUnlessTheLessonIsAboutIt(t *testing.T) {
	kind, err := lesson.ParseSubject("json .kind")
	if err != nil {
		t.Fatal(err)
	}
	for wrong, want := range map[string]Outcome{"gadget": Almost, "widgets": Wrong} {
		p := &lesson.Predict{Value: &kind, Choices: []lesson.Choice{{Text: "Widgets", Right: true}, {Text: wrong}, {Text: "*"}}}
		if v, d := Judge(p, Guess{Choice: Written, Value: "WIDGET"}, responded(200, `{"kind":"Widgets"}`), nil); v.Outcome != want || d != nil {
			t.Errorf("with %s as a wrong choice: %+v, %+v", wrong, v, d)
		}
	}
}

func TestVerdictsAreReadAsTheyAreWritten(t *testing.T) {
	for _, v := range []Verdict{{Outcome: Right}, {Outcome: Wrong, Came: "two words"}, {Outcome: Almost, Came: "2"}, {Outcome: NotKnown}} {
		if got, ok := ParseVerdict(v.String()); !ok || got != v {
			t.Errorf("%+v became %q, and that %+v", v, v, got)
		}
	}
	for _, text := range []string{"", "maybe", " right"} {
		if v, ok := ParseVerdict(text); ok {
			t.Errorf("%q was read as %+v", text, v)
		}
	}
}

func TestAnOrderHasEachChoiceOnce(t *testing.T) {
	for n := range 7 {
		p := &lesson.Predict{Choices: make([]lesson.Choice, n)}
		as := make([]int, n)
		for i := range as {
			as[i] = i
		}
		order := Order(p, "paths", "0.1", "seed")
		if again := Order(p, "paths", "0.1", "seed"); !slices.Equal(order, again) {
			t.Errorf("%v, then %v", order, again)
		}
		if slices.Sort(order); !slices.Equal(order, as) {
			t.Errorf("of %d: %v", n, order)
		}
		p.Value = &lesson.Subject{}
		if order := Order(p, "paths", "0.1", "seed"); !slices.Equal(order, as) {
			t.Errorf("values are shuffled: %v", order)
		}
	}
}
