package people

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
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
	settings, err := f.files(l.Folder)
	if err != nil {
		f.api.Close()
		return nil, err
	}
	address, err := unused(ctx)
	if err != nil {
		f.api.Close()
		return nil, err
	}
	f.origin = "http://" + address
	p, err := l.StartProgram(ctx, "fieldmark", "--shared", "--shared-config", settings, "--listen", address, "--public-url", f.origin, "--drain", "0s", "--log-level", "error")
	if err != nil {
		f.api.Close()
		return nil, err
	}
	f.stop = l.StopLast
	if _, err := p.Await(func(line string) (string, bool) { return line, strings.Contains(line, "is ready at") }); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func (f *flooded) close() {
	f.stop()
	f.api.CloseClientConnections()
	f.api.Close()
}

// files writes the settings, and the files that they name. JSON is YAML.
func (f *flooded) files(folder string) (settings string, err error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return "", fmt.Errorf("making a session key: %w", err)
	}
	clusters := map[string]any{"apiVersion": "v1", "kind": "Config", "clusters": []any{map[string]any{"name": "k", "cluster": map[string]any{
		"server": f.api.URL, "certificate-authority-data": pemOf(f.api.Certificate().Raw),
	}}}}
	keys, kubeconfig := filepath.Join(folder, "flood-keys"), filepath.Join(folder, "flood-clusters")
	settings = filepath.Join(folder, "flood-settings")
	for file, value := range map[string]any{
		kubeconfig: clusters, keys: base64.StdEncoding.EncodeToString(key),
		settings: map[string]any{"sessionKeys": []string{keys}, "clustersFile": kubeconfig, "allowTokens": true},
	} {
		text, ok := value.(string)
		if !ok {
			encoded, err := json.Marshal(value)
			if err != nil {
				return "", fmt.Errorf("writing %s: %w", file, err)
			}
			text = string(encoded)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("writing %s: %w", file, err)
		}
	}
	return settings, nil
}

// pemOf is a certificate as a kubeconfig has it.
func pemOf(der []byte) string {
	text := "-----BEGIN CERTIFICATE-----\n" + base64.StdEncoding.EncodeToString(der) + "\n-----END CERTIFICATE-----\n"
	return base64.StdEncoding.EncodeToString([]byte(text))
}

// unused is an address that nobody listens at.
func unused(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("finding a free port: %w", err)
	}
	return l.Addr().String(), l.Close()
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
	form := url.Values{"cluster": {"k"}, "token": {"token-of-" + name}, "next": {"/"}}
	code, err := p.sendRequest(ctx, http.MethodPost, "/-/sign-in", form.Encode(), "Content-Type", "application/x-www-form-urlencoded")
	if err == nil && code >= http.StatusBadRequest {
		err = fmt.Errorf("%s can't sign in: %d", name, code)
	}
	return p, err
}

const listPath = "/clusters/k/api/v1/namespaces/n/configmaps"

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
