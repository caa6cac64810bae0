package judged

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// asked is a request as the guard sees it, and path its API path.
func asked(t *testing.T, method, target string, content io.ReadCloser, length int64) (*http.Request, apipath.Path) {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, "/clusters/a%20b"+target, nil)
	r.Header.Set("Content-Type", "application/json")
	r.Body, r.ContentLength = content, length
	path, err := apipath.Parse(strings.TrimPrefix(r.URL.EscapedPath(), "/clusters/a%20b"))
	if err != nil {
		t.Fatal(err)
	}
	return r, path
}

// sent is the same request as it goes to https://host/base.
func sent(t *testing.T, method, target string, content io.ReadCloser, length int64) *http.Request {
	t.Helper()
	u, err := url.Parse("https://host/base" + target)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Request{Method: method, URL: u, Host: "host", Header: http.Header{"Content-Type": {"application/json"}}, Body: content, ContentLength: length}
}

func TestCheckNamesWhatDiffers(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "host", Path: "/base"}
	const options = `{"dryRun":["All"]}`
	for name, c := range map[string]struct {
		change  func(*http.Request)
		cluster string
		want    string
	}{
		"nothing":               {func(*http.Request) {}, "a b", ""},
		"a header of no weight": {func(r *http.Request) { r.Header.Set("Accept", "*/*") }, "a b", ""},
		"another cluster":       {func(*http.Request) {}, "a", "cluster"},
		"another server":        {func(r *http.Request) { r.URL.Host = "other" }, "a b", "server"},
		"another Host":          {func(r *http.Request) { r.Host = "other" }, "a b", "server"},
		"not encrypted":         {func(r *http.Request) { r.URL.Scheme = "http" }, "a b", "server"},
		"above the base":        {func(r *http.Request) { r.URL.Path = strings.TrimPrefix(r.URL.Path, "/base") }, "a b", "path or query"},
		"opaque":                {func(r *http.Request) { r.URL.Opaque = "//other/x" }, "a b", "path or query"},
		"another escaping":      {func(r *http.Request) { r.URL.RawPath = "/base/api/v1/%70ods/x" }, "a b", "path or query"},
		"a question mark":       {func(r *http.Request) { r.URL.RawQuery, r.URL.ForceQuery = "", true }, "a b", "path or query"},
		"chunked":               {func(r *http.Request) { r.TransferEncoding = []string{"chunked"} }, "a b", "length of the body"},
		"an empty header":       {func(r *http.Request) { r.Header["Upgrade"] = []string{""} }, "a b", "Upgrade"},
		"a longer body":         {func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(options + "x")) }, "a b", "body"},
		"a broken body":         {func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(options[:3])) }, "a b", "body"},
	} {
		j := Of(asked(t, "DELETE", "/api/v1/pods/x?dryRun=All", Body([]byte(options)), int64(len(options))))
		out := sent(t, "DELETE", "/api/v1/pods/x?dryRun=All", io.NopCloser(strings.NewReader(options)), int64(len(options)))
		c.change(out)
		same, differs := j.Check(out, base, c.cluster)
		if differs != c.want || (same == nil) != (c.want != "") {
			t.Errorf("%s: %q, want %q", name, differs, c.want)
			continue
		}
		if same != nil {
			if content, err := io.ReadAll(same.Body); err != nil || string(content) != options {
				t.Errorf("%s: %q, %v is sent", name, content, err)
			}
		}
	}
}

func TestWhatWasJudgedDoesNotChange(t *testing.T) {
	r, path := asked(t, "POST", "/api/v1/pods", http.NoBody, 0)
	j := Of(r, path)
	r.Header["Content-Type"][0] = "application/yaml"
	r.Method = "PUT"
	out := sent(t, "POST", "/api/v1/pods", nil, 0)
	out.Header = r.Header
	if _, differs := j.Check(out, &url.URL{Scheme: "https", Host: "host", Path: "/base"}, "a b"); differs != "Content-Type" {
		t.Errorf("differs: %q", differs)
	}
}

func TestNobodyJudged(t *testing.T) {
	if _, differs := From(t.Context()).Check(sent(t, "GET", "/api", nil, 0), &url.URL{}, ""); differs == "" {
		t.Error("a request that nobody judged may be sent")
	}
	j := &Request{}
	if From(j.Into(t.Context())) != j {
		t.Error("what was judged is lost")
	}
}

// A body that nobody judged isn't read: it may be large, and slow to come.
func TestABodyThatWasNotJudgedIsLeftAlone(t *testing.T) {
	content := io.NopCloser(strings.NewReader("x"))
	j := Of(asked(t, "POST", "/api/v1/pods", content, 1))
	out := sent(t, "POST", "/api/v1/pods", content, 1)
	same, differs := j.Check(out, &url.URL{Scheme: "https", Host: "host", Path: "/base"}, "a b")
	if differs != "" || same != out || same.Body != content {
		t.Errorf("%q, %p for %p", differs, same, out)
	}
}
