package pages

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// halfWell is an API server whose discovery lists groups that nobody can read. It stands in for faults that a real one doesn't produce on demand.
func halfWell(t *testing.T, answers map[string]http.HandlerFunc) *site {
	t.Helper()
	server := httptest.NewServer(halfServer(answers))
	t.Cleanup(server.Close)
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{"half": server.URL})})
	must(t, err)
	return newSite(t, clusters)
}

// halfServer is an API server with few types, and with these answers.
func halfServer(answers map[string]http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, known := map[string]string{
			"/api":  `{"kind":"APIVersions","versions":["v1"]}`,
			"/apis": `{"kind":"APIGroupList","groups":[{"name":"half.example.com","versions":[{"groupVersion":"half.example.com/v1","version":"v1"},{"groupVersion":"half.example.com/v2","version":"v2"}],"preferredVersion":{"version":"v1"}}]}`,
			"/api/v1": `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["get","list"]},
				{"name":"events","kind":"Event","namespaced":true,"verbs":["list"]},{"name":"namespaces","kind":"Namespace","verbs":["get","list","delete"]}]}`,
			"/apis/half.example.com/v1":                                       `{"kind":"APIResourceList","groupVersion":"half.example.com/v1","resources":[{"name":"cups","kind":"Cup","namespaced":true,"verbs":["get","list"]}]}`,
			"/apis/half.example.com/v2":                                       `{"kind":"APIResourceList","groupVersion":"half.example.com/v2","resources":[]}`,
			"/api/v1/namespaces/default/pods/a":                               `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"default","uid":"1"}}`,
			"/api/v1/namespaces/default":                                      `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default","uid":"2"}}`,
			"/apis/apiregistration.k8s.io/v1/apiservices/v2.half.example.com": `{"status":{"conditions":[{"type":"Available","status":"True"}]}}`,
		}[r.URL.Path]
		if answer := answers[r.URL.Path]; answer != nil {
			answer(w, r)
			return
		}
		if !known {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

// condition is an APIService that isn't available, for this reason.
func condition(reason, message string) http.HandlerFunc {
	return answers(200, "application/json", fmt.Sprintf(`{"status":{"conditions":[{"type":"Available","status":"False","reason":%q,"message":%q}]}}`, reason, message))
}

const (
	halfGroup   = "/apis/half.example.com/v2"
	halfService = "/apis/apiregistration.k8s.io/v1/apiservices/v2.half.example.com"
)

// A page that can't be shown says whether what it needs is absent, partly absent, broken, slow or forbidden.
func TestPagesTellAbsentFromUnread(t *testing.T) {
	down, late := answers(503, "text/plain", "service unavailable"), answers(504, "text/plain", "timeout")
	for name, c := range map[string]struct {
		answers map[string]http.HandlerFunc
		path    string
		code    int
		says    []string
		never   string
	}{
		"an absent type":                {nil, "/c/half/apis/nosuch.example.com/v1/cups", 404, []string{"serves no type", "Discovery doesn’t list"}, "doesn’t know whether"},
		"an absent version":             {nil, "/c/half/apis/half.example.com/v3/cups", 404, []string{"serves no type", "The cluster serves half.example.com/v1."}, "doesn’t know whether"},
		"a version that lacks the type": {nil, "/c/half/apis/half.example.com/v2/cups", 404, []string{"serves no type", "The cluster serves half.example.com/v2 with other types.", "The cluster serves half.example.com/v1."}, "doesn’t know whether"},
		"a broken server": {
			map[string]http.HandlerFunc{halfGroup: down, halfService: condition("ServiceNotFound", `service/nosuch in "default" is not present`)},
			"/c/half" + halfGroup + "/cups", 503,
			[]string{"The API server failed to list the types of half.example.com/v2", "ServiceNotFound", "service/nosuch", "Open the APIService"},
			"serves no type",
		},
		"a broken server, and no right to see why": {
			map[string]http.HandlerFunc{halfGroup: down, halfService: answers(403, "application/json", `{"kind":"Status","code":403,"message":"no"}`)},
			"/c/half" + halfGroup + "/cups", 503,
			[]string{"The API server failed to list the types", "Fieldmark doesn’t know whether the cluster serves this type"},
			"serves no type",
		},
		"a slow server, as the APIService says": {
			map[string]http.HandlerFunc{halfGroup: down, halfService: condition("FailedDiscoveryCheck", "Get https://10.0.0.1: context deadline exceeded")},
			"/c/half" + halfGroup + "/cups", 504,
			[]string{"too slow to list the types of half.example.com/v2", "FailedDiscoveryCheck"},
			"serves no type",
		},
		"a slow server":                     {map[string]http.HandlerFunc{halfGroup: late}, "/c/half" + halfGroup + "/cups", 504, []string{"too slow to list the types of half.example.com/v2"}, "serves no type"},
		"a server that forbids it":          {map[string]http.HandlerFunc{halfGroup: answers(403, "application/json", `{"kind":"Status","code":403}`)}, "/c/half" + halfGroup + "/cups", 403, []string{"You have no permission to list the types of half.example.com/v2"}, "serves no type"},
		"an absent version beside a broken": {map[string]http.HandlerFunc{halfGroup: down}, "/c/half/apis/half.example.com/v3/cups", 404, []string{"serves no type", "The cluster also has half.example.com/v2, but its types can’t be listed now."}, "doesn’t know whether"},
		"all named groups":                  {map[string]http.HandlerFunc{"/apis": down}, "/c/half/apis/apps/v1/deployments", 503, []string{"failed to list the types of the named groups (/apis)"}, "serves no type"},
		"the page of a group":               {map[string]http.HandlerFunc{"/apis": late}, "/c/half/apis/apps/v1", 504, []string{"too slow to list the types of the named groups (/apis)"}, "doesn’t serve"},
		"the core group, for events":        {map[string]http.HandlerFunc{"/api": down}, "/c/half/-/events", 503, []string{"failed to list the types of the core group (/api)"}, "serves no Events"},
		"usage without metrics":             {nil, "/c/half/api/v1/namespaces/default/pods/a?tab=usage", 404, []string{"This server doesn’t offer metrics.k8s.io"}, "failed to list"},
		"usage with broken metrics":         {map[string]http.HandlerFunc{"/apis": down}, "/c/half/api/v1/namespaces/default/pods/a?tab=usage", 503, []string{"failed to list the types of the named groups", "Fieldmark shows requests and limits"}, "doesn’t offer"},
		"what a namespace takes with it":    {map[string]http.HandlerFunc{halfGroup: down}, "/c/half/-/delete?path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault", 200, []string{"the types of half.example.com/v2"}, "found no object"},
		"an act on a type nobody knows":     {map[string]http.HandlerFunc{halfGroup: late}, "/c/half/-/act?path=%2Fapis%2Fhalf.example.com%2Fv2%2Fnamespaces%2Fdefault%2Fcups%2Fa&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods%2Fa", 200, []string{"too slow to list the types of half.example.com/v2"}, "doesn’t serve"},
		"a feature that nobody knows":       {map[string]http.HandlerFunc{"/apis": down}, "/c/half/-/act?act=drain&path=%2Fapi%2Fv1%2Fnamespaces%2Fdefault%2Fpods%2Fa", 200, []string{"Fieldmark doesn’t know whether this server offers policy/v1", "failed to list the types"}, "This server doesn’t offer policy/v1"},
		"a watch of a type nobody knows":    {map[string]http.HandlerFunc{halfGroup: late}, "/c/half/-/watch?path=%2Fapis%2Fhalf.example.com%2Fv2%2Fcups", 200, []string{"too slow to list the types of half.example.com/v2"}, "serves nothing at this path"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := halfWell(t, c.answers).want(c.code, c.path).says(c.says...).inert()
			if strings.Contains(p.main(), c.never) {
				t.Errorf("it also says %q: %s", c.never, p.main())
			}
		})
	}
}
