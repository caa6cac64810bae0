package web

import (
	"net/url"
	"strings"
	"testing"
)

func TestAddresses(t *testing.T) {
	for got, want := range map[string]string{
		Cluster("practice"): "/c/practice",
		Cluster("a/b"):      "/c/a%2Fb",
		Page("practice", "/apis/apps/v1/deployments"):     "/c/practice/apis/apps/v1/deployments",
		API("practice", "/api/v1/pods"):                   "/clusters/practice/api/v1/pods",
		Tool("practice", Find):                            "/c/practice/-/find",
		WithQuery("/x", url.Values{"a": {""}}):            "/x",
		WithQuery("/x", url.Values{"a": {"1"}, "b": nil}): "/x?a=1",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestOnlyLocalAddressesAreRedirectedTo(t *testing.T) {
	for address, want := range map[string]bool{
		"/": true, "/c/practice?a=b#c": true,
		"": false, "//evil.test": false, "/\\evil.test": false, "https://evil.test": false,
		"javascript:alert(1)": false, "c/x": false, "/\nx": false, "/\t/evil.test": false,
	} {
		if got := Local(address); got != want {
			t.Errorf("Local(%q) = %v", address, got)
		}
	}
}

func TestWhichProgramRunsAPage(t *testing.T) {
	for path, want := range map[string]string{
		"/c/practice/-/apply": WriteProgram, "/c/practice/-/delete": RunProgram, "/c/practice/-/assist": WriteProgram,
		"/c/practice/-/contention": SurveyProgram, "/c/practice/-/watch": LabProgram, "/c/practice/watch": ReadProgram,
		"/c/practice/delete": ReadProgram, "/c/practice/-/delete/x": ReadProgram, "/c/practice": ReadProgram, "/-/delete": ReadProgram,
		"/c/practice/api/v1/namespaces/-/delete": ReadProgram, "/": ReadProgram,
		"/-/search?q=a#b": SurveyProgram, "/-/search/x": ReadProgram, "/learn": LearnProgram, "/learn/glossary#uid": LearnProgram, "/learnt": ReadProgram,
	} {
		if got := Program(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, p := range Profiles() {
		address := strings.NewReplacer("{cluster}", "c", "{lesson}", "verbs", "{path...}", "api/v1/pods").Replace(p.Address)
		if got := Program(address); got != p.Program && p.Address != "" {
			t.Errorf("%s is run by %s, and is a page of %s", address, got, p.Program)
		}
	}
}
