package program

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web"
)

// A person of the shared mode views a cluster as somebody else, with the person's own token.
func TestSmuggledIdentity_AViewOfTheSharedMode(t *testing.T) {
	f := startShared(t)
	ada, ben := f.browser(), f.browser()
	for name, b := range map[string]*browser{"ada": ada, "ben": ben} {
		if code, text := b.post("/-/sign-in", url.Values{"cluster": {"k"}, "token": {"token-of-" + name}, "next": {"/"}}); code >= 400 {
			t.Fatalf("%s can't sign in: %d %s", name, code, text)
		}
	}
	asks := func(b *browser, what, token, as string) {
		t.Helper()
		if code, text := b.get("/clusters/k/api/v1/pods"); code != http.StatusOK || !strings.Contains(text, `"token":"`+token+`","as":"`+as+`"`) {
			t.Errorf("%s: %d %s", what, code, text)
		}
	}
	asks(ada, "before", "token-of-ada", "")
	if _, text := ada.get("/c/k/-/whoami"); !strings.Contains(text, "you pasted a token") || strings.Contains(text, "token-of-ada") {
		t.Errorf("who am I: %s", text)
	}
	form := url.Values{web.ViewAct: {web.ViewStart}, web.ViewUser: {"cleo"}, web.ViewGroups: {"dev"}, web.ViewBack: {"/"}}
	if code, text := ada.post("/c/k/-/whoami", form); code != http.StatusSeeOther {
		t.Fatalf("the view doesn't begin: %d %s", code, text)
	}
	asks(ada, "while viewing", "token-of-ada", "cleo")
	asks(ben, "somebody else meanwhile", "token-of-ben", "")
	if code, text := ada.get("/"); code != http.StatusOK || !strings.Contains(text, "You view the cluster k as cleo, in the group dev.") {
		t.Errorf("the first page isn't marked: %d", code)
	}
	write := func() (int, string) {
		return ada.send(http.MethodPost, "/clusters/k/api/v1/namespaces", "{}", "Sec-Fetch-Site", "same-origin", "Origin", ada.base, "Content-Type", "application/json")
	}
	if code, text := write(); code != http.StatusForbidden || !strings.Contains(text, "You view the cluster k as cleo.") {
		t.Errorf("a write while viewing: %d %s", code, text)
	}
	if code, _ := ada.post("/c/k/-/whoami", url.Values{web.ViewAct: {web.ViewStop}, web.ViewBack: {"/"}}); code != http.StatusSeeOther {
		t.Errorf("the view doesn't end: %d", code)
	}
	asks(ada, "afterwards", "token-of-ada", "")
	if code, text := write(); code != http.StatusOK {
		t.Errorf("a write afterwards: %d %s", code, text)
	}
}
