package people

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// flooded is a shared Fieldmark, before an API server that responds at once and knows each person by the token "token-of-NAME".
type flooded struct {
	api    *httptest.Server
	stop   func()
	origin string
}

// largeList is how many bytes a large list has, about.
const largeList = 4 << 20

func openFlooded(ctx context.Context, l *lab.Lab) (*flooded, error) {
	f := &flooded{api: httptest.NewUnstartedServer(atOnce(largeList))}
	f.api.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // connections that end early are a part of a flood
	f.api.EnableHTTP2 = true
	f.api.StartTLS()
	clusters, err := l.WriteClusters(f.api.URL, lab.AuthorityOf(f.api), lab.ContextName)
	if err != nil {
		f.api.Close()
		return nil, err
	}
	house, err := l.StartShared(ctx, clusters, "")
	if err != nil {
		f.api.Close()
		return nil, err
	}
	f.origin, f.stop = house.Fieldmark.Origin, l.StopLast
	return f, nil
}

func (f *flooded) close() {
	f.stop()
	f.api.CloseClientConnections()
	f.api.Close()
}

// atOnce is the API server. A large list has so many bytes.
func atOnce(bytes int) http.HandlerFunc {
	large := []byte(`{"kind":"List","apiVersion":"v1","items":["` + strings.Repeat("x", bytes) + `"]}`)
	return func(w http.ResponseWriter, r *http.Request) { respond(w, r, large) }
}

func respond(w http.ResponseWriter, r *http.Request, large []byte) {
	w.Header().Set("Content-Type", "application/json")
	switch {
	case strings.HasSuffix(r.URL.Path, "/selfsubjectreviews"):
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"status":{"userInfo":{"username":%q}}}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer token-of-"))
	case strings.HasSuffix(r.URL.Path, "/large"):
		_, _ = w.Write(large)
	default:
		_, _ = io.WriteString(w, `{"kind":"List","apiVersion":"v1","items":[]}`)
	}
}

// visitor is somebody's browser.
type visitor struct {
	name, origin string
	client       *http.Client
}

// visitor signs somebody in.
func (f *flooded) visitor(ctx context.Context, name string) (*visitor, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, fmt.Errorf("making a browser: %w", err)
	}
	transport := &http.Transport{MaxIdleConnsPerHost: heldOpen, TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}}
	p := &visitor{name: name, origin: f.origin, client: &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}}
	form := lab.SharedForm("token-of-" + name)
	code, err := p.sendRequest(ctx, http.MethodPost, "/-/sign-in", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if err == nil && code >= http.StatusBadRequest {
		err = fmt.Errorf("%s can't sign in: %d", name, code)
	}
	return p, err
}

const listPath = "/clusters/" + lab.ContextName + "/api/v1/namespaces/n/configmaps"

func (p *visitor) small(ctx context.Context) (int, error) {
	return p.sendRequest(ctx, http.MethodGet, listPath, "")
}

func (p *visitor) large(ctx context.Context) (int, error) {
	return p.sendRequest(ctx, http.MethodGet, listPath+"/large", "")
}

func (p *visitor) writes(ctx context.Context) (int, error) {
	return p.sendRequest(ctx, http.MethodPost, listPath, `{"kind":"ConfigMap","apiVersion":"v1"}`, "Content-Type", "application/json")
}

// connects opens a page's socket, and closes it.
func (p *visitor) connects(ctx context.Context) (int, error) {
	return p.sendRequest(ctx, http.MethodGet, "/socket", "", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-Websocket-Version", "13",
		"Sec-Websocket-Key", "MDEyMzQ1Njc4OWFiY2RlZg==", "Origin", p.origin)
}

// holds requests a large list and doesn't read it, until so many others are held that it is the oldest one.
func (p *visitor) holds(ctx context.Context, held chan io.Closer) (int, error) {
	resp, err := p.openResponse(context.WithoutCancel(ctx), http.MethodGet, listPath+"/large", "") //nolint:bodyclose // it stays open until others take its place
	if err != nil {
		return 0, err
	}
	for {
		select {
		case held <- resp.Body:
			return resp.StatusCode, nil
		case oldest := <-held:
			_ = oldest.Close()
		}
	}
}

// sendRequest sends a request and reads its response. It closes an upgraded connection at once.
func (p *visitor) sendRequest(ctx context.Context, method, path, body string, headers ...string) (int, error) {
	resp, err := p.openResponse(ctx, method, path, body, headers...)
	if err != nil {
		return 0, err
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		_, err = io.Copy(io.Discard, resp.Body)
	}
	if closing := resp.Body.Close(); err == nil {
		err = closing
	}
	return resp.StatusCode, err
}

func (p *visitor) openResponse(ctx context.Context, method, path, body string, headers ...string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, p.origin+path, strings.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("making a request: %w", err)
	}
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	resp, err := p.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	return resp, nil
}
