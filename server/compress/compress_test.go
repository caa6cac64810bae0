package compress

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// plain is the content of a body.
func plain(t testing.TB, coding string, body io.Reader) []byte {
	t.Helper()
	switch coding {
	case codingGzip:
		r, err := gzip.NewReader(body)
		if err != nil {
			t.Fatal(err)
		}
		body = r
	case codingZstd:
		r, err := zstd.NewReader(body, zstd.WithDecoderMaxWindow(8<<20)) // no browser reads more
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		body = r
	}
	content, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// serve responds to a request of another machine.
func serve(h http.HandlerFunc, headers ...string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	Handler(h, false).ServeHTTP(w, request(there, headers...))
	return w
}

// document sends a document with a status, and sets headers in pairs before.
func document(status int, text string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		Allow(w)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}
}

func TestWhatIsCompressed(t *testing.T) {
	text := strings.Repeat("<p>Fieldmark</p>", 100)
	for what, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"a document":                {document(200, text, "Content-Length", "1600"), "zstd"},
		"a document without a page": {document(404, text), "zstd"},
		"a document without status": {func(w http.ResponseWriter, _ *http.Request) { Allow(w); _, _ = io.WriteString(w, text) }, "zstd"},
		"no document":               {func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) }, ""},
		"another coding":            {document(200, text, "Content-Encoding", "br"), "br"},
		"a part":                    {document(206, text), ""},
		"a range":                   {document(200, text, "Content-Range", "bytes 0-9/10"), ""},
		"a known version":           {document(200, text, "Etag", `"1"`), ""},
		"not to be transformed":     {document(200, text, "Cache-Control", "no-store, no-transform"), ""},
		"no body":                   {document(304, ""), ""},
	} {
		w := serve(c.handler)
		if got := w.Header().Get("Content-Encoding"); got != c.want {
			t.Errorf("%s: %q, want %q", what, got, c.want)
			continue
		}
		if got := plain(t, strings.TrimPrefix(c.want, "br"), w.Body); len(got) > 0 && string(got) != text {
			t.Errorf("%s: got %q", what, got)
		}
		if c.want == codingZstd && (w.Header().Get("Content-Length") != "" || w.Body.Len() >= len(text)) {
			t.Errorf("%s: %v, and %d bytes", what, w.Header(), w.Body.Len())
		}
	}
}

func TestAClientOnThisMachineGetsWhatTheHandlerWrites(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(document(200, "text", "Content-Length", "4"), false).ServeHTTP(w, request(here))
	if w.Body.String() != "text" || w.Header().Get("Content-Length") != "4" || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("%v %q", w.Header(), w.Body)
	}
}

// Whatever is written in whatever pieces, with flushes or without, arrives. Encoders are used again.
func TestWhatArrivesIsWhatWasWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var want bytes.Buffer
	handler := Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		Allow(w)
		for range r.IntN(20) {
			piece := bytes.Repeat([]byte{byte(r.IntN(256))}, r.IntN(5000))
			for range r.IntN(300) {
				piece = append(piece, byte(r.IntN(256)))
			}
			want.Write(piece)
			_, _ = w.Write(piece)
			if r.IntN(3) == 0 {
				_ = http.NewResponseController(w).Flush()
			}
		}
	}), false)
	for n := range 300 {
		coding := []string{codingGzip, codingZstd}[n%2]
		want.Reset()
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, request(there, "Accept-Encoding", coding))
		if w.Body.Len() == 0 && want.Len() == 0 {
			continue
		}
		if got := plain(t, w.Header().Get("Content-Encoding"), w.Body); !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("response %d in %s: %d bytes, want %d", n, coding, len(got), want.Len())
		}
	}
}

func FuzzWhatArrivesIsWhatWasWritten(f *testing.F) {
	f.Add([]byte("<p>one</p>"), []byte("<p>two</p>"), true)
	f.Add([]byte{}, []byte{}, false)
	f.Add(bytes.Repeat([]byte("a"), 100_000), []byte{0, 255}, true)
	f.Fuzz(func(t *testing.T, first, second []byte, flush bool) {
		for _, coding := range []string{codingGzip, codingZstd} {
			w := serve(func(w http.ResponseWriter, _ *http.Request) {
				Allow(w)
				_, _ = w.Write(first)
				if flush {
					_ = http.NewResponseController(w).Flush()
				}
				_, _ = w.Write(second)
			}, "Accept-Encoding", coding)
			if got := plain(t, coding, w.Body); !bytes.Equal(got, append(bytes.Clone(first), second...)) {
				t.Errorf("%s: got %d bytes, want %d and %d", coding, len(got), len(first), len(second))
			}
		}
	})
}

// readsFirst reads what a server has sent before its handler goes on.
func readsFirst(t *testing.T, coding string) {
	more := make(chan struct{})
	first := strings.Repeat("<tr><td>row</td></tr>", 500)
	server := httptest.NewServer(Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		Allow(w)
		_, _ = io.WriteString(w, first)
		_ = http.NewResponseController(w).Flush()
		<-more
		_, _ = io.WriteString(w, "the end")
	}), true))
	defer server.Close()
	defer close(more)
	r := request(there, "Accept-Encoding", coding)
	r.RequestURI = ""
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(server.URL, "http://")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var body io.Reader
	if coding == codingGzip {
		body, err = gzip.NewReader(answer.Body)
	} else {
		body, err = zstd.NewReader(answer.Body, zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(first))
	if _, err := io.ReadFull(body, got); err != nil || string(got) != first {
		t.Errorf("%s: %v", coding, err)
	}
}

func TestAFlushReachesTheClient(t *testing.T) {
	for _, coding := range []string{codingGzip, codingZstd} {
		t.Run(coding, func(t *testing.T) { readsFirst(t, coding) })
	}
}

func TestHalfADocumentHasNoEnd(t *testing.T) {
	server := httptest.NewServer(Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		Allow(w)
		_, _ = io.WriteString(w, "half")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}), true))
	defer server.Close()
	r := request(there)
	r.RequestURI = ""
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(server.URL, "http://")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if _, err := io.ReadAll(answer.Body); err == nil {
		t.Error("a document whose handler failed looks whole")
	}
}

func TestAHeadHasTheHeadersOfTheDocument(t *testing.T) {
	server := httptest.NewServer(Handler(document(200, "text"), true))
	defer server.Close()
	r := request(there)
	r.Method, r.RequestURI = http.MethodHead, ""
	r.URL.Scheme, r.URL.Host = "http", strings.TrimPrefix(server.URL, "http://")
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if got := answer.Header.Get("Content-Encoding"); got != codingZstd {
		t.Errorf("%q", got)
	}
}

func TestResponsesWithoutUsCanBeAllowed(t *testing.T) {
	w := httptest.NewRecorder()
	Allow(w)
	if len(w.Header()) > 0 {
		t.Errorf("headers were set: %v", w.Header())
	}
}
