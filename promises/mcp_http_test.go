package promises

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearing is a transport that adds a token.
type bearing struct{ token string }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

// origin is the address of a running Fieldmark.
func (f *fieldmark) origin(t *testing.T) string {
	t.Helper()
	u, err := url.Parse(f.url)
	if err != nil {
		t.Fatal(err)
	}
	return u.Scheme + "://" + u.Host
}

// post sends a request with a token, and returns the status code and the body.
func (f *fieldmark) post(t *testing.T, path, token, body string) (code int, text string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.origin(t)+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if path == "/mcp" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	} else {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	response, err := (&http.Client{Transport: bearing{token}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	all, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(all)
}

// programToken is a token for programs, made with the launch token.
func (f *fieldmark) programToken(t *testing.T) string {
	t.Helper()
	code, text := f.post(t, "/-/programs", f.token, "")
	if code != http.StatusOK || !strings.HasPrefix(text, "fieldmark-program-") {
		t.Fatal(code, text)
	}
	return strings.TrimSpace(text)
}

// TestAssistantsOverHTTP: the SDK's client, and raw JSON-RPC, through a running Fieldmark.
func TestAssistantsOverHTTP(t *testing.T) {
	m, kubeconfig := between(t)
	f := startFieldmark(t, kubeconfig, t.TempDir()+"/kubeconfig")
	token := f.programToken(t)
	client := sdk.NewClient(&sdk.Implementation{Name: "promises", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: f.origin(t) + "/mcp", HTTPClient: &http.Client{Transport: bearing{token}}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	a := &assistant{ClientSession: session, log: newRecording()}
	for name, arguments := range everything {
		var given map[string]any
		if err := json.Unmarshal([]byte(arguments), &given); err != nil {
			t.Fatal(err)
		}
		if text, failed := a.text(t, name, given); failed {
			t.Errorf("%s: %s", name, text)
		}
	}
	m.mu.Lock()
	for _, r := range m.seen {
		if r.Method != http.MethodGet && r.URL.Query().Get("dryRun") != "All" {
			t.Errorf("%s %s left", r.Method, r.URL)
		}
	}
	m.mu.Unlock()
	code, text := f.post(t, "/mcp", token, `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"preview_apply","arguments":`+everything["preview_apply"]+`}}`)
	var spoke spoken
	if err := json.Unmarshal([]byte(text), &spoke); code != http.StatusOK || err != nil || string(spoke.ID) != "7" || !bytes.Contains(spoke.Result, []byte("would_take")) {
		t.Error(code, text)
	}
	f.assistantsAreBounded(t, token)
}

// assistantsAreBounded: what a token for programs can't do, and how it ends.
func (f *fieldmark) assistantsAreBounded(t *testing.T, token string) {
	t.Helper()
	if code, text := f.post(t, "/mcp", f.token, `{}`); code != http.StatusUnauthorized {
		t.Error("the launch token is let in:", code, text)
	}
	if code, text := f.post(t, "/clusters/one/api/v1/namespaces/shop/configmaps", token, `{}`); code != http.StatusUnauthorized {
		t.Error("the token is good for the API:", code, text)
	}
	if code, text := f.post(t, "/mcp", token, strings.Repeat("x", 4<<20)); code != http.StatusRequestEntityTooLarge {
		t.Error(code, text)
	}
	for _, body := range []string{`{`, `[]`, `{"jsonrpc":"1.0"}`} {
		if code, text := f.post(t, "/mcp", token, body); code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
	if code, text := f.post(t, "/-/programs", f.token, "revoke=all"); code != http.StatusOK {
		t.Error(code, text)
	}
	if code, text := f.post(t, "/mcp", token, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); code != http.StatusUnauthorized {
		t.Error("a revoked token is let in:", code, text)
	}
}

// TestCallsAreInTheWireLog: the requests of an assistant are in the record of the session that made its token.
func TestCallsAreInTheWireLog(t *testing.T) {
	f := startFieldmark(t, practiceKubeconfig(t), t.TempDir()+"/kubeconfig")
	token := f.programToken(t)
	code, text := f.post(t, "/mcp", token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"owners_of","arguments":`+everything["owners_of"]+`}}`)
	if code != http.StatusOK || !strings.Contains(text, "argocd-controller") {
		t.Fatal(code, text)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.origin(t)+"/c/practice/-/requests", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", "text/html")
	response, err := (&http.Client{Transport: bearing{f.token}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	page, err := io.ReadAll(response.Body)
	if err != nil || !bytes.Contains(page, []byte("/apis/apps/v1/namespaces/shop/deployments/storefront")) {
		t.Errorf("%d %v: the page of the wire log lacks the request", response.StatusCode, err)
	}
}

// TestHistoryIsWhatFieldmarkRecorded: an object that the session watches has a recording, and the tool needs no watch of its own.
func TestHistoryIsWhatFieldmarkRecorded(t *testing.T) {
	f := startFieldmark(t, practiceKubeconfig(t), t.TempDir()+"/kubeconfig")
	token := f.programToken(t)
	watched := url.Values{"path": {"/apis/apps/v1/namespaces/shop/deployments/storefront"}, "act": {"watch"}}
	if code, text := f.post(t, "/c/practice/-/watched", f.token, watched.Encode()); code >= http.StatusBadRequest {
		t.Fatal(code, text)
	}
	code, text := f.post(t, "/mcp", token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"history","arguments":{"resource":"deploy","namespace":"shop","name":"storefront","seconds":1}}}`)
	if code != http.StatusOK || !strings.Contains(text, "Fieldmark has recorded") {
		t.Error(code, text)
	}
}

// TestAFloodOverHTTP: a client has four calls at a time at a running Fieldmark, whatever number of tokens it has. Some more wait, and all others are
// refused. Another session has calls of its own.
func TestAFloodOverHTTP(t *testing.T) {
	m, kubeconfig := between(t)
	release, arrived := make(chan struct{}), make(chan struct{}, 100)
	var now, most, refused, served atomic.Int32
	m.mu.Lock()
	m.before = func(r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/events") {
			return
		}
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		arrived <- struct{}{}
		<-release
		now.Add(-1)
	}
	m.mu.Unlock()
	f := startFieldmark(t, kubeconfig, t.TempDir()+"/kubeconfig")
	tokens := []string{f.programToken(t), f.programToken(t)}
	call := func(token, tool string) string {
		code, text := f.post(t, "/mcp", token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{}}}`)
		if code != http.StatusOK {
			t.Error(code, text)
		}
		return text
	}
	const places, over = 4 + 32, 14
	var all sync.WaitGroup
	for i := range places + over {
		all.Go(func() {
			if text := call(tokens[i%2], "events"); !strings.Contains(text, "Too many calls wait") {
				served.Add(1)
			} else if refused.Add(1) == over {
				for range 4 {
					<-arrived
				}
				close(release)
			}
		})
	}
	all.Wait()
	if most.Load() != 4 || refused.Load() != over || served.Load() != places {
		t.Errorf("%d at a time, %d refused, %d served", most.Load(), refused.Load(), served.Load())
	}
	if text := call(tokens[0], "clusters"); !strings.Contains(text, "one") {
		t.Error("after the flood:", text)
	}
}

// TestOtherSitesAndHostsAreRefused: the guard looks at Origin, Sec-Fetch-Site and Host of each call, also with a good token.
func TestOtherSitesAndHostsAreRefused(t *testing.T) {
	f := startFieldmark(t, practiceKubeconfig(t), t.TempDir()+"/kubeconfig")
	token := f.programToken(t)
	for what, c := range map[string]struct {
		host, header, value string
		code                int
	}{
		"as it is":         {"", "X-Nothing", "x", http.StatusOK},
		"another origin":   {"", "Origin", "https://evil.example", http.StatusForbidden},
		"no origin":        {"", "Origin", "null", http.StatusForbidden},
		"another site":     {"", "Sec-Fetch-Site", "cross-site", http.StatusForbidden},
		"another host":     {"evil.example", "X-Nothing", "x", http.StatusForbidden},
		"a forwarded host": {"", "X-Forwarded-Host", "evil.example", http.StatusOK},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, f.origin(t)+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set(c.header, c.value)
		r.Host = cmp.Or(c.host, r.Host)
		response, err := (&http.Client{Transport: bearing{token}}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if refused := response.StatusCode >= http.StatusBadRequest && response.StatusCode < http.StatusInternalServerError; refused != (c.code != http.StatusOK) {
			t.Errorf("%s: %d, want %d", what, response.StatusCode, c.code)
		}
	}
}
