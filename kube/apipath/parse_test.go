package apipath

import (
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Path{
		"/":                        {Kind: KindRoot},
		"/api":                     {Kind: KindDiscovery},
		"/api/":                    {Kind: KindDiscovery},
		"/apis":                    {Kind: KindGroupList},
		"/apis/":                   {Kind: KindGroupList},
		"/api/v1":                  {Kind: KindDiscovery, Version: "v1"},
		"/apis/apps":               {Kind: KindDiscovery, Group: "apps"},
		"/apis/apps/v1":            {Kind: KindDiscovery, Group: "apps", Version: "v1"},
		"/version":                 {Kind: KindNonResource, Rest: "/version"},
		"/openapi/v3/apis/apps/v1": {Kind: KindNonResource, Rest: "/openapi/v3/apis/apps/v1"},
		"/logs/":                   {Kind: KindNonResource, Rest: "/logs/"},
		"/api/v1/pods":             {Kind: KindCollection, Version: "v1", Resource: "pods"},
		"/api/v1/nodes/n1":         {Kind: KindObject, Version: "v1", Resource: "nodes", Name: "n1"},
		"/api/v1/namespaces":       {Kind: KindCollection, Version: "v1", Resource: "namespaces"},
		"/api/v1/namespaces/x":     {Kind: KindObject, Version: "v1", Resource: "namespaces", Name: "x"},
		"/api/v1/namespaces/x/":    {Kind: KindObject, Version: "v1", Resource: "namespaces", Name: "x"},
		"/api/v1/namespaces/x/status": {
			Kind: KindSubresource, Version: "v1", Resource: "namespaces", Name: "x", Subresource: "status",
		},
		"/api/v1/namespaces/x/finalize": {
			Kind: KindSubresource, Version: "v1", Resource: "namespaces", Name: "x", Subresource: "finalize",
		},
		"/api/v1/namespaces/x/pods": {Kind: KindCollection, Version: "v1", Namespace: "x", Resource: "pods"},
		"/apis/apps/v1/namespaces/default/deployments/web": {
			Kind: KindObject, Group: "apps", Version: "v1", Namespace: "default", Resource: "deployments", Name: "web",
		},
		"/apis/apps/v1/namespaces/default/deployments/web/scale": {
			Kind: KindSubresource, Group: "apps", Version: "v1", Namespace: "default",
			Resource: "deployments", Name: "web", Subresource: "scale",
		},
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode": {
			Kind: KindObject, Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles", Name: "system:node",
		},
		"/api/v1/namespaces/x/services/https:web:443/proxy": {
			Kind: KindSubresource, Version: "v1", Namespace: "x", Resource: "services", Name: "https:web:443", Subresource: "proxy",
		},
		"/api/v1/namespaces/x/services/web/proxy/": {
			Kind: KindSubresource, Version: "v1", Namespace: "x", Resource: "services", Name: "web", Subresource: "proxy", Rest: "/",
		},
		"/api/v1/nodes/n1/proxy/logs/a%20b": {
			Kind: KindSubresource, Version: "v1", Resource: "nodes", Name: "n1", Subresource: "proxy", Rest: "/logs/a%20b",
		},
		"/api/v1/watch/pods": {Kind: KindCollection, Version: "v1", Resource: "pods", Watch: true},
		"/api/v1/watch/namespaces/x/pods/web": {
			Kind: KindObject, Version: "v1", Namespace: "x", Resource: "pods", Name: "web", Watch: true,
		},
		"/api/v1/watch/namespaces/x": {Kind: KindObject, Version: "v1", Resource: "namespaces", Name: "x", Watch: true},
		"/apis/custom.metrics.k8s.io/v1beta1/namespaces/x/pods/*/http_requests": {
			Kind: KindSubresource, Group: "custom.metrics.k8s.io", Version: "v1beta1", Namespace: "x",
			Resource: "pods", Name: "*", Subresource: "http_requests",
		},
	} {
		got, err := Parse(in)
		if err != nil || got != want {
			t.Errorf("Parse(%q)\n got %+v, %v\nwant %+v", in, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for in, word := range map[string]string{
		"":                               "start with a slash",
		"api/v1":                         "start with a slash",
		"http://x/api":                   "start with a slash",
		"//":                             "empty segment",
		"/api//v1":                       "empty segment",
		"/api/v1/pods//":                 "empty segment",
		"/api/v1/../v1/pods":             "dot segment",
		"/api/v1/.":                      "dot segment",
		"/api/v1/%2e%2e/pods":            "dot segment",
		"/api/v1/%2E/pods":               "dot segment",
		"/api/v1/.%2e/pods":              "dot segment",
		"/api/v1/namespaces/a%2fb":       "encoded slash",
		"/api/v1/namespaces/a%2Fb":       "encoded slash",
		"/api/v1/namespaces/a%252fb":     "decoded twice",
		"/api/v1/pods;a=b":               "semicolon",
		"/api/v1/pods%3ba":               "semicolon",
		"/api/v1/namespaces/a;b/pods/x":  "semicolon",
		"/api/v1/nodes/x/status;a":       "semicolon",
		"/api/v1/nodes/a;b/proxy/c;d":    "semicolon",
		"/healthz;a":                     "semicolon",
		"/apis/x/v1/a/%2e%2e%5cb":        "dot segment",
		"/apis/x/v1/a/b%5c.":             "dot segment",
		`/apis/x/v1/a/b\c`:               "backslash",
		"/apis/x/v1/a/b\nc":              "control",
		`/api/v1\pods`:                   "backslash",
		"/api/v1/%5cpods":                "backslash",
		"/api/v1/a%00b":                  "NUL",
		"/api/v1/a%0ab":                  "control",
		"/api/v1/a\x7fb":                 "control",
		"/api/v1/a%c2%85b":               "control",
		"/api/v1/nodes/a%00b":            "NUL",
		"/api/v1/nodes/a%25b":            "decoded twice",
		"/api/v1/a%ffb":                  "UTF-8",
		"/api/v1/a%2":                    "percent-encoding",
		"/api/v1/a%zz":                   "percent-encoding",
		"/api/v1/pods?watch=1":           "query",
		"/api/v1/pods#x":                 "query",
		"/api/v1/watch":                  "needs a resource",
		"/api/v1/proxy/nodes/n1":         "no longer part",
		"/apis/apps/v1/proxy/x/y":        "no longer part",
		"/a/" + strings.Repeat("x", 9e3): "too long",
	} {
		got, err := Parse(in)
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("Parse(%.60q) = %+v, %v; want an error with %q", in, got, err, word)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	_, err := Parse("/api/v1/%2e%2e/pods")
	if want := `path "/api/v1/%2e%2e/pods": a dot segment (..) (at byte 8)`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestOneCanonicalForm(t *testing.T) {
	for in, want := range map[string]string{
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3anode": "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node":   "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node",
		"/api/v1/%70ods":                         "/api/v1/pods",
		"/%61pi/v1/pods/":                        "/api/v1/pods",
		"/apis/":                                 "/apis",
		"/api/v1/namespaces/%6eamespaces/status": "/api/v1/namespaces/namespaces/status",
		"/api/v1/n/a%3Fb":                        "/api/v1/n/a%3Fb",
		"/api/v1/n/ä":                            "/api/v1/n/%C3%A4",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/tea;pot":                   "/apis/rbac.authorization.k8s.io/v1/clusterroles/tea%3Bpot",
		"/apis/rbac.authorization.k8s.io/v1/clusterroles/back%5cslash":              "/apis/rbac.authorization.k8s.io/v1/clusterroles/back%5Cslash",
		"/apis/rbac.authorization.k8s.io/v1/watch/namespaces/x/roles/two%0Alines":   "/apis/rbac.authorization.k8s.io/v1/watch/namespaces/x/roles/two%0Alines",
		"/apis/rbac.authorization.k8s.io/v1/namespaces/x/roles/a%3fb%23c%3B/status": "/apis/rbac.authorization.k8s.io/v1/namespaces/x/roles/a%3Fb%23c%3B/status",
	} {
		p, err := Parse(in)
		if err != nil || p.String() != want {
			t.Errorf("Parse(%q).String() = %q, %v; want %q", in, p.String(), err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"/", "/api/", "/api/v1/namespaces/x/services/web/proxy/a/b/", "/apis/a/b/c/d/e/f", "/api/v1/%2e%2e/x",
		"/api/v1/watch/pods", "/a%252fb", "/openapi/v3/", "/api/v1/n/system%3Anode", "/api/v1/a;b", "/x/%E2%80%AE",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		p, err := Parse(in)
		if err != nil {
			_ = err.Error()
			return
		}
		canonical := p.String()
		again, err := Parse(canonical)
		if err != nil || again != p {
			t.Fatalf("%q → %+v → %q → %+v, %v", in, p, canonical, again, err)
		}
		if again.String() != canonical {
			t.Fatalf("%q is no fixed point: %q", canonical, again.String())
		}
		holdsNoDanger(t, canonical)
	})
}

func holdsNoDanger(t *testing.T, canonical string) {
	t.Helper()
	lower := strings.ToLower(canonical)
	for _, bad := range []string{"//", "%2f", "%25", "%00", "%2e", ";", "\\", "?", "#"} {
		if strings.Contains(lower, bad) {
			t.Fatalf("%q holds %q", canonical, bad)
		}
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(lower, "%5c", "/"), "/") {
		if part == "." || part == ".." {
			t.Fatalf("%q has a dot segment", canonical)
		}
	}
	for i := 0; i < len(canonical); i++ {
		if canonical[i] <= ' ' || canonical[i] >= 0x7f {
			t.Fatalf("%q holds the raw byte %#x", canonical, canonical[i])
		}
	}
}
