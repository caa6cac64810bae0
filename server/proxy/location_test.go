package proxy

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/upstream"
)

const document = "/openapi/v3/apis/apps/v1"

// locations are what an API server may say, and where a reader is sent: nowhere, if want is empty.
var locations = []struct {
	base, asked, location, want string
}{
	{"", document, document + "?hash=NEW", "/clusters/a%20b" + document + "?hash=NEW"},
	{"", document, document, "/clusters/a%20b" + document},
	{"", document, "/openapi/v3/api/v1?hash=NEW", "/clusters/a%20b/openapi/v3/api/v1?hash=NEW"},
	{"", document, document + "?hash=a%0d%0aSet-Cookie:b", "/clusters/a%20b" + document + "?hash=a%0D%0ASet-Cookie%3Ab"},
	{"", document, document + "?hash=a&b", "/clusters/a%20b" + document + "?b=&hash=a"},
	{"/k8s/clusters/c-1", document, "/k8s/clusters/c-1" + document + "?hash=NEW", "/clusters/a%20b" + document + "?hash=NEW"},
	{"/k8s/clusters/c-1", document, document + "?hash=NEW", "/clusters/a%20b" + document + "?hash=NEW"},

	{"", "/api/v1/pods", document + "?hash=NEW", ""},
	{"", "/openapi/v2", document + "?hash=NEW", ""},
	{"", "/openapi/v3", document + "?hash=NEW", ""},
	{"", "/api/v1/namespaces/x/services/web/proxy/openapi/v3/a", "/openapi/v3/a", ""},
	{"", document, "", ""},
	{"", document, "/", ""},
	{"", document, "?hash=NEW", ""},
	{"", document, "v1?hash=NEW", ""},
	{"", document, "openapi/v3/apis/apps/v1", ""},
	{"", document, "/api/v1/secrets", ""},
	{"", document, "/openapi/v3", ""},
	{"", document, "/openapi/v3/", ""},
	{"", document, "/openapi/v3?hash=NEW", ""},
	{"", document, "/openapi/v3evil/x", ""},
	{"", document, "/OpenAPI/v3/x", ""},
	{"", document, "/x/openapi/v3/apis/apps/v1", ""},
	{"", document, "/c/one/openapi/v3/x", ""},
	{"", document, "https://host" + document, ""},
	{"", document, "https:" + document, ""},
	{"", document, "http://evil.test" + document, ""},
	{"", document, "//evil.test" + document, ""},
	{"", document, "///evil.test" + document, ""},
	{"", document, "//" + document, ""},
	{"", document, `/\evil.test/openapi/v3/x`, ""},
	{"", document, `\\evil.test/openapi/v3/x`, ""},
	{"", document, `/openapi/v3/\evil.test`, ""},
	{"", document, "/openapi/v3//evil.test", ""},
	{"", document, "javascript:/openapi/v3/alert(1)", ""},
	{"", document, "data:text/html,/openapi/v3/", ""},
	{"", document, " " + document, ""},
	{"", document, "\t" + document, ""},
	{"", document, "/openapi/v3/../../api/v1/secrets", ""},
	{"", document, "/openapi/v3/..", ""},
	{"", document, "/openapi/v3/./x", ""},
	{"", document, "/openapi/v3/%2e%2e/%2e%2e/api", ""},
	{"", document, "/openapi/v3/.%2E/x", ""},
	{"", document, "/openapi/v3/%252e%252e/x", ""},
	{"", document, "/openapi/v3/a%2f..%2fb", ""},
	{"", document, "/openapi/v3/a%5c..%5cb", ""},
	{"", document, "/openapi/v3/a;b", ""},
	{"", document, "/openapi/v3/a%00b", ""},
	{"", document, "/openapi/v3/a%0d%0aSet-Cookie:b", ""},
	{"", document, "/%6fpenapi/v3/x", ""},
	{"", document, "/openapi%2fv3/x", ""},
	{"", document, document + "#fragment", ""},
	{"", document, document + "?hash=a#fragment", ""},
	{"", document, document + "?hash=%zz", ""},
	{"", document, document + "?hash=a;b", ""},
	{"", document, strings.Repeat(document, 1000), ""},
	{"/k8s/clusters/c-1", document, "/k8s/clusters/c-2" + document, ""},
	{"/k8s/clusters/c-1", document, "/k8s/clusters/c-1/k8s/clusters/c-1" + document, ""},
	{"/k8s/clusters/c-1", document, "/k8s/clusters/c-1/api/v1/secrets", ""},
}

func TestOnlyTheRedirectOfOpenAPIDocumentsPasses(t *testing.T) {
	for _, c := range locations {
		path, err := apipath.Parse(c.asked)
		if err != nil {
			t.Fatal(err)
		}
		call := &call{cluster: "a b", path: path, target: &upstream.Target{Base: &url.URL{Scheme: "https", Host: "host", Path: c.base}}}
		for status, want := range map[int]string{301: c.want, 302: c.want, 307: c.want, 308: c.want, 200: "", 201: "", 401: "", 503: ""} {
			got := call.location(&http.Response{StatusCode: status, Header: http.Header{"Location": {c.location}}})
			if got != want {
				t.Errorf("%s, asked at %q for %s, %d: %q becomes %q, want %q", c.base, call.target.Base, c.asked, status, c.location, got, want)
			}
		}
		if got := call.location(&http.Response{StatusCode: 301, Header: http.Header{"Location": {c.location, c.location}}}); got != "" {
			t.Errorf("two Locations: %q", got)
		}
	}
}
