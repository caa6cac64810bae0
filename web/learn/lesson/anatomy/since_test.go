package anatomy

import (
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func TestWhatDiffersFromTheRequestBeforeIsMarked(t *testing.T) {
	apply := func(query, body string) *lesson.Request {
		return &lesson.Request{Method: "PATCH", Target: "/api/v1/namespaces/{{namespace}}/configmaps/shop" + query, Header: []lesson.Header{{Name: "Content-Type", Value: "application/apply-patch+yaml"}}, Body: body}
	}
	first := apply("?fieldManager=ada", "data:\n  banner: Spring\n  currency: EUR\n")
	read := &lesson.Request{Method: "GET", Target: "/api/v1/namespaces/{{namespace}}/configmaps/shop"}
	for name, c := range map[string]struct {
		now  *lesson.Request
		want string // new parts with +, lines that are gone with -
	}{
		"the same":         {apply("?fieldManager=ada", first.Body), ""},
		"another manager":  {apply("?fieldManager=ben", first.Body), "+fieldManager=ben"},
		"one more":         {apply("?fieldManager=ada&force=true", first.Body), "+force=true"},
		"another value":    {apply("?fieldManager=ada", "data:\n  banner: Spring\n  currency: USD\n"), "+  currency: USD"},
		"a line less":      {apply("?fieldManager=ada", "data:\n  currency: EUR\n"), "-  banner: Spring"},
		"a line more":      {apply("?fieldManager=ada", "data:\n  banner: Spring\n  currency: EUR\n  tax: \"7\"\n"), "+  tax: \"7\""},
		"a parameter less": {apply("", first.Body), "differs"},
	} {
		before := Similar(c.now, []*lesson.Request{first, read})
		if before != first {
			t.Fatalf("%s: compared with %+v", name, before)
		}
		marked, differs := Of(*c.now, nil, shell.Model{}).Since(Of(*before, nil, shell.Model{}))
		var got []string
		for _, p := range marked.all() {
			if p.new {
				got = append(got, "+"+p.plainText())
			}
		}
		for _, r := range marked.lines {
			switch text := (part{pieces: r.pieces}).plainText(); {
			case r.new:
				got = append(got, "+"+text)
			case r.gone:
				got = append(got, "-"+text)
			}
		}
		if differs != (c.want != "") {
			t.Errorf("%s: differs: %v", name, differs)
		}
		if text := strings.Join(got, "\n"); text != c.want && c.want != "differs" {
			t.Errorf("%s: got %q", name, text)
		}
	}
	if Similar(read, []*lesson.Request{first}) != nil {
		t.Error("a GET is compared with a PATCH")
	}
}
