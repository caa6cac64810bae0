package visit

import (
	"bytes"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
)

// observer notes which requests a page makes, for the line at its bottom. The full record is the
// wire tap's.
type observer struct {
	next http.RoundTripper
	now  func() time.Time

	mu   sync.Mutex
	seen []*components.Request
}

// RoundTrip passes the request on.
func (o *observer) RoundTrip(r *http.Request) (*http.Response, error) {
	start := o.now()
	note := o.noteRequest(r)
	answer, err := o.next.RoundTrip(r)
	o.mu.Lock()
	defer o.mu.Unlock()
	note.Millis = o.now().Sub(start).Milliseconds()
	if err != nil {
		return nil, err
	}
	note.Status = answer.StatusCode
	note.MediaType = shortMediaType(answer.Header.Get("Content-Type"))
	answer.Body = &measured{ReadCloser: answer.Body, observer: o, note: note, start: start}
	return answer, nil
}

func (o *observer) noteRequest(r *http.Request) *components.Request {
	query := r.URL.Query()
	note := &components.Request{Method: r.Method, Target: r.URL.EscapedPath()}
	if p, err := apipath.Parse(r.URL.EscapedPath()); err == nil {
		note.Verb = apipath.Verb(r.Method, p, query)
	}
	if len(query) > 0 {
		note.Target += "?" + readable(query)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seen = append(o.seen, note)
	return note
}

// readable writes a query for people. It cuts continue tokens, which people don't read.
func readable(query url.Values) string {
	if token := query.Get("continue"); len(token) > 12 {
		query.Set("continue", token[:12]+"…")
	}
	text, err := url.QueryUnescape(query.Encode())
	if err != nil {
		return query.Encode()
	}
	return text
}

// requests are those made so far, the page's own first, then what tells about the server as a whole, the others in the order
// they were made.
func (o *observer) requests(own string) []components.Request {
	o.mu.Lock()
	defer o.mu.Unlock()
	all := make([]components.Request, len(o.seen))
	for i, r := range o.seen {
		all[i] = *r
	}
	foreign := func(r components.Request) int {
		switch path, _, _ := strings.Cut(r.Target, "?"); path {
		case own:
			return 0
		case "/api", "/apis", "/version":
			return 1 // what a cluster's own page is about
		default:
			return 2
		}
	}
	slices.SortStableFunc(all, func(a, b components.Request) int { return foreign(a) - foreign(b) })
	return all
}

// measured counts the bytes that are read of a body, and notes when it ended.
type measured struct {
	io.ReadCloser
	observer *observer
	note     *components.Request
	start    time.Time
}

func (m *measured) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.observer.mu.Lock()
	defer m.observer.mu.Unlock()
	if m.note.Bytes == 0 {
		m.note.MediaType = responseKind(p[:n], m.note.MediaType)
	}
	m.note.Bytes += int64(n)
	m.note.Millis = m.observer.now().Sub(m.start).Milliseconds()
	return n, err
}

// responseKind tells a Table and a metadata-only list from other JSON: the server answers all of them as
// application/json, with the kind as the first field.
func responseKind(start []byte, mediaType string) string {
	if mediaType != "JSON" {
		return mediaType
	}
	for kind, word := range map[string]string{`"kind":"Table"`: "Table", `"kind":"PartialObjectMetadata`: "metadata only"} {
		if bytes.Contains(start[:min(len(start), 64)], []byte(kind)) {
			return word
		}
	}
	return mediaType
}

// shortMediaType names a representation in a word where it has one.
func shortMediaType(contentType string) string {
	mediaType, params, err := mime.ParseMediaType(contentType)
	switch {
	case err != nil:
		return contentType
	case params["as"] != "":
		return params["as"]
	case mediaType == "application/json":
		return "JSON"
	default:
		return mediaType
	}
}
