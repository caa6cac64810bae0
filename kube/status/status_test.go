package status

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		code int
		body string
		want Status
	}{
		"a Status": {
			404,
			`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"pods \"x\" not found","reason":"NotFound","details":{"name":"x","kind":"pods"},"code":404}`,
			Status{Code: 404, Reason: NotFound, Message: `pods "x" not found`, Kind: "pods", Name: "x", Told: true},
		},
		"causes and a time to wait": {
			409,
			`{"kind":"Status","message":"m","reason":"Conflict","details":{"group":"apps","kind":"deployments","uid":"u","retryAfterSeconds":3,"causes":[{"reason":"FieldManagerConflict","message":"conflict with \"hpa\"","field":".spec.replicas"}]}}`,
			Status{
				Code: 409, Reason: Conflict, Message: "m", Group: "apps", Kind: "deployments", UID: "u", RetryAfterSeconds: 3, Told: true,
				Causes: []Cause{{Reason: "FieldManagerConflict", Message: `conflict with "hpa"`, Field: ".spec.replicas"}},
			},
		},
		"the HTTP code wins":         {503, `{"kind":"Status","message":"m","code":200}`, Status{Code: 503, Reason: "ServiceUnavailable", Message: "m", Told: true}},
		"a watch's Status":           {0, `{"kind":"Status","message":"too old","reason":"Expired","code":410}`, Status{Code: 410, Reason: Expired, Message: "too old", Told: true}},
		"a Status that says nothing": {500, `{"kind":"Status"}`, Status{Code: 500, Reason: "InternalError", Message: sentences.Get()[500], Told: true}},
		"a negative wait":            {429, `{"kind":"Status","message":"m","details":{"retryAfterSeconds":-5}}`, Status{Code: 429, Reason: "TooManyRequests", Message: "m", Told: true}},
		"another object":             {200, `{"kind":"Pod"}`, Status{Code: 200, Message: `{"kind":"Pod"}`}},
		"text":                       {502, "bad\n\n  gateway\x00\x1b[31m", Status{Code: 502, Message: "bad gateway\uFFFD\uFFFD[31m"}},
		"nothing":                    {401, "", Status{Code: 401, Reason: Unauthorized, Message: sentences.Get()[401]}},
		"an unknown code":            {599, "", Status{Code: 599, Message: "the server responded with 599 and no message"}},
		"fields of other types":      {400, `{"kind":"Status","message":{"a":1}}`, Status{Code: 400, Reason: BadRequest, Message: `{"kind":"Status","message":{"a":1}}`}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Parse(c.code, []byte(c.body)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func TestExcerptIsBoundedAndValid(t *testing.T) {
	for _, body := range []string{strings.Repeat("é", 4000), strings.Repeat("\xff", 4000), strings.Repeat("x", 4000), "€" + strings.Repeat("€", 300)} {
		got := Excerpt([]byte(body), 100)
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > 101 || !strings.HasSuffix(got, "…") {
			t.Errorf("%q", got)
		}
	}
	if got := Excerpt([]byte("€€"), 4); got != "€…" {
		t.Errorf("a rune cut in half stays: %q", got)
	}
}

func TestDenied(t *testing.T) {
	for message, want := range map[string]Denial{
		`pods is forbidden: User "viewer" cannot list resource "pods" in API group "" in the namespace "shop"`:                                                      {User: "viewer", Verb: "list", Resource: "pods", Namespace: "shop"},
		`nodes "n" is forbidden: User "system:serviceaccount:a:b" cannot get resource "nodes" in API group "" at the cluster scope`:                                 {User: "system:serviceaccount:a:b", Verb: "get", Resource: "nodes", ClusterScope: true},
		`deployments.apps "x" is forbidden: User "u" cannot update resource "deployments/scale" in API group "apps" in the namespace "n": RBAC: role "r" not found`: {User: "u", Verb: "update", Resource: "deployments", Subresource: "scale", Group: "apps", Namespace: "n", Why: `RBAC: role "r" not found`},
		`forbidden: User "u" cannot get path "/metrics"`:                                            {User: "u", Verb: "get", Path: "/metrics"},
		`x is forbidden: User "a\"b" cannot get resource "x" in API group "g" at the cluster scope`: {User: `a"b`, Verb: "get", Resource: "x", Group: "g", ClusterScope: true},
	} {
		got, ok := Status{Code: 403, Message: message}.Denied()
		if !ok || got != want {
			t.Errorf("%s\ngot  %+v %v\nwant %+v", message, got, ok, want)
		}
	}
}

func TestDeniedNeedsTheServersForm(t *testing.T) {
	for _, s := range []Status{
		{Code: 404, Message: `User "u" cannot get path "/x"`},
		{Code: 403, Message: `pods "x" is forbidden: exceeded quota: q`},
		{Code: 403, Message: `User "u cannot get`},
		{Code: 403, Message: `User "u" cannot `},
		{Code: 403, Message: `User "u" cannot get thing "x"`},
		{Code: 403, Message: `User "u" cannot get resource pods`},
		{Code: 403, Message: `User "u" may not`},
		{Code: 403},
	} {
		if d, ok := s.Denied(); ok {
			t.Errorf("%q gave %+v", s.Message, d)
		}
	}
}

func FuzzDenied(f *testing.F) {
	f.Add(`pods is forbidden: User "viewer" cannot list resource "pods" in API group "" in the namespace "shop"`)
	f.Fuzz(func(t *testing.T, message string) {
		Status{Code: 403, Message: message}.Denied()
		if s := Parse(500, []byte(message)); s.Message == "" || len(s.Message) > 3*MaxMessage+8 {
			if !s.Told {
				t.Errorf("message of %d bytes", len(s.Message))
			}
		}
	})
}
