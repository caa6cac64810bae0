package compared

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/request"
)

func response(body string) compare.Response {
	return compare.Response{Status: 200, Header: []request.Header{{Name: "content-type", Value: "application/json"}}, Body: []byte(body)}
}

// One below the other, a line that changes is two lines, and what always differs is no change.
func TestBodiesOneBelowTheOther(t *testing.T) {
	found := compare.Of(response(`{"a":1,"metadata":{"uid":"x"},"b":2}`), response(`{"a":2,"metadata":{"uid":"y"},"b":2}`))
	for name, c := range map[string]struct {
		look Look
		want string
	}{
		"below":     {Look{Equal: true, Most: 99}, " |goes|comes| |varies| | | |"},
		"beside":    {Look{Equal: true, Most: 99, Side: true}, " |changes| |varies| | | |"},
		"all":       {Look{Equal: true, Most: 99, Side: true, All: true}, " |changes| |changes| | | |"},
		"folded":    {Look{Around: 1, Most: 99}, " |goes|comes| |left|"},
		"at most 3": {Look{Equal: true, Most: 3}, " |goes|comes|"},
	} {
		d, more := Of(&found, c.look)
		got := ""
		for _, l := range d.Lines {
			switch {
			case l.Left > 0:
				got += "left|"
			case l.Mark == "":
				got += " |"
			default:
				got += l.Mark + "|"
			}
		}
		if got != c.want || more != (name == "at most 3") {
			t.Errorf("%s: %s, more: %v", name, got, more)
		}
	}
}
