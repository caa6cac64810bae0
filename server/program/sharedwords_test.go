package program

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestWordsOfTheSharedMode looks for the kubeconfig in refusals below a path of the host: people who use a shared Fieldmark have none there.
func TestWordsOfTheSharedMode(t *testing.T) {
	f := startBelow(t, "/tools")
	b := f.browser()
	form := url.Values{"cluster": {"k"}, "token": {"token-of-ada"}}.Encode()
	if code, text := b.send(http.MethodPost, "/-/sign-in", form, "Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded"); code != http.StatusSeeOther {
		t.Fatalf("%d %s", code, text)
	}
	for name, c := range map[string]struct {
		path    string
		headers []string
		code    int
		words   string
	}{
		"a page that isn't there": {"/nowhere", nil, http.StatusNotFound, "Page not found"},
		"kubectl --as":            {"/clusters/k/api", []string{"Impersonate-User", "ben"}, http.StatusForbidden, "as the person whose token it has"},
	} {
		code, text := b.send(http.MethodGet, c.path, "", append(c.headers, "Sec-Fetch-Site", "same-origin")...)
		if code != c.code || !strings.Contains(text, c.words) || strings.Contains(text, "kubeconfig") {
			t.Errorf("%s: %d %s", name, code, text)
		}
	}
}
