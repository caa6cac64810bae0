package pages

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/server/compress"
)

// firstFlush notes what has reached the client when its handler flushes for the first time.
type firstFlush struct {
	http.ResponseWriter
	once    sync.Once
	written int
	first   int
}

func (f *firstFlush) Write(p []byte) (int, error) {
	f.written += len(p)
	return f.ResponseWriter.Write(p)
}

// FlushError is for http.ResponseController.
func (f *firstFlush) FlushError() error {
	f.once.Do(func() { f.first = f.written })
	return http.NewResponseController(f.ResponseWriter).Flush()
}

// sent is a document as it crosses the wire to a browser on another machine, and how much of it crosses with its first flush.
func (s *site) sent(address, coding string) (document []byte, first int) {
	s.t.Helper()
	r := httptest.NewRequestWithContext(s.t.Context(), http.MethodGet, address, nil)
	for name, value := range map[string]string{"Accept-Encoding": coding, "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-User": "?1"} {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	noted := &firstFlush{ResponseWriter: w}
	compress.Handler(flushing(s.server.Config.Handler), true).ServeHTTP(noted, r)
	if got := w.Header().Get("Content-Encoding"); w.Code != http.StatusOK || got != coding {
		s.t.Fatalf("%d in the coding %q: %s", w.Code, got, w.Body)
	}
	return w.Body.Bytes(), noted.first
}

// flushing gives a handler an http.Flusher, as the program's router does.
func flushing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(flusher{w}, r) })
}

type flusher struct{ http.ResponseWriter }

func (f flusher) Flush()                      { _ = http.NewResponseController(f.ResponseWriter).Flush() }
func (f flusher) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// unpacked is as much of a document as its beginning tells.
func unpacked(t *testing.T, coding string, document []byte) string {
	t.Helper()
	var r io.Reader
	var err error
	if coding == "gzip" {
		r, err = gzip.NewReader(strings.NewReader(string(document)))
	} else {
		r, err = zstd.NewReader(strings.NewReader(string(document)), zstd.WithDecoderConcurrency(1))
	}
	must(t, err)
	text, _ := io.ReadAll(r) // a beginning has no end
	return string(text)
}

func TestTheFirstDocumentOfALargeCollection(t *testing.T) {
	const chunk, screen = 500, 68
	s := practiceSite(t)
	namespace := fmt.Sprintf("pages-large-%d", time.Now().UnixNano())
	s.scenario(fmt.Sprintf(`{"name":"pods","fill":{"namespace":%q,"kind":"Pod","count":%d}}`, namespace, chunk+20))
	address := "/c/practice/api/v1/namespaces/" + namespace + "/pods"
	for _, coding := range []string{"gzip", "zstd"} {
		document, first := s.sent(address, coding)
		if len(document) > 120_000 {
			t.Errorf("in %s, the document has %d bytes", coding, len(document))
		}
		begin := unpacked(t, coding, document[:first])
		if rows := strings.Count(begin, " data-uid="); rows != screen || strings.Contains(begin, "<noscript>") {
			t.Errorf("in %s, the first flush has %d rows in %d of %d bytes", coding, rows, first, len(document))
		}
		whole := unpacked(t, coding, document)
		tree, err := html.ParseWithOptions(strings.NewReader(whole), html.ParseOptionEnableScripting(false))
		must(t, err)
		if bodies := all(tree, "tbody"); len(bodies) != 1 || len(all(bodies[0], "tr", "data-uid")) != chunk {
			t.Errorf("in %s, without scripts the document doesn't have its %d rows in one table", coding, chunk)
		}
		if !strings.HasSuffix(strings.TrimSpace(whole), "</html>") {
			t.Errorf("in %s, the document has no end", coding)
		}
		t.Logf("%s: %d bytes, the first screen in %d of them", coding, len(document), first)
	}
}
