package access

import (
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

func of(t *testing.T, method, path, query string) Attributes {
	t.Helper()
	p, err := apipath.Parse(path)
	if err != nil {
		t.Fatal(err)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return Of(method, p, values)
}

func TestWhatIsAuthorized(t *testing.T) {
	for _, test := range []struct{ method, path, query, want, body string }{
		{"GET", "/apis/apps/v1/namespaces/shop/deployments", "watch=1", "watch deployments.apps in the namespace shop", `"resourceAttributes":{"verb":"watch","group":"apps","version":"v1","resource":"deployments","namespace":"shop"}`},
		{"POST", "/api/v1/namespaces/shop/pods/web/eviction", "", "create pods/eviction web in the namespace shop", `"verb":"create","version":"v1","resource":"pods","subresource":"eviction","namespace":"shop","name":"web"`},
		{"GET", "/api/v1/namespaces/shop", "", "get namespaces shop", `"namespace":"shop","name":"shop"`},
		{"HEAD", "/healthz", "", "head /healthz", `"nonResourceAttributes":{"path":"/healthz","verb":"head"}`},
		{"DELETE", "/api/v1/pods", "", "deletecollection pods", `"verb":"deletecollection"`},
	} {
		a := of(t, test.method, test.path, test.query)
		if a.String() != test.want || !strings.Contains(string(a.Review()), test.body) {
			t.Errorf("%s %s: %s, %s", test.method, test.path, a, a.Review())
		}
	}
}

const rules = `{"kind":"SelfSubjectRulesReview","status":{"incomplete":true,"resourceRules":[
 {"verbs":["*"],"apiGroups":["*"],"resources":["*"]},
 {"verbs":["get","list"],"apiGroups":[""],"resources":["pods","pods/log"]},
 {"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":["web"]},
 {"verbs":["update"],"apiGroups":["apps"],"resources":["*/scale"]}],
 "nonResourceRules":[{"verbs":["get"],"nonResourceURLs":["/openapi","/openapi/*"]}]}}`

func TestTheRuleThatAllows(t *testing.T) {
	all, ok := ParseRules([]byte(rules))
	if !ok || !all.Incomplete {
		t.Fatal(all)
	}
	for _, test := range []struct{ method, path, want string }{
		{"GET", "/api/v1/namespaces/a/pods/web", `apiGroups [""]; resources [pods]; verbs [get]; resourceNames [web]`},
		{"GET", "/api/v1/namespaces/a/pods/other", `apiGroups [""]; resources [pods, pods/log]; verbs [get, list]`},
		{"GET", "/api/v1/namespaces/a/pods/web/log", `apiGroups [""]; resources [pods, pods/log]; verbs [get, list]`},
		{"PUT", "/apis/apps/v1/namespaces/a/deployments/web/scale", "apiGroups [apps]; resources [*/scale]; verbs [update]"},
		{"DELETE", "/api/v1/nodes/a", "apiGroups [*]; resources [*]; verbs [*]"},
		{"GET", "/openapi/v3", "nonResourceURLs [/openapi, /openapi/*]; verbs [get]"},
	} {
		rule, ok := all.Find(of(t, test.method, test.path, ""))
		if !ok || rule.String() != test.want {
			t.Errorf("%s %s: %s, %t; want %s", test.method, test.path, rule, ok, test.want)
		}
	}
	all.Resource = all.Resource[1:]
	for _, path := range []string{"/api/v1/nodes/a", "/api/v1/namespaces/a/pods/web/status", "/version", "/openapix"} {
		if rule, ok := all.Find(of(t, "GET", path, "")); ok {
			t.Errorf("%s: %s", path, rule)
		}
	}
}

func TestAnswers(t *testing.T) {
	a, ok := ParseReview([]byte(`{"kind":"SelfSubjectAccessReview","status":{"allowed":true,"reason":"RBAC: allowed"}}`))
	if !ok || !a.Allowed || a.Reason != "RBAC: allowed" {
		t.Error(a, ok)
	}
	for _, body := range []string{"", "{}", `{"kind":"Status"}`, `{"kind":"SelfSubjectAccessReview"}`} {
		if a, ok := ParseReview([]byte(body)); ok {
			t.Error(body, a)
		}
		if r, ok := ParseRules([]byte(body)); ok {
			t.Error(body, r)
		}
	}
	if string(RulesReview("")) != `{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectRulesReview","spec":{"namespace":"default"}}` {
		t.Error(string(RulesReview("")))
	}
}
