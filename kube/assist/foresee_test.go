package assist

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/ownership"
)

func TestLeft(t *testing.T) {
	me := ownership.Manager{Name: "me", Operation: ownership.Apply, APIVersion: "v1"}
	for _, c := range []struct {
		name, path string
		from       ownership.Manager
		entries    []string
		want       string
	}{
		{
			"one of several", ".spec.a", me,
			[]string{`me Apply v1 {"f:spec":{"f:a":{},"f:b":{}}}`, `other Apply v1 {"f:spec":{"f:a":{}}}`},
			`me Apply v1 {"f:spec":{"f:b":{}}}` + "\n" + `other Apply v1 {"f:spec":{"f:a":{}}}`,
		},
		{
			"all that it had", ".spec.a", me,
			[]string{`me Apply v1 {"f:spec":{"f:a":{}}}`, `other Apply v1 {"f:spec":{"f:a":{}}}`},
			`other Apply v1 {"f:spec":{"f:a":{}}}`,
		},
		{
			"in an item", `.spec.l[name="x"].v`, me,
			[]string{`me Apply v1 {"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{},"f:v":{}}}}}`},
			`me Apply v1 {"f:spec":{"f:l":{"k:{\"name\":\"x\"}":{".":{},"f:name":{}}}}}`,
		},
		{"who holds nothing", ".spec.a", ownership.Manager{Name: "no"}, []string{`me Apply v1 {"f:spec":{"f:a":{}}}`}, `me Apply v1 {"f:spec":{"f:a":{}}}`},
	} {
		live := thing(t, `{"a":1,"b":2,"l":[{"name":"x","v":1}]}`, c.entries...)
		before := record(live)
		if got := record(Left(live, c.from, []string{c.path}, nil)); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		if record(live) != before {
			t.Errorf("%s: the object itself was changed", c.name)
		}
	}
}
