package lesson

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/object/canary"
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

// Answers of lessons are laid out without secrets, whole and cut, whatever their format is.
func TestNoCanaryEscapes(t *testing.T) {
	for _, d := range canary.Documents() {
		for _, media := range []string{"application/json", "application/yaml", "application/vnd.kubernetes.protobuf"} {
			for n := len(d.JSON); n > 0; n -= 29 {
				a := &asked{lines: 1000, x: call.Call{
					State: call.Whole, Status: 200, Path: d.Path, Answer: []request.Header{{Name: "content-type", Value: media}}, Kept: []byte(d.JSON[:n]),
				}}
				lines, _ := Model{live: &live{asked: map[block]*asked{{}: a}}}.lay(block{}, a, true)
				if shown := fmt.Sprint(lines); canary.Escapes(shown) {
					t.Fatalf("%s as %s, %d bytes: %s", d.Name, media, n, shown)
				}
			}
		}
	}
}
