package api

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/upstream"
)

// serve is a client of a scripted server: the faults here are not to be had from a real one.
func serve(t *testing.T, prefix string, h http.HandlerFunc) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	base, err := url.Parse(s.URL + prefix)
	if err != nil {
		t.Fatal(err)
	}
	return New(*upstream.New(base, upstream.Config{}))
}

func TestDoSendsWhatIsAsked(t *testing.T) {
	c := serve(t, "/k8s/cl%2Fa", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		w.Header().Add("Warning", `299 - "old \"api\""`)
		w.WriteHeader(http.StatusCreated)
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s %s %s %s", r.Method, r.RequestURI, r.Header.Get("Accept"), r.Header.Get("Content-Type"), r.Header.Get("X-A"), body)
	})
	got, err := c.Do(t.Context(), Request{
		Method: http.MethodPatch, Path: "/api/v1/x%20y?a=b%20c&d", Accept: "a/b", ContentType: "c/d", Body: []byte("body"), Header: http.Header{"X-A": {"1"}},
	})
	if want := "PATCH /k8s/cl%2Fa/api/v1/x%20y?a=b%20c&d a/b c/d 1 body"; err != nil || string(got.Body) != want {
		t.Errorf("%v: %s", err, got.Body)
	}
	if got.Status != 201 || got.MediaType != "text/plain" || len(got.Warnings) != 1 || got.Warnings[0].Text != `old "api"` {
		t.Errorf("%+v", got)
	}
}

func TestPathsThatAreNotSent(t *testing.T) {
	c := serve(t, "", func(http.ResponseWriter, *http.Request) { t.Error("something was sent") })
	for _, path := range []string{"", "api", "//host/api", "http://host/api", "/a/../b", "/%2e%2e/b", "/.", "/a%zz", "/a\x00", "/a b\n"} {
		_, err := c.Do(t.Context(), Request{Path: path})
		if _, ok := errors.AsType[*BadRequest](err); !ok {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := c.Do(t.Context(), Request{Path: "/", Method: "GET /"}); err == nil {
		t.Error("a malformed method was sent")
	}
}

func TestExchangeReadsEveryResponse(t *testing.T) {
	c := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/refused":
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprint(w, "no")
		case "/cut":
			w.Header().Set("Content-Length", "9")
			fmt.Fprint(w, "half")
		default:
			fmt.Fprint(w, "0123456789")
		}
	})
	for path, want := range map[string]struct {
		status int
		body   string
		whole  bool
	}{"/refused": {403, "no", true}, "/cut": {200, "half", false}, "/long": {200, "01234", false}} {
		got, whole, err := c.Exchange(t.Context(), Request{Path: path, MaxBytes: 5})
		if err != nil || got.Status != want.status || string(got.Body) != want.body || whole != want.whole {
			t.Errorf("%s: %d %q %v %v", path, got.Status, got.Body, whole, err)
		}
	}
	if _, _, err := c.Exchange(t.Context(), Request{Path: "//a"}); err == nil {
		t.Error("a malformed path is sent")
	}
}

func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		code            int
		media, location string
		body            string
		reason, says    string
	}{
		"a Status":   {403, "application/json", "", `{"kind":"Status","reason":"Forbidden","message":"no"}`, "Forbidden", "no"},
		"text":       {502, "text/html", "", "<h1>Bad</h1>", "", "<h1>Bad</h1>"},
		"a redirect": {302, "text/html", "https://elsewhere.example/login", "moved", "", "redirect, which Fieldmark does not follow"},
		"Protobuf":   {404, "application/vnd.kubernetes.protobuf", "", "k8s\x00", "NotFound", "nothing at this path"},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, "", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", c.media)
				w.Header().Set("Location", c.location)
				w.WriteHeader(c.code)
				fmt.Fprint(w, c.body)
			})
			answer, err := client.Do(t.Context(), Request{Path: "/x"})
			e, ok := errors.AsType[*Error](err)
			if !ok || Code(err) != c.code || answer.Status != c.code || e.Status.Reason != c.reason || !strings.Contains(e.Status.Message, c.says) {
				t.Errorf("%v %+v", err, answer)
			}
		})
	}
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBodies(t *testing.T) {
	large := bytes.Repeat([]byte("x"), 1000)
	for name, c := range map[string]struct {
		encoding string
		body     []byte
		want     int // bytes, or -1 for an error that says:
		says     string
	}{
		"at the bound":         {"", large[:100], 100, ""},
		"one more":             {"", large[:101], -1, "larger than 100 bytes"},
		"empty":                {"", nil, 0, ""},
		"packed":               {"gzip", gzipped(t, large[:100]), 100, ""},
		"packed, too large":    {"gzip", gzipped(t, large), -1, "decompressed response is larger than 100 bytes"},
		"packed badly":         {"gzip", []byte("no gzip at all"), -1, "damaged"},
		"packed, broken off":   {"gzip", gzipped(t, large[:100])[:20], -1, "the connection broke"},
		"packed, empty":        {"gzip", nil, 0, ""},
		"packed in other ways": {"br", []byte("x"), -1, `Content-Encoding "br"`},
		"identity":             {"identity", large[:7], 7, ""},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
				if r.Header.Get("Accept-Encoding") != "gzip" {
					t.Errorf("asked for %q", r.Header.Get("Accept-Encoding"))
				}
				if c.encoding != "" {
					w.Header().Set("Content-Encoding", c.encoding)
				}
				_, _ = w.Write(c.body)
			})
			got, err := client.Do(t.Context(), Request{Path: "/x", MaxBytes: 100, Gzip: true})
			if c.want >= 0 && (err != nil || len(got.Body) != c.want) {
				t.Errorf("%d bytes, %v", len(got.Body), err)
			}
			if c.want < 0 && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Threat: oversized input. A few kilobytes that unpack to gigabytes take neither memory nor time.
func TestOversizedInput_GzipBomb(t *testing.T) {
	bomb := gzipped(t, make([]byte, 64<<20))
	client := serve(t, "", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb)
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := client.Do(t.Context(), Request{Path: "/x", MaxBytes: 1 << 20})
	runtime.ReadMemStats(&after)
	if e, ok := errors.AsType[*TooLarge](err); !ok || !e.Compressed {
		t.Errorf("got %v", err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
		t.Errorf("%d bytes of memory", taken)
	}
}

func TestStreamGivesWhatIsThere(t *testing.T) {
	client := serve(t, "", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "first")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	ctx, cancel := context.WithCancel(t.Context())
	body, answer, err := client.Stream(ctx, Request{Path: "/x"})
	if err != nil || answer.Status != 200 {
		t.Fatal(err)
	}
	defer body.Close()
	if _, err := io.ReadFull(body, make([]byte, 5)); err != nil {
		t.Error(err)
	}
	cancel()
	if _, err := body.Read(make([]byte, 1)); upstream.Unreach(err).Cause != upstream.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	ask := func(ctx context.Context, address string) *upstream.Unreachable {
		client := New(*upstream.New(&url.URL{Scheme: "http", Host: address}, upstream.Config{}))
		_, err := client.Do(ctx, Request{Path: "/x"})
		u, ok := errors.AsType[*upstream.Unreachable](err)
		if !ok || u.Text == "" || u.Advice == "" || Code(err) != 0 {
			t.Fatalf("got %v", err)
		}
		return u
	}
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	gone, leave := context.WithCancel(t.Context())
	leave()
	for cause, got := range map[upstream.Cause]*upstream.Unreachable{
		upstream.Refused:  ask(t.Context(), "127.0.0.1:1"),
		upstream.Timeout:  ask(soon, listener.Addr().String()),
		upstream.Canceled: ask(gone, listener.Addr().String()),
		upstream.DNS:      ask(t.Context(), "no-such-host.invalid:1"),
	} {
		if got.Cause != cause {
			t.Errorf("%s is told as %s: %v", cause, got.Cause, got.Err)
		}
	}
}
