package access

import (
	"reflect"
	"testing"
)

func TestListIsOneRowForEachType(t *testing.T) {
	rules := Rules{
		Resource: []Rule{
			{Verbs: []string{"watch", "list", "get"}, Groups: []string{"", "apps"}, Resources: []string{"pods", "pods/log"}},
			{Verbs: []string{"delete", "get", "approve"}, Groups: []string{""}, Resources: []string{"pods"}},
			{Verbs: []string{"get"}, Groups: []string{""}, Resources: []string{"secrets"}, Names: []string{"b", "a"}},
			{Verbs: []string{"update"}, Groups: []string{""}, Resources: []string{"secrets"}, Names: []string{"a", "b"}},
			{Verbs: []string{"list"}, Groups: []string{""}, Resources: []string{"secrets"}},
			{Verbs: []string{"*"}, Groups: []string{"*"}, Resources: []string{"*"}},
		},
		NonResource: []Rule{
			{Verbs: []string{"get"}, Paths: []string{"/healthz", "/api/*"}},
			{Verbs: []string{"get", "head"}, Paths: []string{"/healthz"}},
		},
	}
	want := []Granted{
		{Resource: "pods", Verbs: []string{"get", "list", "watch", "delete", "approve"}},
		{Resource: "pods/log", Verbs: []string{"get", "list", "watch"}},
		{Resource: "secrets", Verbs: []string{"list"}},
		{Resource: "secrets", Names: []string{"a", "b"}, Verbs: []string{"get", "update"}},
		{Group: "*", Resource: "*", Verbs: []string{"*"}},
		{Group: "apps", Resource: "pods", Verbs: []string{"get", "list", "watch"}},
		{Group: "apps", Resource: "pods/log", Verbs: []string{"get", "list", "watch"}},
		{Path: "/api/*", Verbs: []string{"get"}},
		{Path: "/healthz", Verbs: []string{"get", "head"}},
	}
	got := rules.List()
	for i, w := range want {
		if i >= len(got) {
			t.Fatalf("%d rows, want %d", len(got), len(want))
		}
		g := got[i]
		if len(g.Names) == 0 {
			g.Names = nil
		}
		if !reflect.DeepEqual(g, w) {
			t.Errorf("row %d: %+v, want %+v", i, g, w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if rules.Resource[0].Verbs[0] != "watch" || rules.Resource[2].Names[0] != "b" {
		t.Error("the rules themselves were sorted")
	}
}

func TestRowsMatchAFilter(t *testing.T) {
	row := Granted{Group: "apps", Resource: "deployments/scale", Names: []string{"web"}, Verbs: []string{"get", "patch"}}
	for filter, want := range map[string]bool{
		"": true, " ": true, "deploy": true, "APPS": true, "patch scale": true, "web": true, "delete": false, "deploy delete": false,
	} {
		if got := row.Matches(filter); got != want {
			t.Errorf("%q: %v", filter, got)
		}
	}
}

func TestParseSelf(t *testing.T) {
	got, ok := ParseSelf([]byte(`{"kind":"SelfSubjectReview","status":{"userInfo":{"username":"ada","uid":"7","groups":["dev"],"extra":{"k":["v"]}}}}`))
	if want := (User{Name: "ada", UID: "7", Groups: []string{"dev"}, Extra: map[string][]string{"k": {"v"}}}); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v %v", got, ok)
	}
	for _, body := range []string{"", "{}", `{"kind":"Status","status":"Failure"}`, `{"kind":"SelfSubjectReview"}`, `{"kind":"Other","status":{"userInfo":{"username":"ada"}}}`} {
		if got, ok := ParseSelf([]byte(body)); ok {
			t.Errorf("%s: %+v", body, got)
		}
	}
}
