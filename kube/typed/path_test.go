package typed

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestPathsAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "",
		" . ":                                ".",
		".spec.replicas":                     ".spec.replicas",
		"spec.replicas":                      ".spec.replicas",
		" spec.containers[name=app].image\n": `.spec.containers[name="app"].image`,
		`.spec.containers[name="app"].image`: `.spec.containers[name="app"].image`,
		`.spec.containers[name='app']`:       `.spec.containers[name="app"]`,
		".ports[protocol=TCP, port=80]":      `.ports[port=80,protocol="TCP"]`,
		".ports[port=http]":                  `.ports[port="http"]`,
		".metadata.finalizers[=a.b/c,d]":     `.metadata.finalizers[="a.b/c,d"]`,
		`.metadata.finalizers[="x"]`:         `.metadata.finalizers[="x"]`,
		".spec.containers[0].image":          ".spec.containers[0].image",
		".spec.containers[*].image":          ".spec.containers[*].image",
		".spec.containers[].image":           ".spec.containers[*].image",
		`metadata.annotations["a.b/c"]`:      ".metadata.annotations.a.b/c",
		"metadata.annotations[a.b/c]":        ".metadata.annotations.a.b/c",
		`.a[k="]\"]",p=1].b`:                 `.a[k="]\"]",p=1].b`,
		".spec.containers[name=*].image":     `.spec.containers[name="*"].image`, // a pattern of a rule
		".spec.":                             ".spec.",
		".a[b":                               ".a[b",
		".a[b=1,c]":                          ".a[b=1,c]",
		`.a["b" c]`:                          `.a["b" c]`,
		".data.cut…":                         ".data.cut…",
	} {
		if got := Path(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestItemsThatAStepFits(t *testing.T) {
	for _, c := range []struct {
		step, item string
		at         int
		want       bool
	}{
		{"[name=app]", `{"name":"app"}`, 3, true},
		{"[name=app]", `{"name":"app2"}`, 0, false},
		{"[name=app]", `{}`, 0, false},
		{"[port=80]", `{"port":80,"protocol":"TCP"}`, 0, true},
		{"[port=80]", `{"port":"80"}`, 0, true},
		{`[port="80"]`, `{"port":"80"}`, 0, true},
		{"[port=80,protocol=UDP]", `{"port":80,"protocol":"TCP"}`, 0, false},
		{"[on=true]", `{"on":true}`, 0, true},
		{"[on=null]", `{"on":null}`, 0, true},
		{"[=a]", `"a"`, 0, true},
		{"[=a]", `"b"`, 0, false},
		{"[=1]", `1`, 0, true},
		{"[=a]", `{"":"a"}`, 0, true},
		{"[name=app]", `"app"`, 0, false},
		{"[1]", `{}`, 1, true},
		{"[1]", `{}`, 0, false},
		{"[*]", `{}`, 0, false},
		{"[k={}]", `{"k":{}}`, 0, false},
	} {
		d := json.NewDecoder(strings.NewReader(c.item))
		d.UseNumber()
		var item any
		if err := d.Decode(&item); err != nil {
			t.Fatal(err)
		}
		steps, err := Steps(c.step)
		if err != nil || len(steps) != 1 || steps[0].Fits(item, c.at) != c.want {
			t.Errorf("%s and %s at %d: %+v, %v, want %v", c.step, c.item, c.at, steps, err, c.want)
		}
	}
}

// FuzzPath: what is written is read as the same, and a dot at the beginning says nothing.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{
		"spec.replicas", "spec.containers[name=app].image", `.a["b.c"][k='v',n=1][=x][0][*]`, ".", "[", "a[=", `[k="\"]"]`, "spec.template.spec.containers[containerPort=80,protocol=TCP]",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := Path(text)
		trimmed := strings.TrimSpace(text)
		if trimmed != "" && trimmed[0] != '.' && trimmed[0] != '[' && Path("."+trimmed) != path {
			if _, err := Steps(trimmed); err == nil {
				t.Errorf("%q is %q, but %q with a dot", text, path, Path("."+trimmed))
			}
		}
		steps, err := Steps(text)
		ambiguous := false // the notation doesn't quote names
		for _, s := range steps {
			ambiguous = ambiguous || strings.ContainsAny(s.Name, ".[") || strings.TrimSpace(s.String()) != s.String() || !s.Item && s.Name == ""
			if s.Item && s.Name != "" || !s.Item && len(s.Keys)+len(s.Index) > 0 || err != nil {
				t.Errorf("%q: %+v, %v", text, s, err)
			}
		}
		if again := Path(path); !ambiguous && again != path {
			t.Errorf("%q is %q, and that is %q", text, path, again)
		}
	})
}
