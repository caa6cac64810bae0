package lesson

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/web/call"
)

// aSecret is an answer with a Secret in it.
func aSecret(value string) *asked {
	return &asked{x: call.Call{
		State: call.Whole, Status: 200, Answer: []request.Header{{Name: "content-type", Value: "application/json"}},
		Kept: []byte(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"door"},"data":{"key":"` + value + `"}}`),
	}}
}

func TestWidgetsHideWhatIsInSecrets(t *testing.T) {
	p, _ := Model{}.Awake(time.Time{})
	m, isLesson := p.(Model)
	if !isLesson {
		t.Fatalf("%T", p)
	}
	one, other := aSecret("b3Blbg=="), aSecret("Y2xvc2U=")
	blame, shown := m.blame(one, block{})
	difference, _, compared := m.difference(one, other)
	if !shown || !compared {
		t.Fatal("nothing is shown")
	}
	text, err := json.Marshal([]any{blame, difference})
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"b3Blbg", "Y2xvc2U", "open", "close"} {
		if strings.Contains(string(text), `"`+value) {
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
