package proxy_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// lines is a log that a test can read while a server writes it.
type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// rewritten is a request that became another after it was judged, and where the two differ.
type rewritten struct {
	change  func(*http.Request) *http.Request
	differs string
}

func readdressed(path string) func(*http.Request) *http.Request {
	return func(r *http.Request) *http.Request {
		r.URL = &url.URL{Path: "/clusters/one" + path, RawQuery: r.URL.RawQuery}
		return r
	}
}

func withHeader(name string, values ...string) func(*http.Request) *http.Request {
	return func(r *http.Request) *http.Request { r.Header[name] = values; return r }
}

const (
	dryOptions = `{"dryRun":["All"]}`
	wetOptions = `{"dryRun":["Al1"]}`
)

// Whatever happens to a request after the guard has judged it, the API server gets the request that was judged, or nothing.
func TestARequestThatBecomesAnotherAfterItWasJudgedIsNotSent(t *testing.T) {
	for name, b := range map[string]rewritten{
		"another method":            {func(r *http.Request) *http.Request { r.Method = "PUT"; return r }, "method"},
		"another object":            {readdressed("/api/v1/namespaces/x/pods/other"), "path or query"},
		"another type":              {readdressed("/api/v1/namespaces/x/secrets/web"), "path or query"},
		"a workload":                {readdressed("/api/v1/namespaces/x/pods/web/proxy/"), "path or query"},
		"no dry run":                {func(r *http.Request) *http.Request { r.URL.RawQuery = ""; return r }, "path or query"},
		"more of a query":           {func(r *http.Request) *http.Request { r.URL.RawQuery += "&dryRun="; return r }, "path or query"},
		"no type":                   {func(r *http.Request) *http.Request { delete(r.Header, "Content-Type"); return r }, "Content-Type"},
		"another media type":        {withHeader("Content-Type", "application/yaml"), "Content-Type"},
		"two media types":           {withHeader("Content-Type", "application/json", "application/yaml"), "Content-Type"},
		"compressed":                {withHeader("Content-Encoding", "gzip"), "Content-Encoding"},
		"judged by nobody":          {func(r *http.Request) *http.Request { return r.WithContext(context.Background()) }, "everything"},
		"another body, same length": {func(r *http.Request) *http.Request { r.Body = io.NopCloser(strings.NewReader(wetOptions)); return r }, "body"},
		"a shorter body":            {func(r *http.Request) *http.Request { r.Body = io.NopCloser(strings.NewReader("{}")); return r }, "body"},
		"a longer body": {func(r *http.Request) *http.Request {
			r.Body = io.NopCloser(strings.NewReader(dryOptions + " "))
			return r
		}, "body"},
		"a body that was read":       {func(r *http.Request) *http.Request { _, _ = io.Copy(io.Discard, r.Body); return r }, "body"},
		"another length":             {func(r *http.Request) *http.Request { r.ContentLength--; return r }, "length of the body"},
		"no body":                    {func(r *http.Request) *http.Request { r.Body, r.ContentLength = http.NoBody, 0; return r }, "length of the body"},
		"a body of unknown length":   {func(r *http.Request) *http.Request { r.ContentLength = -1; return r }, "length of the body"},
		"a body in place of another": {func(r *http.Request) *http.Request { r.Body = nil; return r }, "body"},
	} {
		t.Run(name, func(t *testing.T) {
			got, answer, log := betweenThem(t, b.change, "DELETE "+pods+"/web?dryRun=All HTTP/1.1\nHost: HOST\nBEARER\nContent-Type: application/json\nContent-Length: 18\n\n"+dryOptions)
			isNotSent(t, got, answer, log, b.differs)
		})
	}
}

func TestAnUpgradeThatBecomesAnotherAfterItWasJudgedIsNotSent(t *testing.T) {
	for name, b := range map[string]rewritten{
		"another method":   {func(r *http.Request) *http.Request { r.Method = "POST"; return r }, "method"},
		"another object":   {readdressed("/api/v1/namespaces/x/pods/other/exec"), "path or query"},
		"another command":  {func(r *http.Request) *http.Request { r.URL.RawQuery = "command=rm"; return r }, "path or query"},
		"another protocol": {withHeader("Upgrade", "SPDY/3.1"), "Upgrade"},
		"h2c":              {withHeader("Upgrade", "h2c"), "Upgrade"},
		"no upgrade":       {func(r *http.Request) *http.Request { delete(r.Header, "Upgrade"); return r }, "Upgrade"},
		"judged by nobody": {func(r *http.Request) *http.Request { return r.WithContext(context.Background()) }, "everything"},
		"with a body": {func(r *http.Request) *http.Request {
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader("x")), 1
			return r
		}, "length of the body"},
	} {
		t.Run(name, func(t *testing.T) {
			got, answer, log := betweenThem(t, b.change, "GET "+pods+"/web/exec?command=ls HTTP/1.1\nHost: HOST\nBEARER\nConnection: Upgrade\nUpgrade: websocket\n\n")
			isNotSent(t, got, answer, log, b.differs)
		})
	}
}

// betweenThem sends a request to a house where something happens between guard and proxy.
func betweenThem(t *testing.T, change func(*http.Request) *http.Request, send string) (got, answer, log string) {
	t.Helper()
	c := newCounter(t, fine)
	target := upstream.New(&url.URL{Scheme: "http", Host: c.Addr().String()}, upstream.Config{})
	t.Cleanup(target.Close)
	between := func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(w, change(r)) })
	}
	var kept lines
	readOnly := func(o *guard.Options) { o.ReadOnly = strings.HasPrefix(send, "DELETE") }
	h := buildWith(t, target, readOnly, between, slog.New(slog.NewTextHandler(&kept, nil)))
	answer = h.raw(t, send)
	if n := len(h.tap.Entries(h.guard.ClientSession().ID, 0)); n != 0 && c.text() == "" {
		t.Errorf("%d requests are recorded, and none was sent", n)
	}
	return c.text(), answer, kept.text()
}

func isNotSent(t *testing.T, got, answer, log, differs string) {
	t.Helper()
	if got != "" {
		t.Errorf("upstream got %q", got)
	}
	if !strings.HasPrefix(answer, "HTTP/1.1 500") || !strings.Contains(answer, "changed this request") || !strings.Contains(answer, `"kind":"Status"`) {
		t.Errorf("the answer: %q", answer)
	}
	if !strings.Contains(log, "level=ERROR") || !strings.Contains(log, "differs=") || !strings.Contains(strings.ReplaceAll(log, `"`, ""), "differs="+differs) {
		t.Errorf("the log: %q, want %q", log, differs)
	}
}

func TestARequestThatStaysWhatWasJudgedIsSent(t *testing.T) {
	same := func(r *http.Request) *http.Request { return r }
	for _, send := range []string{
		"DELETE " + pods + "/web?dryRun=All HTTP/1.1\nHost: HOST\nBEARER\nContent-Type: application/json\nContent-Length: 18\n\n" + dryOptions,
		"DELETE " + pods + "/web HTTP/1.1\nHost: HOST\nBEARER\nContent-Type: application/json\nTransfer-Encoding: chunked\n\n12\n" + dryOptions + "\n0\n\n",
		"DELETE " + pods + "/web?dryRun=All HTTP/1.1\nHost: HOST\nBEARER\n\n", "GET " + pods + "? HTTP/1.1\nHost: HOST\nBEARER\n\n",
		"POST " + pods + "?a=%2f&b HTTP/1.1\nHost: HOST\nBEARER\nContent-Length: 2\n\n{}", "POST " + pods + " HTTP/1.1\nHost: HOST\nBEARER\nTransfer-Encoding: chunked\n\n0\n\n",
		"GET /clusters/%6fne/api/v1/namespaces/x/pods/a%3Ab%2Bc%21%27%28%29%2A,$&=@~_-. HTTP/1.1\nHost: HOST\nBEARER\n\n",
		"GET " + pods + "/ HTTP/1.1\nHost: HOST\nBEARER\n\n", "GET /clusters/one HTTP/1.1\nHost: HOST\nBEARER\n\n", "OPTIONS /clusters/one/api/ HTTP/1.1\nHost: HOST\nBEARER\n\n",
		"GET " + pods + "/%E2%82%AC/exec?a=b HTTP/1.1\nHost: HOST\nBEARER\nConnection: Upgrade\nUpgrade: WebSocket\n\n",
	} {
		got, answer, log := betweenThem(t, same, send)
		if !strings.HasPrefix(answer, "HTTP/1.1 200") || got == "" || log != "" {
			t.Errorf("%q: upstream got %q, the answer %q, the log %q", send, got, answer, log)
		}
		if strings.Contains(send, dryOptions) && !strings.HasSuffix(got, "\r\nContent-Type: application/json\r\n\r\n"+dryOptions) && !strings.HasSuffix(got, dryOptions) {
			t.Errorf("the body: %q", got)
		}
	}
}
