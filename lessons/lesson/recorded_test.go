package lesson

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/release"
)

// An answer that is written as a recording is the same as the recording, and another one is not.
func TestARecordingIsComparedWithAnAnswer(t *testing.T) {
	vars := Vars{Namespace: "learn-x-abcdef", Unique: "abcdef"}
	answer := Answer{
		Status: 200, Header: []Header{{"Content-Type", "application/json"}, {"Audit-Id", "1"}, {"Warning", `299 - "old"`}},
		Body: []byte(`{"metadata":{"name":"a","namespace":"learn-x-abcdef","resourceVersion":"7","labels":{"x":"abcdef"}}}`),
	}
	answer.Size = int64(len(answer.Body))
	text := Record(answer, vars)
	head, body, _ := strings.Cut(text, "\n\n")
	if head != "200\nContent-Type: application/json\nWarning: 299 - \"old\"" || !strings.Contains(body, `"namespace": "{{namespace}}"`) || !strings.Contains(body, `"x": "{{unique}}"`) {
		t.Errorf("the recording is\n%s", text)
	}
	r := Recorded{Of: "one", Version: 31, Status: 200, Header: answer.Header, Body: body}
	counts := func(change func(a *Answer)) compare.Counts {
		a := answer
		change(&a)
		d, err := r.Beside(a, vars)
		if err != nil {
			t.Fatal(err)
		}
		return d.Count(false)
	}
	if c := counts(func(*Answer) {}); !c.None() || c.LeftOut > 0 {
		t.Errorf("the same response differs: %+v", c)
	}
	for name, one := range map[string]struct {
		change func(a *Answer)
		want   compare.Counts
	}{
		"audit id": {func(a *Answer) {
			a.Header = a.Header[:1:1]
			a.Header = append(a.Header, Header{"warning", `299 - "old"`})
		}, compare.Counts{}},
		"resource version": {func(a *Answer) { a.Body = []byte(strings.Replace(string(a.Body), `"7"`, `"8"`, 1)) }, compare.Counts{LeftOut: 1}},
		"status":           {func(a *Answer) { a.Status = 201 }, compare.Counts{Status: true}},
		"warning":          {func(a *Answer) { a.Header = a.Header[:1] }, compare.Counts{Headers: 1}},
		"field":            {func(a *Answer) { a.Body = []byte(strings.Replace(string(a.Body), `"a"`, `"b"`, 1)) }, compare.Counts{Lines: 1}},
		"nothing":          {func(a *Answer) { *a = Answer{} }, compare.Counts{Status: true, Headers: 2, Lines: 10}},
	} {
		if got := counts(one.change); got != one.want {
			t.Errorf("%s: %+v, and not %+v", name, got, one.want)
		}
	}
	if _, err := (Recorded{Body: "{{later}}"}).Beside(answer, vars); err == nil {
		t.Error("a value is missing, and there is no error")
	}
}

func TestARecordingIsProvedOnItsVersionOnly(t *testing.T) {
	l := Lesson{Steps: []Step{{Blocks: []Block{{Line: 3, Recorded: &Recorded{Version: 31}}}}}}
	for v, want := range map[release.Version]int{31: 0, 32: 1, 37: 1} {
		if got := l.Skips(v); len(got) != want {
			t.Errorf("%s: %v", v, got)
		}
		if l.On(v).Steps[0].Blocks[0].Recorded == nil {
			t.Errorf("%s: the recording is gone", v)
		}
	}
}
