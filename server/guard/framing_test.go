package guard

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
)

// follow gives what framing says about a stream that arrives in pieces of n bytes, and how many heads it saw.
func followPieces(stream string, n int) (f framing, suspicious bool) {
	for at := 0; at < len(stream); at += n {
		if f.follow([]byte(stream[at:min(at+n, len(stream))])) {
			return f, true
		}
	}
	return f, false
}

func TestFramingFollowsRequests(t *testing.T) {
	const (
		get   = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
		post  = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n" + "POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: c\r\n\r\n"
		chunk = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n3c;a=b\r\n" +
			"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: c\r\n\r\n" + "\r\n0\r\nContent-Length: 1\r\n\r\n"
		both = "POST / HTTP/1.1\r\ncontent-length: 3\r\nX: y\r\ntransfer-encoding: chunked\r\n\r\n"
	)
	for name, c := range map[string]struct {
		stream     string
		suspicious bool
	}{
		"reads":                 {get + get + get, false},
		"a body that looks bad": {post + get, false},
		"chunks that look bad":  {chunk + get, false},
		"empty lines between":   {get + "\r\n\r\n" + get, false},
		"bare line feeds":       {"GET / HTTP/1.1\nHost: x\n\n" + both, true},
		"both":                  {both, true},
		"both, later":           {get + post + chunk + both, true},
		"chunked in 1.0":        {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", true},
		"two lengths":           {"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", true},
		"the same length twice": {"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx" + both, true},
		"no number":             {"POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", true},
		"a chunk of odd size":   {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", true},
		"a chunk that goes on":  {"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", true},
		"after an upgrade":      {"GET / HTTP/1.1\r\nUpgrade: websocket\r\n\r\n" + both, false},
		"a line without an end": {"GET /" + strings.Repeat("x", 2*maxLine), true},
	} {
		for _, n := range []int{1, 2, 7, 1 << 20} {
			if _, got := followPieces(c.stream, n); got != c.suspicious {
				t.Errorf("%s, by %d: suspicious is %v", name, n, got)
			}
		}
	}
}

// FuzzFraming holds framing against net/http: a head that both read as a request, with both ways to tell its length in
// it, must have been noticed before net/http hands the request out.
func FuzzFraming(f *testing.F) {
	f.Add("GET / HTTP/1.1\r\nHost: x\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
	f.Add("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\n\r\nPOST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
	f.Add("POST / HTTP/1.1\nHost: x\nContent-Length: 2\n\nabPOST / HTTP/1.0\nTransfer-Encoding: chunked\nContent-Length: 2\n\n0\n\n")
	f.Fuzz(func(t *testing.T, stream string) {
		_, whole := followPieces(stream, len(stream)+1)
		if _, single := followPieces(stream, 1); single != whole {
			t.Fatalf("by bytes %v, at once %v", single, whole)
		}
		if whole {
			return
		}
		left := strings.NewReader(stream)
		r := bufio.NewReader(left)
		for {
			begin := len(stream) - left.Len() - r.Buffered()
			request, err := http.ReadRequest(r)
			if err != nil || request.Header["Upgrade"] != nil {
				return
			}
			end := len(stream) - left.Len() - r.Buffered()
			if len(request.TransferEncoding) > 0 && hasLength(stream[begin:end]) {
				t.Fatalf("not noticed: %q", stream[begin:end])
			}
			if _, err := io.Copy(io.Discard, request.Body); err != nil {
				return
			}
		}
	})
}

func hasLength(head string) bool {
	for _, line := range strings.Split(head, "\n") {
		if name, _, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Length") {
			return true
		}
	}
	return false
}

func BenchmarkFraming(b *testing.B) {
	head := []byte("GET /clusters/one/api/v1/namespaces/default/pods/web HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nAuthorization: Bearer x\r\n" +
		"User-Agent: kubectl/v1.37\r\nAccept: application/json\r\nAccept-Encoding: gzip\r\n\r\n")
	var f framing
	for b.Loop() {
		f.follow(head)
	}
}
