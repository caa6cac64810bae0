package predict

import (
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

// The response decides which choice is right, and the lesson where there is none, or where a stream goes on.
func TestTheResponseDecides(t *testing.T) {
	status := func(code string) *lesson.Statement {
		s, err := lesson.ParseStatement("status = " + code)
		if err != nil {
			t.Fatal(err)
		}
		return &s
	}
	p := &lesson.Predict{Choices: []lesson.Choice{{Text: "it works", Right: true, If: status("200")}, {Text: "it is not there", If: status("404")}}}
	missing := &sent.Request{Call: call.Call{State: call.Whole, Status: 404}}
	stream := &sent.Request{Call: call.Call{State: call.Answering, Status: 404}, Watch: true}
	for _, c := range []struct {
		name  string
		a     *sent.Request
		guess int
		truth int
		state string
	}{
		{"a response, and the guess is right", missing, 1, 1, "right"},
		{"a response, and the guess is wrong", missing, 0, 1, "wrong"},
		{"a stream", stream, 0, 0, "right"},
		{"nothing was sent", nil, 1, 0, "wrong"},
		{"nothing was guessed", missing, Unknown, 1, "unknown"},
	} {
		v := Judge(p, Guess{Choice: c.guess}, c.a, nil)
		if v.state() != c.state || v.Truth != &p.Choices[c.truth] {
			t.Errorf("%s: %+v", c.name, v)
		}
	}
}
