package changes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/changes"
	"github.com/fieldmark/fieldmark/kube/change"
)

func preview(t *testing.T) *change.Preview {
	t.Helper()
	object := func(b string) map[string]any {
		return map[string]any{"apiVersion": "v1", "data": map[string]any{"a": "1", "b": b, "c": "3"}, "kind": "ConfigMap"}
	}
	p, err := change.Compare(change.Input{Live: object("old"), Predicted: object("new")})
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

func spell(d components.Difference) string {
	var all []string
	for _, l := range d.Lines {
		switch {
		case l.Left > 0:
			all = append(all, fmt.Sprintf("%d left out", l.Left))
		case l.Mark == "":
			all = append(all, strings.TrimSpace(l.New.String()))
		default:
			all = append(all, fmt.Sprintf("%s %d/%d %s", l.Mark, l.OldNumber, l.NewNumber, l.Path))
		}
	}
	return strings.Join(all, "; ")
}

func TestLooks(t *testing.T) {
	p := preview(t)
	for _, c := range []struct {
		name, want string
		look       changes.Look
		more       bool
	}{
		{"one below the other", `2 left out; a: "1"; goes 4/0 .data.b; comes 0/4 .data.b; c: "3"; 1 left out`, changes.Look{Around: 1}, false},
		{"beside each other", `3 left out; changes 4/4 .data.b; 2 left out`, changes.Look{Side: true}, false},
		{"all lines", `apiVersion: v1; data:; a: "1"; changes 4/4 .data.b; c: "3"; kind: ConfigMap`, changes.Look{Side: true, All: true}, false},
		{"the first of them", `2 left out; a: "1"`, changes.Look{Around: 1, Most: 2}, true},
	} {
		c.look.Label = c.name
		d, more := changes.Of(p, c.look)
		if got := spell(d); got != c.want || more != c.more || d.Side != c.look.Side || d.Label != c.name {
			t.Errorf("%s: %s (%t)\nwant %s", c.name, got, more, c.want)
		}
	}
}
