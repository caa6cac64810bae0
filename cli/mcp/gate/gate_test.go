package gate

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// recorder is a transport that counts what arrives.
type recorder struct{ requests []string }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.requests = append(r.requests, request.Method+" "+request.URL.RequestURI())
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Request: request}, nil
}

// through tells whether a request passes a gate.
func through(t *testing.T, method, target, body string, change func(*http.Request)) bool {
	t.Helper()
	base, err := url.Parse("https://api.example.com/prefix/")
	if err != nil {
		t.Fatal(err)
	}
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(t.Context(), method, "https://api.example.com"+target, in)
	if err != nil {
		return false // it can't be made
	}
	if change != nil {
		change(request)
	}
	next := &recorder{}
	response, err := New(base, next).RoundTrip(request)
	if err == nil {
		_ = response.Body.Close()
	}
	if _, refused := errors.AsType[*RefusedError](err); refused != (len(next.requests) == 0) {
		t.Errorf("%s %s: sent %v, error %v", method, target, next.requests, err)
	}
	return len(next.requests) == 1
}

const pods = "/prefix/api/v1/namespaces/shop/pods"

func TestOnlyReadsAndDryRunsPass(t *testing.T) {
	for what, c := range map[string]struct {
		method, target, body string
		passes               bool
	}{
		"read":                      {"GET", pods, "", true},
		"watch":                     {"GET", pods + "?watch=true", "", true},
		"head":                      {"HEAD", pods, "", true},
		"log":                       {"GET", pods + "/web/log", "", true},
		"discovery":                 {"GET", "/prefix/apis", "", true},
		"schema":                    {"GET", "/prefix/openapi/v3/api/v1", "", true},
		"dry apply":                 {"PATCH", pods + "/web?dryRun=All&force=true", "{}", true},
		"dry create":                {"POST", pods + "?dryRun=All", "{}", true},
		"dry replace":               {"PUT", pods + "/web/status?dryRun=All", "{}", true},
		"dry delete":                {"DELETE", pods + "/web?dryRun=All", "", true},
		"review":                    {"POST", "/prefix/apis/authorization.k8s.io/v1/subjectaccessreviews?dryRun=All", "{}", true},
		"apply":                     {"PATCH", pods + "/web?force=true", "{}", false},
		"create":                    {"POST", pods, "{}", false},
		"dry run twice":             {"PATCH", pods + "/web?dryRun=All&dryRun=", "{}", false},
		"dry run with another word": {"PATCH", pods + "/web?dryRun=all", "{}", false},
		"dry run in other letters":  {"PATCH", pods + "/web?dryrun=All", "{}", false},
		"dry run after a fragment":  {"PATCH", pods + "/web?force=true#?dryRun=All", "{}", false},
		"broken query":              {"PATCH", pods + "/web?dryRun=All&a=%zz", "{}", false},
		"semicolons":                {"PATCH", pods + "/web?force=true;dryRun=All", "{}", false},
		"delete with options":       {"DELETE", pods + "/web?dryRun=All", `{"dryRun":[]}`, false},
		"delete all":                {"DELETE", pods, "", false},
		"exec":                      {"GET", pods + "/web/exec?command=sh", "", false},
		"exec as a dry run":         {"POST", pods + "/web/exec?command=sh&dryRun=All", "", false},
		"attach":                    {"GET", pods + "/web/attach", "", false},
		"forward":                   {"GET", pods + "/web/portforward", "", false},
		"proxy to a pod":            {"GET", pods + "/web/proxy/stop", "", false},
		"proxy to a node":           {"GET", "/prefix/api/v1/nodes/a/proxy/run", "", false},
		"a token":                   {"POST", "/prefix/api/v1/namespaces/shop/serviceaccounts/a/token?dryRun=All", "{}", false},
		"a token review":            {"POST", "/prefix/apis/authentication.k8s.io/v1/tokenreviews?dryRun=All", "{}", false},
		"eviction":                  {"POST", pods + "/web/eviction?dryRun=All", "{}", false},
		"a path that isn't the API": {"POST", "/prefix/healthz?dryRun=All", "{}", false},
		"another method":            {"CONNECT", pods + "/web?dryRun=All", "", false},
		"a method in small letters": {"patch", pods + "/web", "{}", false},
		"dots":                      {"GET", "/prefix/api/v1/../v1/pods", "", false},
		"escaped slash":             {"GET", "/prefix/api/v1/pods%2fweb", "", false},
		"beside the prefix":         {"GET", "/prefixed/api/v1/pods", "", false},
		"outside the prefix":        {"GET", "/api/v1/pods", "", false},
		"old watch":                 {"GET", "/prefix/api/v1/watch/pods", "", false},
	} {
		if through(t, c.method, c.target, c.body, nil) != c.passes {
			t.Errorf("%s: %s %s passes: %v", what, c.method, c.target, !c.passes)
		}
	}
	for what, change := range map[string]func(*http.Request){
		"another host":        func(r *http.Request) { r.URL.Host = "evil.example.com" },
		"another host header": func(r *http.Request) { r.Host = "evil.example.com" },
		"plain text":          func(r *http.Request) { r.URL.Scheme = "http" },
		"upgrade":             func(r *http.Request) { r.Header.Set("Upgrade", "SPDY/3.1") },
	} {
		if through(t, "GET", pods, "", change) {
			t.Errorf("%s passes", what)
		}
	}
}

// FuzzGate: whatever passes is a read of something that isn't a workload, or says dryRun=All exactly once.
func FuzzGate(f *testing.F) {
	for _, seed := range []string{"GET " + pods, "PATCH " + pods + "/a?dryRun=All", "DELETE " + pods + "/a?dryRun=All&dryRun=All", "POST " + pods + "/a/exec?dryRun=All"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		method, target, _ := strings.Cut(line, " ")
		if !strings.HasPrefix(target, "/") || !through(t, method, target, "", nil) {
			return
		}
		path, query, _ := strings.Cut(strings.SplitN(target, "#", 2)[0], "?")
		for _, workload := range []string{"/exec", "/attach", "/portforward"} {
			if strings.HasSuffix(path, workload) && strings.Contains(path, "/pods/") && strings.Count(path, "/") > 6 {
				t.Errorf("%q reaches a workload", line)
			}
		}
		if method != "GET" && method != "HEAD" && method != "" && !strings.Contains(query, "dryRun=All") && !strings.Contains(query, "%") {
			t.Errorf("%q writes", line)
		}
	})
}
