package program

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// call calls a tool as an assistant with a token.
func (f *shared) call(token, tool string) (int, string) {
	f.t.Helper()
	return f.browser().send(http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{"resource":"pods"}}}`,
		"Authorization", "Bearer "+token, "Content-Type", "application/json", "Accept", "application/json, text/event-stream")
}

// signedIn is a browser of somebody, and programToken a token that its page makes.
func (f *shared) signedIn(name string) *browser {
	f.t.Helper()
	b := f.browser()
	if code, text := b.send(http.MethodPost, "/-/sign-in", url.Values{"cluster": {"k"}, "token": {"token-of-" + name}, "next": {"/"}}.Encode(), ownForm...); code >= 400 {
		f.t.Fatalf("%s can't sign in: %d %s", name, code, text)
	}
	return b
}

func (b *browser) programToken() string {
	b.t.Helper()
	code, text := b.send(http.MethodPost, "/-/programs", "", ownForm...)
	if code != http.StatusOK {
		b.t.Fatalf("%d %s", code, text)
	}
	return strings.TrimSpace(text)
}

// ownForm are the headers of a form on a page of Fieldmark.
var ownForm = []string{"Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded"}

// TestProgramToken_OfTheSharedMode: each person's assistant has that person's credentials, an audit line for each call, and nothing after signing out.
func TestProgramToken_OfTheSharedMode(t *testing.T) {
	f := startBelow(t, "/tools")
	ada, ben := f.signedIn("ada"), f.signedIn("ben")
	tokens := map[string]string{"ada": ada.programToken(), "ben": ben.programToken()}
	for name, token := range tokens {
		// The API server of this test answers everything with the token that it got, so types can't be read.
		if code, text := f.call(token, "list"); code != http.StatusOK || !strings.Contains(text, "types of the cluster") || strings.Contains(text, "token-of-") {
			t.Errorf("%s: %d %s", name, code, text)
		}
		if code, text := f.get("GET", f.base+"/clusters/k/api/v1/pods", token); code != http.StatusUnauthorized {
			t.Errorf("%s's token is good for the API: %d %s", name, code, text)
		}
	}
	if code, text := f.call("token-of-ada", "list"); code != http.StatusUnauthorized {
		t.Errorf("a person's own token is let in: %d %s", code, text)
	}
	if code, _ := ada.send(http.MethodPost, "/-/sign-out", "", "Sec-Fetch-Site", "same-origin"); code >= 400 {
		t.Fatalf("ada can't sign out: %d", code)
	}
	if code, text := f.call(tokens["ada"], "list"); code != http.StatusUnauthorized {
		t.Errorf("after signing out: %d %s", code, text)
	}
	if code, text := f.call(tokens["ben"], "list"); code != http.StatusOK {
		t.Errorf("ben, after ada has signed out: %d %s", code, text)
	}
	f.ended()
	users := map[string]int{}
	for line := range strings.Lines(f.stdout.String()) {
		var of struct{ User, Path string }
		if json.Unmarshal([]byte(line), &of) == nil && of.Path == "/mcp" {
			users[of.User]++
		}
	}
	if users["ada"] != 1 || users["ben"] != 2 {
		t.Errorf("the audit lines are of %v: %s", users, f.stdout.String())
	}
}

// TestProgramToken_CountsForItsPerson: the calls of an assistant use up the quota of its person, and nobody else's.
func TestProgramToken_CountsForItsPerson(t *testing.T) {
	f := startShared(t, "--shared-config", put(t, "c", "quotas: {person: {requestsPerSecond: 1, burst: 20}}", 0o600))
	ada, ben := f.signedIn("ada"), f.signedIn("ben")
	token, bens := ada.programToken(), ben.programToken()
	refused := 0
	for range 60 {
		if code, text := f.call(token, "list"); code == http.StatusTooManyRequests {
			refused++
		} else if code != http.StatusOK {
			t.Fatalf("%d %s", code, text)
		}
	}
	if refused == 0 {
		t.Error("60 calls are in a quota of 20")
	}
	if code, text := f.get("GET", f.base+"/clusters/k/version", "token-of-ada"); code != http.StatusTooManyRequests {
		t.Errorf("the person's other programs have a quota of their own: %d %s", code, text)
	}
	if code, text := f.call(bens, "list"); code != http.StatusOK {
		t.Errorf("another person's assistant: %d %s", code, text)
	}
}

// TestProgramToken_OnItsPage: a person sees and revokes their own tokens, below the path of a shared Fieldmark.
func TestProgramToken_OnItsPage(t *testing.T) {
	f := startBelow(t, "/tools")
	ada, ben := f.signedIn("ada"), f.signedIn("ben")
	token := ada.programToken()
	f.call(token, "list")
	_, page := ada.send(http.MethodGet, "/-/programs", "", "Sec-Fetch-Site", "same-origin", "Accept", "text/html")
	_, rest, _ := strings.Cut(page, `name="revoke" value="`)
	id, _, found := strings.Cut(rest, `"`)
	if !found || !strings.Contains(page, "…"+token[len(token)-4:]) || !strings.Contains(page, "last used ") || strings.Contains(page, token) || !strings.Contains(page, `action="/tools/-/programs"`) {
		t.Fatal(page)
	}
	if _, theirs := ben.send(http.MethodGet, "/-/programs", "", "Sec-Fetch-Site", "same-origin", "Accept", "text/html"); strings.Contains(theirs, id) || strings.Contains(theirs, token[len(token)-4:]) {
		t.Error("another person sees the token")
	}
	revoke := url.Values{"revoke": {id}}.Encode()
	for _, c := range []struct {
		by   *browser
		code int
	}{{ben, http.StatusOK}, {ada, http.StatusUnauthorized}} {
		if code, text := c.by.send(http.MethodPost, "/-/programs", revoke, ownForm...); code != http.StatusOK {
			t.Errorf("%d %s", code, text)
		}
		if code, text := f.call(token, "list"); code != c.code {
			t.Errorf("%d %s, want %d", code, text, c.code)
		}
	}
	if _, made := ada.send(http.MethodPost, "/-/programs", "", append([]string{"Accept", "text/html"}, ownForm...)...); !strings.Contains(made, f.base+"/mcp") {
		t.Error("the page doesn't say where programs send the token:", made)
	}
}
