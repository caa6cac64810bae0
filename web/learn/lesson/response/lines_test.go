package response

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

// aList is a list of so many objects.
func aList(items int) *sent.Request {
	var all []string
	for i := range items {
		all = append(all, fmt.Sprintf(`{"metadata":{"name":"order-%d","labels":{"a":"b"}},"data":{"x":"%d"}}`, i, i))
	}
	a := answer("/api/v1/namespaces/a/configmaps", "application/json", `{"kind":"List","metadata":{"resourceVersion":"7"},"items":[`+strings.Join(all, ",")+`]}`)
	a.Lines = sent.LinesAtOnce
	return a
}

func subject(path string) lesson.Subject { return lesson.Subject{Kind: lesson.JSON, Path: path} }

func noteAt(path string) lesson.Note { return lesson.Note{At: subject(path), Text: "about " + path} }

// inSight are the lines of a response that are shown, and the folds between them.
func inSight(v View, a *sent.Request) (lines []string) {
	out := v.annotate(a)
	for _, s := range out.laid.stretches(v.Opened) {
		if s.folded {
			lines = append(lines, s.foldLabel())
			continue
		}
		for i := s.from; i < s.to; i++ {
			lines = append(lines, strings.TrimSpace(out.laid.lines[i].String()))
		}
	}
	return lines
}

func page(t *testing.T, v View, a *sent.Request) string {
	t.Helper()
	var b strings.Builder
	if err := Show(v, a).Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What the lesson is about is in sight, with two lines around and what it is in, however long the response is.
func TestWhatTheLessonIsAboutIsInSight(t *testing.T) {
	want := []string{
		"{", `"kind": "List",`, `"metadata": {`, `"resourceVersion": "7"`, "},", `"items": [`,
		"Show 10,989 lines",
		"{", `"metadata": {`, `"name": "order-999",`, `"labels": {`, `"a": "b"`, "}", "},", `"data": {`, `"x": "999"`, "}", "}", "]", "}",
	}
	for name, v := range map[string]View{
		"notes":       {Notes: []lesson.Note{noteAt(".metadata.resourceVersion"), noteAt(".items[-1].data.x")}},
		"predictions": {Points: []lesson.Subject{subject(".metadata.resourceVersion"), subject(".items[-1].data.x")}},
		"one of each": {Notes: []lesson.Note{noteAt(".metadata.resourceVersion")}, Points: []lesson.Subject{subject(".items[-1].data.x")}},
		"what is absent": {
			Notes:  []lesson.Note{noteAt(".metadata.resourceVersion")},
			Points: []lesson.Subject{subject(`.items[-1].data.x`), subject(".items[-1].data.missing")},
		},
	} {
		if got := inSight(v, aList(1000)); !slices.Equal(got, want) {
			t.Errorf("%s:\n%s\nwanted\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func TestTheRestIsNotLaidOut(t *testing.T) {
	v := View{Notes: []lesson.Note{noteAt(".metadata.resourceVersion")}}
	a := aList(5000)
	got := inSight(v, a)
	if got[len(got)-1] != "Show more lines" || len(got) > 12 {
		t.Errorf("in sight are\n%s", strings.Join(got, "\n"))
	}
	if n := len(v.lay(a).lines); n > sent.LinesAtOnce {
		t.Errorf("%d lines are laid out", n)
	}
}

func TestFoldsAreOpened(t *testing.T) {
	a := aList(1000)
	v := View{Body: "body-0.2", Gap: "gap 0.2", Notes: []lesson.Note{noteAt(".items[500].data.x")}}
	var fold stretch
	for _, s := range v.annotate(a).laid.stretches(nil) {
		if s.folded {
			fold = s
			break
		}
	}
	if text := page(t, v, a); !strings.Contains(text, fmt.Sprintf(`data-do="gap 0.2 %d"`, fold.from)) || strings.Contains(text, "order-3&") {
		t.Errorf("the fold from line %d is not shown as one", fold.from)
	}
	v.Opened = []int{fold.from}
	text := page(t, v, a)
	for _, want := range []string{v.OpenedID(fold.from), "order-3&", fmt.Sprintf(`data-do="gap 0.2 %d"`, fold.from+sent.LinesAtOnce), "about .items[500]"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(text, fmt.Sprintf(`data-do="gap 0.2 %d"`, fold.from)) {
		t.Error("the fold is still there")
	}
	for range 200 { // to the end
		stretches := v.annotate(a).laid.stretches(v.Opened)
		i := slices.IndexFunc(stretches, func(s stretch) bool { return s.folded })
		if i < 0 {
			return
		}
		v.Opened = append(v.Opened, stretches[i].from)
	}
	t.Error("the folds have no end")
}

func TestAShortResponseIsShownWhole(t *testing.T) {
	v := View{Notes: []lesson.Note{noteAt(".metadata.name")}}
	a := answer("/api/v1/namespaces/a/pods/a", "application/json", aPod)
	a.Lines = sent.LinesAtOnce
	if text := strings.Join(inSight(v, a), "\n"); strings.Contains(text, "Show") {
		t.Error(text)
	}
}

func TestWithoutButtonsTheBrowserOpensFolds(t *testing.T) {
	long := make([]layout.Line, 60)
	v := View{Still: true}
	got := v.stretches(laid{lines: long, more: true})
	if want := []stretch{{to: short}, {from: short, to: 60, folded: true, endless: true}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if got := v.stretches(laid{lines: long[:short+tooShort-1]}); len(got) != 1 || got[0].folded {
		t.Errorf("a short body is folded: %+v", got)
	}
	a := aList(100)
	a.Lines = 120
	if text := page(t, v, a); strings.Contains(text, "<button") || strings.Contains(text, "<form") || !strings.Contains(text, "<summary>Show ") || !strings.Contains(text, "More lines follow.") {
		t.Errorf("%s", text)
	}
	v.Notes, a = []lesson.Note{noteAt(".items[90].data.x")}, aList(100)
	if text := page(t, v, a); !strings.Contains(text, "about .items[90].data.x") || !strings.Contains(text, "Not shown: ") {
		t.Errorf("%s", text)
	}
}
