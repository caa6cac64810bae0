package kubelet

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// ask sends a request as the client of that name; no name means no certificate.
func ask(t *testing.T, client, path string) (int, string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	request.TLS = &tls.ConnectionState{}
	if client != "" {
		request.TLS.PeerCertificates = []*x509.Certificate{{Subject: pkix.Name{CommonName: client}}}
	}
	recorder := httptest.NewRecorder()
	Handler("api", slog.New(slog.DiscardHandler)).ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

func TestOnlyTheAPIServerIsAnswered(t *testing.T) {
	for client, code := range map[string]int{"api": http.StatusOK, "practice-viewer": http.StatusForbidden, "": http.StatusForbidden} {
		if got, _ := ask(t, client, "/containerLogs/shop/web/app"); got != code {
			t.Errorf("%q: got %d, want %d", client, got, code)
		}
	}
}

func TestLogs(t *testing.T) {
	_, all := ask(t, "api", "/containerLogs/shop/web/app")
	if lines := strings.Count(all, "\n"); lines != 2 || !strings.Contains(all, "container app of pod web in namespace shop") {
		t.Errorf("got %q", all)
	}
	_, last := ask(t, "api", "/containerLogs/shop/web/app?tailLines=1")
	if !strings.HasSuffix(all, last) || strings.Count(last, "\n") != 1 {
		t.Errorf("the last line: got %q", last)
	}
}

type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }

func TestExecSaysWhatWasAskedAndEchoes(t *testing.T) {
	for _, c := range []struct {
		name string
		in   io.Reader
		tty  bool
		want string
	}{
		{"no input", nil, false, "simulated container: no process ran; asked for: ls -l\n"},
		{"input", strings.NewReader("hello"), false, "simulated container: no process ran; asked for: ls -l\nhello"},
		{"terminal", nil, true, "simulated container: no process ran; asked for: ls -l\r\n"},
	} {
		var out closer
		err := container{}.ExecInContainer(context.Background(), "web", "", "app", []string{"ls", "-l"}, c.in, &out, nil, c.tty, nil, 0)
		if err != nil || out.String() != c.want {
			t.Errorf("%s: got %q, %v", c.name, out.String(), err)
		}
	}
}
