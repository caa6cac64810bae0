package response

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

func answer(path, media, text string) *sent.Request {
	return &sent.Request{Lines: 1000, Call: call.Call{
		State: call.Whole, Status: 200, Path: path, Answer: []request.Header{{Name: "content-type", Value: media}}, Kept: []byte(text),
	}}
}

// Answers of lessons are laid out without secrets, whole and cut, whatever their format is.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, media := range []string{"application/json", "application/yaml", "application/vnd.kubernetes.protobuf"} {
			for n := len(d.JSON); n > 0; n -= 29 {
				if shown := fmt.Sprint(View{}.lay(answer(d.Path, media, d.JSON[:n])).lines); canary.Escapes(shown) {
					t.Fatalf("%s as %s, %d bytes: %s", d.Name, media, n, shown)
				}
			}
		}
	}
}

const aPod = `{"metadata":{"name":"a","managedFields":[{"manager":"m"}]},"spec":{"containers":[{"name":"c","image":"i"}]}}`

func TestNotesFindTheirLines(t *testing.T) {
	at := func(path string) lesson.Note {
		return lesson.Note{At: lesson.Subject{Kind: lesson.JSON, Path: path}, Text: "about " + path}
	}
	for _, c := range []struct {
		path, line string // empty: it is in no line
		flipped    bool
	}{
		{".metadata.name", `"name": "a",`, false},
		{".spec.containers[0].image", `"image": "i"`, false},
		{".metadata.managedFields", `"managedFields": [ … ]`, false},
		{".metadata.managedFields[0].manager", `"manager": "m"`, false},
		{".metadata.managedFields[0].manager", `"managedFields": [ … ]`, true},
		{".metadata.uid", "", false},
	} {
		v := View{Notes: []lesson.Note{at(c.path)}, Flipped: c.flipped}
		out := v.annotate(answer("/api/v1/namespaces/a/pods/a", "application/json", aPod))
		line := ""
		for i := range out.at {
			line = strings.TrimSpace(out.laid.lines[i].String())
		}
		if line != c.line || (len(out.other) == 0) != (c.line != "") {
			t.Errorf("%s stands at %q, want %q; %d elsewhere", c.path, line, c.line, len(out.other))
		}
	}
}

func TestMoreLines(t *testing.T) {
	a := answer("/api/v1/pods", "application/json", `{"items":[`+strings.Repeat("1,", 100)+`1]}`)
	a.Lines = sent.LinesAtOnce
	v := View{More: "more 0.0"}
	var b strings.Builder
	if err := Show(v, a).Render(context.Background(), &b); err != nil || !strings.Contains(b.String(), `data-do="more 0.0"`) {
		t.Errorf("%v: %s", err, b.String())
	}
	if more := v.Longer(a); more {
		t.Errorf("of %d lines, more are left", a.Lines)
	}
}

func TestRefusalsLeadToTheirExplanation(t *testing.T) {
	for status, want := range map[int]bool{200: false, 404: true} {
		a := answer("/api/v1/pods/a", "application/json", `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \"a\" not found","reason":"NotFound","code":404}`)
		a.Call.Status = status
		var b strings.Builder
		if err := Show(View{}, a).Render(context.Background(), &b); err != nil || strings.Contains(b.String(), `class="explain"`) != want {
			t.Errorf("status %d: %v: %s", status, err, b.String())
		}
	}
}
