package anatomy

import (
	"context"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/lessons/lesson"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

func TestEachPartSaysWhatItIs(t *testing.T) {
	r := lesson.Request{
		Method: "PATCH", Target: "/api/v1/namespaces/{{namespace}}/configmaps/settings?fieldManager=you&nonsense=1",
		Header: []lesson.Header{{Name: "Content-Type", Value: "application/apply-patch+yaml"}}, Body: "data: {}\n",
	}
	var got []string
	taken := Of(r, lesson.Vars{lesson.Namespace: "mine"}, shell.Model{})
	for _, p := range append(taken.all(), taken.body) {
		got = append(got, p.before+p.plainText()+" is the "+p.name)
	}
	want := []string{
		"PATCH is the method", "/api is the root", "/v1 is the version", "/namespaces is the namespaces", "/mine is the namespace",
		"/configmaps is the resource type", "/settings is the name", "?fieldManager=you is the parameter fieldManager", "&nonsense=1 is the parameter nonsense",
		"application/apply-patch+yaml is the Content-Type", "data: {} is the body",
	}
	if a, b := strings.Join(got, "\n"), strings.Join(want, "\n"); a != b {
		t.Errorf("got\n%s\nwant\n%s", a, b)
	}
	if filled := Filled(r, nil); filled.Target[:29] != "/api/v1/namespaces/namespace/" {
		t.Error(filled.Target)
	}
}

func TestAPartIsExplainedWhereThePageLives(t *testing.T) {
	taken := Of(lesson.Request{Method: "GET", Target: "/api/v1/pods"}, nil, shell.Model{})
	for _, c := range []struct {
		look          Look
		buttons, told int
	}{{Look{}, 0, 0}, {Look{Do: "part 0.0"}, 4, 0}, {Look{Do: "part 0.0", Open: "3"}, 4, 1}} {
		var b strings.Builder
		if err := Wired(c.look, taken).Render(context.Background(), &b); err != nil {
			t.Fatal(err)
		}
		if buttons, told := strings.Count(b.String(), "<button"), strings.Count(b.String(), `class="part-words"`); buttons != c.buttons || told != c.told {
			t.Errorf("%+v: %d buttons, %d parts explained: %s", c.look, buttons, told, b.String())
		}
	}
}
