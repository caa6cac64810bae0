package proxy

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/guard/judged"
	"github.com/fieldmark/fieldmark/server/upstream"
)

// FuzzHeaders: whatever a client sends, only listed headers come out, none of them speaks about who is asking or about one
// connection, and the credential that is added after it survives.
func FuzzHeaders(f *testing.F) {
	for _, s := range []string{
		"Impersonate-User: a\r\nConnection: Authorization\r\n", "X_Remote_User: a\r\nimpersonate_group: b\r\n", "Connection: close, , Impersonate-User\r\nAuthorization: x\r\n",
		"Sec-WebSocket-Protocol: a, base64url.bearer.authorization.k8s.io.x\r\n", "Accept: */*\r\nUser-Agent: kubectl\r\nTE: trailers\r\n",
		"X-Forwarded-For: a\r\nCookie: a=b\r\nProxy-Authorization: x\r\nUpgrade: h2c\r\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, err := textproto.NewReader(bufio.NewReader(strings.NewReader(text + "\r\n"))).ReadMIMEHeader()
		if err != nil {
			return
		}
		before := http.Header(in).Clone()
		out := outgoing(http.Header(in))
		if name := unlisted(out); name != "" {
			t.Fatalf("%q came out", name)
		}
		for name, values := range out {
			plain := strings.ToLower(strings.ReplaceAll(name, "_", "-"))
			for _, bad := range []string{"impersonate-", "x-remote-", "x-forwarded-", "proxy-", "sec-fetch-"} {
				if strings.HasPrefix(plain, bad) {
					t.Fatalf("%q came out", name)
				}
			}
			switch plain {
			case "authorization", "cookie", "connection", "upgrade", "transfer-encoding", "content-length", "te", "keep-alive", "trailer", "host", "origin", "forwarded":
				t.Fatalf("%q came out", name)
			case "sec-websocket-protocol":
				for _, token := range strings.Split(strings.ToLower(strings.Join(values, ",")), ",") {
					if strings.HasPrefix(strings.TrimSpace(token), "base64url.bearer.authorization") {
						t.Fatalf("%q came out", values)
					}
				}
			}
		}
		out.Set("Authorization", "ours")
		if got := out["Authorization"]; len(got) != 1 || got[0] != "ours" {
			t.Fatalf("our credential: %q", got)
		}
		for name, values := range before { // the client's own header, which the guard and others read, is as it was
			if strings.Join(in[name], "\x00") != strings.Join(values, "\x00") {
				t.Fatalf("%q changed", name)
			}
		}
	})
}

func TestCodingThatAPageAsksFor(t *testing.T) {
	out := outgoing(http.Header{"Accept-Encoding": {"gzip, br"}, "Fieldmark-Accept-Encoding": {"identity"}})
	if got := out["Accept-Encoding"]; len(got) != 1 || got[0] != "identity" {
		t.Errorf("the API server is asked for %q", got)
	}
	if _, ok := out["Fieldmark-Accept-Encoding"]; ok {
		t.Error("a field of ours goes upstream")
	}
}

// A rewrite that would let another header through, by whatever mistake, ends in a refusal.
func TestAHeaderThatIsNotListedIsNotSent(t *testing.T) {
	base := &url.URL{Scheme: "https", Host: "host"}
	for name, want := range map[string]bool{"X-Remote-User": false, "Authorization": false, "X-Forwarded-For": false, "accept": false, "Accept": true, "Origin": true} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/clusters/one/api", nil)
		path, err := apipath.Parse("/api")
		if err != nil {
			t.Fatal(err)
		}
		c := &call{cluster: "one", path: path, target: &upstream.Target{Base: base}, via: answering{}}
		out := New(Options{}).request(r.WithContext(judged.Of(r, path).Into(t.Context())), c)
		out.Header[name] = []string{"x"}
		resp, err := New(Options{}).sendRequest(out, c)
		if sent := err == nil; sent != want {
			t.Errorf("%s: sent %t, %v", name, sent, err)
		}
		if resp != nil {
			_ = resp.Body.Close()
		}
	}
}

// answering is an API server that answers everything.
type answering struct{}

func (answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
}

func TestEveryListedHeaderHasAReason(t *testing.T) {
	for _, list := range []map[string]string{requestHeaders, answerHeaders, answerTrailers} {
		for name, why := range list {
			if name != http.CanonicalHeaderKey(name) || len(why) < 10 {
				t.Errorf("%s: %q", name, why)
			}
		}
	}
}
