package pages

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web"
)

// scripted serves the pages of a cluster whose server stands in only for faults that a real one does
// not produce on demand: it answers discovery, and pods as the fault has it.
func scripted(t *testing.T, fault http.HandlerFunc, changes ...func(*Options)) *site {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, known := map[string]string{
			"/api":               `{"kind":"APIVersions","versions":["v1"]}`,
			"/apis":              `{"kind":"APIGroupList","groups":[]}`,
			"/api/v1":            `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["get","list"]}]}`,
			"/api/v1/namespaces": `{"kind":"NamespaceList","items":[{"metadata":{"name":"default"}}]}`,
		}[r.URL.Path]
		if !known {
			fault(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{"odd": server.URL})})
	must(t, err)
	return newSite(t, clusters, changes...)
}

const (
	oddPods = "/c/odd/api/v1/pods"
	oddPod  = "/c/odd/api/v1/namespaces/default/pods/a"
)

// answers gives every request the same answer.
func answers(code int, mediaType, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

func TestServerWithoutTablesShowsNameAndAge(t *testing.T) {
	s := scripted(t, answers(200, "application/json", `{"kind":"PodList","metadata":{"resourceVersion":"5"},"items":[
		{"metadata":{"name":"b","namespace":"default","uid":"u2","creationTimestamp":"2026-11-21T10:00:00Z"}},{"metadata":{"name":"a","namespace":"default","uid":"u1"}}]}`),
		func(o *Options) { o.Now = func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) } })
	p := s.want(http.StatusOK, oddPods+"?sort=Name").says("has no Table", "120m", "<unknown>").inert()
	if got := p.columns(); got != "Namespace, Name, Age" || strings.Join(p.rows(), " ") != "a b" {
		t.Errorf("%s: %v", got, p.rows())
	}
}

// fault is an answer that is none, and what the page says of it.
var faults = map[string]struct {
	answer http.HandlerFunc
	code   int
	says   []string
}{
	"busy, says so in the body": {
		answers(429, "application/json", `{"kind":"Status","status":"Failure","message":"too many","code":429,"details":{"retryAfterSeconds":7}}`),
		429,
		[]string{"The API server is busy", "Try again in 7 s.", "too many"},
	},
	"busy, says so in the header": {
		answers(429, "text/plain", "Too many requests, please try again later.", "Retry-After", "7"),
		429,
		[]string{"The API server is busy", "Try again in 7 s.", "please try again later"},
	},
	"busy, wants a date": {
		answers(429, "text/plain", "later", "Retry-After", "Sat, 21 Nov 2026 12:00:00 GMT"), 429, []string{"The API server is busy", "Try again in a moment."},
	},
	"fails with a page": {
		answers(500, "text/html", `<html><script>alert(1)</script><h1>Oops</h1></html>`),
		500,
		[]string{"The API server failed", "status code 500", "<script>alert(1)</script><h1>Oops</h1>"},
	},
	"fails at length":        {answers(502, "text/plain", strings.Repeat("x", 1<<20)), 502, []string{"The API server failed", "xxx…"}},
	"fails wordlessly":       {answers(503, "text/plain", ""), 503, []string{"The API server failed", "status code 503"}},
	"does not know us":       {answers(401, "application/json", `{"kind":"Status","message":"Unauthorized","code":401}`), 401, []string{"doesn’t accept these credentials", "Renew"}},
	"forbids in own words":   {answers(403, "application/json", `{"kind":"Status","message":"a webhook says no","code":403}`), 403, []string{"Not allowed", "a webhook says no"}},
	"redirects":              {answers(302, "text/html", "", "Location", "https://evil.test/"), 502, []string{"The API server refused", "which Fieldmark does not follow"}},
	"answers a page":         {answers(200, "text/html", "<html>Log in</html>"), 502, []string{"Fieldmark can’t read the response"}},
	"answers something else": {answers(200, "application/json", `{"kind":"Pod"}`), 502, []string{"Fieldmark can’t read the response", `of kind "Pod"`}},
	"breaks off":             {cut, 502, []string{"broke before the response was complete"}},
	"is a bomb":              {bomb(65 << 20), 502, []string{"too large to show", "The decompressed response is larger than 67.1 MB", "a smaller limit"}},
	"is packed oddly": {
		answers(200, "application/json", "xyz", "Content-Encoding", "br"), 502, []string{"can't be read", "Content-Encoding"},
	},
	"is packed badly": {
		answers(200, "application/json", "this is not gzip at all", "Content-Encoding", "gzip"), 502, []string{"gzip data is damaged"},
	},
}

// cut breaks off in the middle of the body.
func cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, `{"kind":"Table","rows":[`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// bomb unpacks to so many bytes, and is small itself.
func bomb(size int64) http.HandlerFunc {
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	_, _ = io.CopyN(z, zeros{}, size)
	_ = z.Close()
	return answers(200, "application/json", packed.String(), "Content-Encoding", "gzip")
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

func TestFaultsAreToldInWords(t *testing.T) {
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			s := scripted(t, f.answer)
			for _, address := range []string{oddPods, oddPod} {
				if address == oddPod && (name == "answers something else") {
					continue // to the page of an object it is one
				}
				p := s.get(address).inert()
				if p.code != f.code {
					t.Errorf("%s answered %d, want %d", address, p.code, f.code)
				}
				if address == oddPods {
					p.says(f.says...)
				}
				if p.header.Get("Location") != "" || p.header.Get("Set-Cookie") != "" {
					t.Errorf("%s passes the server's header on: %v", address, p.header)
				}
				if len(p.all("h1")) != 1 || len(p.all("section", "class")) == 0 {
					t.Errorf("%s is no whole page: %s", address, p.main())
				}
			}
		})
	}
}

func TestAFaultOfTheEventsLeavesTheObject(t *testing.T) {
	s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			answers(500, "text/plain", "no events today")(w, r)
			return
		}
		answers(200, "application/json", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u"}}`)(w, r)
	})
	s.want(http.StatusOK, oddPod+"?tab=events").says("The API server failed", "no events today")
	s.want(http.StatusOK, oddPod).says("metadata")
}

// A server that does not answer costs a page its time and no more; then the page says so.
func TestHangingServerIsGivenUp(t *testing.T) {
	for name, begin := range map[string]func(http.ResponseWriter){
		"before its answer": func(http.ResponseWriter) {},
		"within its answer": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"kind":"Table",`)
			_ = http.NewResponseController(w).Flush()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
				begin(w)
				select {
				case <-r.Context().Done():
				case <-t.Context().Done(): // what a page doesn't wait for, such as OpenAPI documents, ends with the test
				}
			}, func(o *Options) { o.Patience = 300 * time.Millisecond })
			began := time.Now()
			s.want(http.StatusGatewayTimeout, oddPods).says("does not respond").inert()
			s.want(http.StatusGatewayTimeout, oddPod).says("does not respond").inert()
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

func TestAServerThatIsDownIsSaidToBe(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	clusters, err := cluster.Load(cluster.Options{Kubeconfig: kubeconfig(t, map[string]string{"odd": server.URL})})
	must(t, err)
	s := newSite(t, clusters)
	for _, address := range []string{"/c/odd", oddPods, oddPod, "/c/odd/-/find?type=po"} {
		p := s.want(http.StatusBadGateway, address).says("The API server doesn’t respond").inert()
		if got := p.link("Choose another cluster"); got != web.Home {
			t.Errorf("%s: the way on is %s", address, got)
		}
	}
}

// A cut count must not look like a whole one.
func TestCountOfAServerThatDoesNotSayIsNoExactNumber(t *testing.T) {
	s := scripted(t, answers(200, "application/json", `{"kind":"PodList","metadata":{"continue":"more"},"items":[{"metadata":{"name":"a"}}]}`))
	rows := s.want(http.StatusOK, "/c/odd/api/v1").all("tr", "data-resource=pods")
	if len(rows) != 1 {
		t.Fatalf("%d rows", len(rows))
	}
	if got := text(all(rows[0], "td", "class=number")[0]); got != "1+" {
		t.Errorf("%q objects", got)
	}
}

// TestASearchOfAListThatNeverEndsIsGivenUp counts what is asked for while the page looks for what an object owns.
func TestASearchOfAListThatNeverEndsIsGivenUp(t *testing.T) {
	var lists atomic.Int32
	s := scripted(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/a") {
			answers(200, "application/json", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"default","uid":"u"}}`)(w, r)
			return
		}
		n := lists.Add(1)
		answers(200, "application/json", fmt.Sprintf(`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5","continue":"t%d"},"items":[]}`, n))(w, r)
	})
	s.want(http.StatusOK, oddPod+"?tab=related").says("the API server’s list never ends")
	if n := lists.Load(); n != watch.MaxEmpty+1 {
		t.Errorf("%d lists", n)
	}
}
