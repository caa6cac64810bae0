package shown

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/object/canary"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/learn/lesson/sent"
)

func answer(text string) *sent.Request {
	return &sent.Request{Call: call.Call{
		State: call.Whole, Status: 200, Answer: []request.Header{{Name: "content-type", Value: "application/json"}}, Kept: []byte(text),
	}}
}

// aSecret is an answer with a Secret in it.
func aSecret(value string) *sent.Request {
	return answer(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"door"},"data":{"key":"` + value + `"}}`)
}

func written(t *testing.T, values ...any) string {
	t.Helper()
	text, err := json.Marshal(values)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWidgetsHideWhatIsInSecrets(t *testing.T) {
	one, other := aSecret("b3Blbg=="), aSecret("Y2xvc2U=")
	blame, shown := View{}.blame(one)
	difference, _, compared := difference(one, other)
	if !shown || !compared {
		t.Fatal("nothing is shown")
	}
	text := written(t, blame, difference)
	for _, value := range []string{"b3Blbg", "Y2xvc2U", "open", "close"} {
		if strings.Contains(text, `"`+value) {
			t.Errorf("%s is there to read: %s", value, text)
		}
	}
	changed := 0
	for _, l := range difference.Lines {
		if l.Path == ".data.key" && l.Mark != "" {
			changed++
		}
	}
	if changed == 0 {
		t.Errorf("that the value is another one is not shown: %s", text)
	}
}

// What is in documents that say themselves that they are secret is in no widget that shows values.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		if d.Vague {
			continue
		}
		one, other := answer(d.JSON), answer(strings.ReplaceAll(d.JSON, canary.Song, "another"))
		blame, _ := View{}.blame(one)
		there, _, _ := difference(one, other)
		back, _, _ := difference(other, one)
		if text := written(t, blame, there, back); canary.Escapes(text) {
			t.Errorf("%s: %s", d.Name, text)
		}
	}
}
