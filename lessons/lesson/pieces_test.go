package lesson

import (
	"slices"
	"strings"
	"testing"
)

func TestPieces(t *testing.T) {
	v := Vars{"namespace": "learn-x"}
	got := v.Pieces("/ns/{{namespace}}/x/{{later}}")
	want := []Piece{{Text: "/ns/"}, {"learn-x", "namespace"}, {Text: "/x/"}, {"later", "later"}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	if len(v.Pieces("")) != 0 {
		t.Error("nothing has pieces")
	}
}

func TestRoute(t *testing.T) {
	document, err := decode([]byte(`{"items":[{"name":"a"},{"name":"b","v":[1,2]}],"f":["x/y"]}`))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		".":                     "",
		`.items[name="b"].v`:    "items 1 v",
		".items[-1].v[0]":       "items 1 v 0",
		`.f[="x/y"]`:            "f 0",
		`.items[name="c"].name`: "none",
	} {
		p, err := ParsePath(path)
		if err != nil {
			t.Fatal(err)
		}
		route, ok := p.Route(document)
		got := strings.Join(route, " ")
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
