package promises

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func testAccess(t *testing.T, p *parity) {
	p.shared.same(t, []step{
		{args: "auth can-i delete pods", says: "yes"},
		{args: "auth can-i * *", says: "yes"},
		{args: "auth can-i --list", says: "*.*"},
		{args: "auth can-i delete pods -n shop", viewer: true, code: 1, says: "no"},
		{args: "auth can-i get pods -n shop", viewer: true, says: "yes"},
		{args: "auth can-i create pods/exec -n shop", viewer: true, code: 1, says: "no"},
		{args: "auth can-i --list -n shop", viewer: true, says: "deployments.apps"},
		{args: "auth can-i get nothings", code: 0, says: "Warning: the server doesn't have a resource type 'nothings'"},
		{args: "auth whoami", says: "practice-admin"},
		{args: "auth whoami -o yaml", viewer: true, says: "practice:viewers"},
	})
}

// testToken gets tokens by both ways for one service account: they say the same but for when they were made.
func testToken(t *testing.T, p *parity) {
	pl := p.namespace(t, "token")
	pl.prepare(t, step{args: "create serviceaccount robot"})
	for _, args := range []string{"create token robot", "create token robot --duration=1h --audience=a --audience=b"} {
		t.Run(args, func(t *testing.T) {
			d := claims(t, p.must(t, p.direct, pl.direct, step{args: args}))
			th := claims(t, p.must(t, p.through, pl.through, step{args: args}))
			if subject := "system:serviceaccount:" + pl.direct + ":robot"; d["sub"] != subject {
				t.Errorf("directly, the subject is %v, want %s", d["sub"], subject)
			}
			if !reflect.DeepEqual(d, th) {
				t.Errorf("directly          %v\nthrough Fieldmark %v", d, th)
			}
		})
	}
	pl.same(t, []step{
		{args: "create token none", code: 1, says: `serviceaccounts "none" not found`},
		{args: "create token robot --duration=1s", code: 1, says: "may not specify a duration less than 10 minutes"},
		{args: "create token robot", viewer: true, code: 1, says: "is forbidden"},
		{args: "create token robot -o yaml", says: "kind: TokenRequest", differ: []rule{tokens, times}},
	})
}

// claims are what a token says, with its times as a duration and without its own name.
func claims(t *testing.T, token string) map[string]any {
	t.Helper()
	parts := strings.Split(strings.TrimSpace(token), ".")
	if len(parts) != 3 {
		t.Fatalf("%d parts, want the 3 of a JSON web token", len(parts))
	}
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(payload, &all); err != nil {
		t.Fatal(err)
	}
	lifetime := all["exp"].(float64) - all["iat"].(float64)
	for _, own := range []string{"exp", "iat", "nbf", "jti"} {
		delete(all, own)
	}
	all["lifetime"], all["header"] = fmt.Sprint(lifetime), parts[0]
	return all
}
