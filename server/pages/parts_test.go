package pages

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/server/compress"
	"github.com/fieldmark/fieldmark/server/subpath"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/web/write/check"
)

// held is a cluster whose server doesn't respond to requests for some paths until it is released.
type held struct {
	*site
	release chan struct{}
}

// holding holds back the requests that are chosen. All get the fault as their response.
func holding(t *testing.T, chosen func(*http.Request) bool, fault http.HandlerFunc) held {
	t.Helper()
	h := held{release: make(chan struct{})}
	h.site = scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if chosen(r) {
			select {
			case <-h.release:
			case <-r.Context().Done():
			}
		}
		fault(w, r)
	})
	return h
}

// reading is a document that arrives.
type reading struct {
	t     *testing.T
	body  *bufio.Reader
	heard bytes.Buffer
}

// open sends a request, and returns when the head of the response is there.
func open(t *testing.T, r *http.Request) (*http.Response, *reading) {
	t.Helper()
	answer, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return answer, &reading{t: t, body: bufio.NewReader(answer.Body)}
}

// until reads as far as these words, and gives what came before. It doesn't end while they are held back.
func (d *reading) until(words string) string {
	d.t.Helper()
	for !strings.HasSuffix(d.heard.String(), words) {
		b, err := d.body.ReadByte()
		if err != nil {
			d.t.Fatalf("the document ended before %q: %v: %.3000s", words, err, shown(d.heard.String()))
		}
		d.heard.WriteByte(b)
	}
	return d.heard.String()
}

// shown is a document from its body on.
func shown(document string) string {
	_, body, _ := strings.Cut(document, "<body>")
	return body
}

func (d *reading) rest() string {
	d.t.Helper()
	rest, err := io.ReadAll(d.body)
	must(d.t, err)
	return string(rest)
}

const oddPodMeta = `"metadata":{"name":"a","namespace":"default","uid":"1","resourceVersion":"1"}`

// lists answers with an empty list, and with the Pod for its address.
func lists(w http.ResponseWriter, r *http.Request) {
	body := `{"kind":"PodList","apiVersion":"v1","items":[]}`
	if strings.HasSuffix(r.URL.Path, "/pods/a") {
		body = `{"kind":"Pod","apiVersion":"v1",` + oddPodMeta + `}`
	}
	answers(http.StatusOK, "application/json", body)(w, r)
}

func listsPods(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/pods") }

// The head, the list of types and the head of the page are there while the API server still holds its response back. The rest follows in the same response.
func TestSlowPagesBeginBeforeTheirRequests(t *testing.T) {
	form := url.Values{check.FieldText: {"kind: Pod\napiVersion: v1\nmetadata: {name: a}\n"}}.Encode()
	for _, c := range []struct {
		name, method, address, body string
		held                        func(*http.Request) bool
		begin, waits, then          string
	}{
		{"overview", "GET", "/c/odd", "", listsPods, `data-fold="core"`, "Reading lists…", `data-tile="workloads"`},
		{"related", "GET", oddPod + "?tab=related", "", listsPods, "Views of this object", "Searching for owners and dependents…", `id="refers-to"`},
		{"check", "POST", web.Tool("odd", web.Check), form, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/pods/a") }, "Field manager", "Checking the documents…", `id="sum"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := holding(t, c.held, lists)
			r, err := http.NewRequestWithContext(t.Context(), c.method, h.server.URL+c.address, strings.NewReader(c.body))
			must(t, err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer, document := open(t, r)
			begin := document.until(c.waits)
			if answer.StatusCode != http.StatusOK || !strings.Contains(begin, c.begin) || !strings.Contains(begin, `<nav id="types"`) || strings.Contains(begin, c.then) {
				t.Errorf("%d, before the response: %s", answer.StatusCode, shown(begin))
			}
			close(h.release)
			if rest := document.rest(); !strings.Contains(rest, c.then) || !strings.Contains(rest, `id="model"`) || !strings.HasSuffix(strings.TrimSpace(rest), "</html>") {
				t.Errorf("after it: %s", rest)
			}
		})
	}
}

// The parts cross the coding, and the change of addresses below a path, as they come.
func TestPartsCrossCompressedBelowAPath(t *testing.T) {
	h := holding(t, listsPods, lists)
	server := httptest.NewServer(compress.Handler(subpath.Handler("/tools", flushing(h.server.Config.Handler)), true))
	t.Cleanup(server.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/tools/c/odd", nil)
	must(t, err)
	for name, value := range map[string]string{"Accept-Encoding": "gzip", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-User": "?1"} {
		r.Header.Set(name, value)
	}
	answer, document := open(t, r)
	plain, err := gzip.NewReader(answer.Body)
	must(t, err)
	document.body = bufio.NewReader(plain)
	if begin := document.until("Reading lists…"); !strings.Contains(begin, `href="/tools/c/odd/api/v1/pods"`) {
		t.Errorf("before the response: %s", begin)
	}
	close(h.release)
	if rest := document.rest(); !strings.Contains(rest, `data-tile="workloads"`) || !strings.Contains(rest, `id="model"`) {
		t.Errorf("after it: %s", rest)
	}
}

// What fails before the first part decides the status code. What fails later is said in its part, and the document has its end.
func TestErrorsBeforeAndAfterTheFirstPart(t *testing.T) {
	s := scripted(t, answers(http.StatusInternalServerError, "application/json", `{"kind":"Status","status":"Failure","code":500,"message":"etcd is away"}`))
	if p := s.get(oddPod + "?tab=related"); p.code != http.StatusInternalServerError {
		t.Errorf("%d for an object that can't be read", p.code)
	}
	s.want(http.StatusNotFound, "/c/odd/apis/nosuch")
	s.want(http.StatusOK, "/c/odd").says("couldn’t read pods")
	failing := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if listsPods(r) {
			answers(http.StatusForbidden, "application/json", `{"kind":"Status","status":"Failure","reason":"Forbidden","code":403}`)(w, r)
			return
		}
		lists(w, r)
	})
	p := failing.want(http.StatusOK, oddPod+"?tab=related").says("Owners and dependents", "Refers to")
	if len(p.all("script", "id=model")) != 1 || !strings.HasSuffix(strings.TrimSpace(p.body), "</html>") {
		t.Errorf("the document has no end: %s", p.body)
	}
}

// What is in sight comes first: the rows, then the list of types, then the model. Without scripts, a closed group has its types.
func TestTheListOfTypesComesAfterTheRows(t *testing.T) {
	s := scripted(t, answers(http.StatusOK, "application/json", `{"kind":"PodList","apiVersion":"v1","items":[{`+oddPodMeta+`}]}`))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.server.URL+"/c/odd/api/v1/pods", nil)
	must(t, err)
	r.AddCookie(&http.Cookie{Name: shell.FoldsCookie, Value: "-tools"})
	p := s.do(r)
	at := -1
	for _, part := range []string{`data-uid="1"`, `<nav id="types"`, `id="model"`} {
		next := strings.Index(p.body, part)
		if next <= at {
			t.Errorf("%s is at %d, and what must come before it at %d", part, next, at)
		}
		at = next
	}
	closed := p.all("details", "data-fold=tools")
	if len(closed) != 1 || has(closed[0], "open") || len(all(closed[0], "noscript")) != 1 || len(all(closed[0], "a", "href")) < 5 {
		t.Errorf("the closed group: %d of it in %s", len(closed), shown(p.body))
	}
}
