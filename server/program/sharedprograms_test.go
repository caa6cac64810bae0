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

// TestProgramToken_OfTheSharedMode: each person's assistant has that person's credentials, an audit line for each call, and nothing after signing out.
func TestProgramToken_OfTheSharedMode(t *testing.T) {
	f := startBelow(t, "/tools")
	ada, ben := f.browser(), f.browser()
	tokens := map[string]string{}
	for name, b := range map[string]*browser{"ada": ada, "ben": ben} {
		if code, text := b.send(http.MethodPost, "/-/sign-in", url.Values{"cluster": {"k"}, "token": {"token-of-" + name}, "next": {"/"}}.Encode(),
			"Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded"); code >= 400 {
			t.Fatalf("%s can't sign in: %d %s", name, code, text)
		}
		code, text := b.send(http.MethodPost, "/-/programs", "", "Sec-Fetch-Site", "same-origin", "Content-Type", "application/x-www-form-urlencoded")
		if tokens[name] = strings.TrimSpace(text); code != http.StatusOK {
			t.Fatalf("%d %s", code, text)
		}
	}
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
