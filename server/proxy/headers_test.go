package proxy

import (
	"bufio"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
)

// FuzzHeaders: whatever a client sends, no field comes out that speaks about who is asking or about one connection,
// and the credential that is added after it survives.
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
