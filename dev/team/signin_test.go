package team

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/dev/team/browse"
	"github.com/fieldmark/fieldmark/dev/team/dex"
	"github.com/fieldmark/fieldmark/dev/team/replica"
)

// visitor is a person at a browser.
type visitor struct {
	*browse.Browser

	stage  *scene
	person dex.Person
	page   *browse.Page
}

const (
	secretsA = "/clusters/" + replica.Slug + "/api/v1/namespaces/team-a/secrets"
	secretsB = "/clusters/" + replica.Slug + "/api/v1/namespaces/team-b/secrets"
)

// action is where the form of a page is sent.
var action = regexp.MustCompile(`<form method="post" action="([^"]*)"`)

// visit opens a page in a new browser, and signs the person in as dex wants it.
func (s *scene) visit(t *testing.T, p dex.Person, page string) *visitor {
	t.Helper()
	v := &visitor{Browser: browse.New(s.CA.Pool), stage: s, person: p}
	v.signIn(t, page)
	return v
}

func (v *visitor) signIn(t *testing.T, page string) {
	t.Helper()
	start := v.stage.Public + "/-/sign-in/start?" + url.Values{"cluster": {replica.Slug}, "next": {page}}.Encode()
	form, err := v.Open(t.Context(), nil, start)
	if err != nil {
		t.Fatal(err)
	}
	found := action.FindStringSubmatch(form.Body)
	if found == nil || form.URL.Hostname() != "localhost" {
		t.Fatalf("no form of dex after %q: %d %s", form.Way, form.Status, form.Body)
	}
	login := url.Values{"login": {v.person.Email()}, "password": {v.person.Password()}}
	if v.page, err = v.Submit(t.Context(), form, html.UnescapeString(found[1]), login); err != nil {
		t.Fatal(err)
	}
	if v.page.Status != http.StatusOK || v.page.URL.String() != v.stage.Public+page {
		t.Fatalf("%s is led to %q: %d\n%s", v.person.Name, v.page.Way, v.page.Status, v.page.Body)
	}
}

// status sends a request of the page, and returns the status code.
func (v *visitor) status(t *testing.T, method, path, body string) int {
	t.Helper()
	got, err := v.Fetch(t.Context(), v.page, method, path, body)
	if err != nil {
		t.Fatal(err)
	}
	return got.Status
}

func TestTwoPeopleSeeWhatEachOfThemMay(t *testing.T) {
	s := onStage(t)
	people := map[string]*visitor{"ada": s.visit(t, ada, "/"), "ben": s.visit(t, ben, "/")}
	configMap := `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"of-ada"}}`
	for _, c := range []struct {
		who, method, path, body string
		want                    int
	}{
		{"ada", "GET", "/clusters/practice/api/v1/namespaces", "", 200},
		{"ben", "GET", "/clusters/practice/api/v1/namespaces", "", 403},
		{"ada", "GET", secretsA, "", 200},
		{"ben", "GET", secretsA, "", 403},
		{"ada", "GET", secretsB, "", 403},
		{"ben", "GET", secretsB, "", 200},
		{"ada", "POST", "/clusters/practice/api/v1/namespaces/team-a/configmaps?dryRun=All", configMap, 201},
		{"ben", "POST", "/clusters/practice/api/v1/namespaces/team-b/configmaps?dryRun=All", configMap, 403},
	} {
		for range 2 { // once at each replica
			if got := people[c.who].status(t, c.method, c.path, c.body); got != c.want {
				t.Errorf("%s %s %s: %d, want %d", c.who, c.method, c.path, got, c.want)
			}
		}
	}
	for _, r := range s.Replicas {
		if s.Proxy.Served(r.Address) == 0 {
			t.Error("a replica was never asked")
		}
		if said := r.Said(); strings.Contains(said, "eyJ") {
			t.Error("a token is in the log")
		}
	}
	for _, v := range people {
		if strings.Contains(v.page.Body, "eyJ") {
			t.Error("a token is in the page")
		}
	}
}
