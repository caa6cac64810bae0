package request

import (
	"net/url"
	"reflect"
	"strings"
	"testing"
)

const jsonType = "application/json"

// examples are requests of every sort.
var examples = []Request{
	{Method: "GET", Path: "/version"},
	{Method: "GET", Path: "/api/v1/namespaces/shop/pods/web", Header: []Header{{"Accept", jsonType}}},
	{Method: "GET", Path: "/api/v1/pods", Query: url.Values{"limit": {"500"}, "labelSelector": {"app in (a,b),!c"}}, Header: []Header{{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"}}},
	{Method: "GET", Path: "/apis/apps/v1/namespaces/shop/deployments", Query: url.Values{"watch": {"1"}, "sendInitialEvents": {"true"}, "resourceVersionMatch": {"NotOlderThan"}, "allowWatchBookmarks": {"true"}, "timeoutSeconds": {"30"}}},
	{Method: "GET", Path: "/apis/apps/v1/namespaces/shop/deployments/web/scale"},
	{Method: "GET", Path: "/api/v1/namespaces/shop/pods/web/log", Query: url.Values{"follow": {"true"}, "tailLines": {"10"}, "sinceSeconds": {"60"}, "container": {"main"}}},
	{Method: "POST", Path: "/api/v1/namespaces/shop/configmaps", Query: url.Values{"dryRun": {"All"}, "fieldManager": {"it's me"}, "fieldValidation": {"Strict"}}, Header: []Header{{"Content-Type", jsonType}}, Body: []byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"quote":"it's \"$HOME\" and ` + "`id`" + `"}}`)},
	{Method: "POST", Path: "/api/v1/namespaces/shop/pods/web/eviction", Header: []Header{{"Content-Type", jsonType}}, Body: []byte(`{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web"}}`)},
	{Method: "PUT", Path: "/apis/apps/v1/namespaces/shop/deployments/web/scale", Header: []Header{{"Content-Type", jsonType}}, Body: []byte(`{"spec":{"replicas":3}}`)},
	{Method: "PUT", Path: "/api/v1/namespaces/shop/configmaps/a", Header: []Header{{"Content-Type", "application/yaml"}}, Body: []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\nEOF: EOF\n")},
	{Method: "PATCH", Path: "/apis/apps/v1/namespaces/shop/deployments/web", Query: url.Values{"fieldManager": {"me"}, "force": {"true"}}, Header: []Header{{"Content-Type", "application/apply-patch+yaml"}}, Body: []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n")},
	{Method: "PATCH", Path: "/api/v1/nodes/n1", Header: []Header{{"Content-Type", "application/merge-patch+json"}}, Body: []byte(`{"metadata":{"labels":{"a":"b","c":null}}}`)},
	{Method: "PATCH", Path: "/apis/apps/v1/namespaces/shop/deployments/web/scale", Header: []Header{{"Content-Type", "application/merge-patch+json"}}, Body: []byte(`{"spec":{"replicas":3}}`)},
	{Method: "PATCH", Path: "/api/v1/namespaces/shop/configmaps/a", Header: []Header{{"Content-Type", "application/json-patch+json"}}, Body: []byte(`[{"op":"remove","path":"/data/x"}]`)},
	{Method: "DELETE", Path: "/api/v1/namespaces/shop/pods/web", Query: url.Values{"gracePeriodSeconds": {"0"}, "propagationPolicy": {"Foreground"}}},
	{Method: "DELETE", Path: "/api/v1/namespaces/shop/pods", Query: url.Values{"labelSelector": {"app=web"}, "dryRun": {"All"}}},
	{Method: "DELETE", Path: "/api/v1/namespaces/shop/pods/web", Header: []Header{{"Content-Type", jsonType}}, Body: []byte(`{"kind":"DeleteOptions","apiVersion":"v1","preconditions":{"uid":"x"}}`)},
	{Method: "POST", Path: "/api/v1/namespaces/shop/configmaps", Header: []Header{{"Accept", "application/vnd.kubernetes.protobuf"}, {"Content-Type", "application/vnd.kubernetes.protobuf"}}, Body: []byte("k8s\x00\n\x0f")},
	{Method: "HEAD", Path: "/healthz"},
	{Method: "OPTIONS", Path: "/api/v1/pods"},
	{Method: "GET", Path: "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node", Header: []Header{{"X-Empty", ""}, {"Impersonate-User", "Ann 'the' \"tester\" $x"}}},
	{Method: "POST", Path: "/api/v1/namespaces/a/configmaps", Body: []byte("@file\n\ttab ;|&\\\n")},
}

const server = "http://127.0.0.1:8080/clusters/practice"

func TestLinesForCurl(t *testing.T) {
	for i, want := range map[int]string{
		0:  `curl -H "Authorization: Bearer $FIELDMARK_TOKEN" http://127.0.0.1:8080/clusters/practice/version`,
		2:  `curl -H "Authorization: Bearer $FIELDMARK_TOKEN" -H 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io,application/json' 'http://127.0.0.1:8080/clusters/practice/api/v1/pods?labelSelector=app%20in%20(a,b),!c&limit=500'`,
		7:  `curl -X POST -H "Authorization: Bearer $FIELDMARK_TOKEN" -H 'Content-Type: application/json' --data-raw '{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"web"}}' http://127.0.0.1:8080/clusters/practice/api/v1/namespaces/shop/pods/web/eviction`,
		14: `curl -X DELETE -H "Authorization: Bearer $FIELDMARK_TOKEN" 'http://127.0.0.1:8080/clusters/practice/api/v1/namespaces/shop/pods/web?gracePeriodSeconds=0&propagationPolicy=Foreground'`,
		17: `printf %s azhzAAoP | base64 -d | curl -X POST -H "Authorization: Bearer $FIELDMARK_TOKEN" -H 'Accept: application/vnd.kubernetes.protobuf' -H 'Content-Type: application/vnd.kubernetes.protobuf' --data-binary @- http://127.0.0.1:8080/clusters/practice/api/v1/namespaces/shop/configmaps`,
		18: `curl --head -H "Authorization: Bearer $FIELDMARK_TOKEN" http://127.0.0.1:8080/clusters/practice/healthz`,
	} {
		if got := examples[i].Curl(server); got != want {
			t.Errorf("%d:\n got %s\nwant %s", i, got, want)
		}
	}
	if got := examples[0].Curl("https://10.0.0.1:6443/"); got != `curl -H "Authorization: Bearer $TOKEN" https://10.0.0.1:6443/version` {
		t.Error(got)
	}
}

func TestNoCredentialsInLines(t *testing.T) {
	r := Request{Method: "GET", Path: "/version", Header: []Header{{"Authorization", "Bearer canary"}, {"cookie", "canary"}, {"X-Forwarded-For", "canary"}, {"Accept", "x\r\ncanary"}, {"a b", "canary"}}}
	for _, text := range []string{r.Curl(server), r.Kubectl().Line, r.GoClient()} {
		if strings.Contains(text, "canary") {
			t.Error(text)
		}
	}
}

func TestReadingIsTheInverseOfWriting(t *testing.T) {
	for _, r := range examples {
		same(t, r, r.Curl(server))
	}
}

// same holds that a text tells of a request, and nothing else.
func same(t *testing.T, r Request, text string) {
	t.Helper()
	found, err := Parse(text)
	if err != nil || len(found) != 1 || !reflect.DeepEqual(found[0].Request, r) || found[0].Server != server {
		t.Errorf("%s\n got %+v, %v\nwant %+v", text, found, err, r)
	}
}

func TestParameters(t *testing.T) {
	r := New("GET", "/api/v1/%70ods?b=2&a=x%2Fy&b=1")
	if r.Path != "/api/v1/pods" || r.Target() != "/api/v1/pods?a=x/y&b=2&b=1" || r.Verb() != "list" {
		t.Errorf("%+v %s", r, r.Target())
	}
	r = r.With("Accept", "a").With("accept", "b")
	if len(r.Header) != 1 || r.Field("ACCEPT") != "b" || r.With("Accept", "").Header != nil {
		t.Errorf("%+v", r.Header)
	}
}

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{"web.yaml": "web.yaml", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a\nb": "'a\nb'", "$(x)": "'$(x)'"} {
		if got := Quote(word); got != want {
			t.Errorf("%q: %s", word, got)
		}
	}
}
