package settings

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// all sets everything.
const all = `
publicURL: https://fieldmark.example.com/tools
sessionKeys: [/keys/new, /keys/old]
clustersFile: /etc/fieldmark/clusters
inCluster: {name: here, caFile: /ca}
issuers:
  company:
    title: Company
    url: https://login.example.com
    clientID: fieldmark
    clientSecretFile: /secret
    caFile: /issuer-ca
    scopes: [openid, groups]
    parameters: {audience: kubernetes}
    userClaim: email
    groupsClaim: roles
    userPrefix: "oidc:"
    groupsPrefix: "oidc:"
    send: access_token
clusters:
  here: {title: Shop, issuer: company, audience: kubernetes, proxy: true, ownWatches: true, impersonate: {tokenFile: /token}}
allowTokens: true
trustedProxies: {from: [10.0.0.0/8, "::1"], secretFile: /proxy-secret, caFile: /proxy-ca, names: [oauth2-proxy]}
impersonateGroups: [devs]
writeGroups: [ops]
workloadGroups: [ops]
shareWatches: true
shareGroups: [argoproj.io]
sessions: {idle: 8h, expiry: 24h, max: 10, perPerson: 2}
quotas:
  person: {requestsPerSecond: 1, burst: 2, requests: 3, sockets: 4, exec: 5, bytesPerSecond: 6}
  process: {requestsPerSecond: 7}
`

func TestEverySettingIsRead(t *testing.T) {
	s, err := Parse([]byte(all))
	if err != nil {
		t.Fatal(err)
	}
	if empty := unset(reflect.ValueOf(*s), "settings"); len(empty) > 0 {
		t.Errorf("not read: %q", empty)
	}
	if time.Duration(s.Sessions.Idle) != 8*time.Hour || s.TrustedProxies.From[1].String() != "::1/128" || s.Clusters["here"].Impersonate.TokenFile != "/token" {
		t.Errorf("read wrongly: %+v", s)
	}
}

// unset names the fields without a value. Those of the second quota don't count.
func unset(v reflect.Value, at string) (empty []string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return unset(v.Elem(), at)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			empty = append(empty, unset(v.MapIndex(key), at+"."+key.String())...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Process" {
				empty = append(empty, unset(v.Field(i), at+"."+name)...)
			}
		}
		return empty
	}
	if v.IsZero() {
		return append(empty, at)
	}
	return empty
}

// TestTheExampleOfTheDocuments reads the settings that readers copy.
func TestTheExampleOfTheDocuments(t *testing.T) {
	page, err := os.ReadFile("../../docs/shared.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```yaml\n")
	text, _, found := strings.Cut(rest, "```")
	if s, err := Parse([]byte(text)); err != nil || !found || len(s.Issuers) != 1 || len(s.Clusters) != 2 {
		t.Errorf("the example: %+v (%v)", s, err)
	}
}

func TestBadSettings(t *testing.T) {
	for text, says := range map[string]string{
		"publicUrl: https://x":                       `line 1: there is no setting "publicUrl" here`,
		"issuers:\n  a:\n    secret: hush":           `line 3: there is no setting "secret" here`,
		"allowTokens: {a: hush}":                     "line 1: the value has the wrong type",
		"sessions: {idle: soon}":                     `line 1: "soon" is not a duration`,
		"sessions:\n  idle: -1h":                     "line 2",
		"trustedProxies: {from: [everybody]}":        `"everybody" is neither an address nor a range`,
		"sessionKeys: [a, b, c]":                     "at most two",
		"clusters: {c: {impersonate: {}}}":           "clusters.c.impersonate.tokenFile",
		"quotas: {person: {sockets: -1}}":            "quotas.person",
		"sessions: {max: -1}":                        "sessions: max",
		"sessions: {perPerson: -1}":                  "perPerson",
		"allowTokens: true\n---\nallowTokens: false": "one document",
		"allowTokens: true\nallowTokens: false":      "already defined",
		"\tallowTokens: true":                        "cannot start any token",
		"issuers: [a":                                "line 1",
	} {
		_, err := Parse([]byte(text))
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: %v, want %s", text, err, says)
		}
	}
}

func TestTheIssuerOfACluster(t *testing.T) {
	one := Settings{Issuers: map[string]Issuer{"a": {}}}
	two := Settings{Issuers: map[string]Issuer{"a": {}, "b": {}}, Clusters: map[string]Cluster{"named": {Issuer: "b"}}}
	if one.IssuerOf("any") != "a" || two.IssuerOf("any") != "" || two.IssuerOf("named") != "b" {
		t.Errorf("%q %q %q", one.IssuerOf("any"), two.IssuerOf("any"), two.IssuerOf("named"))
	}
}

func TestFilesThatCantBeRead(t *testing.T) {
	large := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(large, make([]byte, maxFile+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, says := range map[string]string{large: "larger than", large + "x": "no such file", t.TempDir(): "directory"} {
		if _, err := Read(file); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", file, err)
		}
	}
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(empty); err != nil || s.AllowTokens {
		t.Errorf("an empty file: %+v (%v)", s, err)
	}
}
