package apipath

import (
	"net/url"
	"testing"
)

func TestVerb(t *testing.T) {
	for _, c := range []struct{ method, path, query, want string }{
		{"GET", "/version", "", "get"},
		{"POST", "/version", "", "post"},
		{"GET", "/api/v1", "watch=1", "get"},
		{"GET", "/api/v1/pods", "", "list"},
		{"HEAD", "/api/v1/pods", "", "list"},
		{"GET", "/api/v1/pods", "watch=true", "watch"},
		{"GET", "/api/v1/pods", "watch=1", "watch"},
		{"GET", "/api/v1/pods", "watch=", "watch"},
		{"GET", "/api/v1/pods", "watch=yes", "watch"},
		{"GET", "/api/v1/pods", "watch=0", "list"},
		{"GET", "/api/v1/pods", "watch=False", "list"},
		{"GET", "/api/v1/pods", "watch=0&watch=1", "list"},
		{"GET", "/api/v1/pods", "watch=1&watch=0", "watch"},
		{"GET", "/api/v1/pods", "fieldSelector=metadata.name%3Dx", "list"},
		{"GET", "/api/v1/pods", "watch=1&fieldSelector=metadata.name%3Dx", "watch"},
		{"GET", "/api/v1/namespaces/x", "watch=1", "get"},
		{"GET", "/api/v1/namespaces/x/pods/web", "watch=1", "get"},
		{"GET", "/api/v1/watch/pods", "watch=0", "watch"},
		{"DELETE", "/api/v1/watch/pods", "", "watch"},
		{"POST", "/api/v1/namespaces/x/pods", "", "create"},
		{"POST", "/api/v1/namespaces/x/pods/web/exec", "", "create"},
		{"GET", "/api/v1/namespaces/x/pods/web/exec", "", "get"},
		{"PUT", "/api/v1/namespaces/x/pods/web", "", "update"},
		{"PATCH", "/api/v1/namespaces/x/pods/web", "", "patch"},
		{"DELETE", "/api/v1/namespaces/x/pods/web", "", "delete"},
		{"DELETE", "/api/v1/namespaces/x/pods", "", "deletecollection"},
		{"OPTIONS", "/api/v1/pods", "", ""},
		{"CONNECT", "/api/v1/pods", "", ""},
	} {
		p, err := Parse(c.path)
		if err != nil {
			t.Fatal(err)
		}
		q, _ := url.ParseQuery(c.query)
		if got := Verb(c.method, p, q); got != c.want {
			t.Errorf("%s %s?%s: got %q, want %q", c.method, c.path, c.query, got, c.want)
		}
	}
}

func TestBuild(t *testing.T) {
	web := Object("apps", "v1", "default", "deployments", "web")
	scale := SubresourceOf(web, "scale")
	for want, p := range map[string]Path{
		"/api":                      DiscoveryOf("", ""),
		"/apis/apps/v1":             DiscoveryOf("apps", "v1"),
		"/api/v1/pods":              Collection("", "v1", "", "pods"),
		"/api/v1/namespaces/x":      Object("", "v1", "", "namespaces", "x"),
		"/api/v1/namespaces/x/pods": Collection("", "v1", "", "pods").In("x"),
		"/apis/apps/v1/namespaces/default/deployments/web":       ObjectOf(scale),
		"/apis/apps/v1/namespaces/default/deployments/web/scale": scale,
		"/apis/apps/v1/namespaces/default/deployments":           CollectionOf(scale),
		"/apis/apps/v1/deployments":                              CollectionOf(scale).In(""),
	} {
		back, err := Parse(want)
		if p.String() != want || err != nil || back != p {
			t.Errorf("got %s, want %s (parsed back: %+v, %v)", p, want, back, err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		p, _ := Parse("/apis/apps/v1/namespaces/default/deployments/web")
		_ = p.String()
	}
}
