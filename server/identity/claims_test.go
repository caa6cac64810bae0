package identity

import (
	"encoding/base64"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestClaims(t *testing.T) {
	token := func(payload string) string {
		return "e30." + base64.RawURLEncoding.EncodeToString([]byte(payload)) + ".c2ln"
	}
	for name, c := range map[string]struct {
		token string
		want  Claims
		ok    bool
	}{
		"one audience": {token(`{"iss":"https://i","sub":"ada","aud":"k","exp":1800000000}`), Claims{"https://i", "ada", []string{"k"}, time.Unix(1800000000, 0).UTC()}, true},
		"many":         {token(`{"iss":"https://i","aud":["a","b"]}`), Claims{Issuer: "https://i", Audiences: []string{"a", "b"}}, true},
		"a late end":   {token(`{"exp":1e300}`), Claims{}, true},
		"an early end": {token(`{"exp":-5}`), Claims{}, true},
		"no audience":  {token(`{"aud":7}`), Claims{}, false},
		"no object":    {token(`[]`), Claims{}, false},
		"no JSON":      {token(`ada`), Claims{}, false},
		"no base64":    {"e30.*.c2ln", Claims{}, false},
		"two parts":    {"e30.e30", Claims{}, false},
		"four parts":   {"e30.e30.e30.e30", Claims{}, false},
		"no token":     {"", Claims{}, false},
		"long":         {token(`{"iss":"` + strings.Repeat("i", maxToken) + `"}`), Claims{}, false},
	} {
		if got, ok := ClaimsOf(c.token); ok != c.ok || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v %v", name, got, ok)
		}
	}
}
