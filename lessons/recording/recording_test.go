package recording

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/lessons/lesson"
)

func TestNoSecretIsRecorded(t *testing.T) {
	for _, d := range canary.Documents() {
		q := lesson.Request{Method: "GET", Target: d.Path + "?pretty=true"}
		for form, body := range map[string]string{"JSON": d.JSON, "a stream": d.JSON + "\n" + d.JSON, "other bytes": "k8s\x00" + d.JSON} {
			if got := string(Of(q, lesson.Answer{Status: 200, Body: []byte(body)}, 0).Body); canary.Escapes(got) && (!d.Vague || form == "JSON") {
				t.Errorf("%s, as %s: a secret is recorded: %s", d.Name, form, got)
			}
		}
	}
}

func TestBodiesWithoutSecretsStayAsTheyAre(t *testing.T) {
	const body = "{\"kind\": \"ConfigMap\",\n \"data\": {\"a\": 1.50}}"
	r := Of(lesson.Request{Target: "/api/v1/namespaces/a/configmaps/b"}, lesson.Answer{
		Status: 200, Body: []byte(body), Open: true, Header: []lesson.Header{{Name: "Audit-Id", Value: "x"}, {Name: "Set-Cookie", Value: "y"}},
	}, time.Second)
	if string(r.Body) != body || r.Open || r.Took != time.Second || len(r.Header) != 1 || r.Header[0].Name != "Audit-Id" {
		t.Errorf("%+v", r)
	}
}

func TestLongBodiesAreCut(t *testing.T) {
	r := Of(lesson.Request{Target: "/api/v1/pods"}, lesson.Answer{Status: 200, Body: bytes.Repeat([]byte("x"), MostBody+1), Size: MostBody + 1}, 0)
	if len(r.Body) != MostBody || r.Size != MostBody+1 {
		t.Errorf("%d bytes of %d", len(r.Body), r.Size)
	}
}

func TestARecordingIsReadAsItWasWritten(t *testing.T) {
	r := Recording{Server: "v1.37.1", At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC), Lessons: map[string]Lesson{
		"conflicts": {Vars: lesson.Vars{"namespace": "learn"}, Responses: map[string]Response{
			"read": {Answer: lesson.Answer{Status: 200, Body: []byte("\x00k8s")}, Took: time.Millisecond},
		}},
	}}
	var b bytes.Buffer
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	written := b.String()
	got, err := Read(&b)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := got.Write(&again); err != nil || again.String() != written || !strings.Contains(written, "learn") {
		t.Errorf("%s\n%s\n%v", again.String(), written, err)
	}
	if r.Version() != 37 {
		t.Errorf("version %v", r.Version())
	}
	for _, text := range []string{"", "{", "[]", "{}", `{"server":"v1.37.0"}`, `{"server":"soon","lessons":{"a":{}}}`} {
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), "no recording of lessons") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
