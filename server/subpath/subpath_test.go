package subpath

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/web/frame/subpath"
)

// told serves what a handler under test sees and sends.
func told(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/page":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Length", "20")
		_, _ = io.WriteString(w, `<a href="/c/one">x</a>`[:10])
		_, _ = io.WriteString(w, `<a href="/c/one">x</a>`[10:])
	case "/missing":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `<a href="/">home</a>`)
	case "/flushed":
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `<a href="/">`)
		_ = http.NewResponseController(w).Flush()
		w.WriteHeader(http.StatusOK)
		_, _ = io.WriteString(w, `home</a>`)
	case "/away":
		w.Header().Set("Location", "/-/sign-in?next=%2Fc%2Fone")
		w.WriteHeader(http.StatusSeeOther)
	case "/issuer":
		w.Header().Set("Location", "https://issuer.example.com/auth")
		w.WriteHeader(http.StatusSeeOther)
	case "/broken":
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "half")
		panic(http.ErrAbortHandler)
	case "/stream":
		control := http.NewResponseController(w)
		_, _ = io.WriteString(w, "one\n")
		_ = control.Flush()
		<-r.Context().Done()
	default:
		w.Header().Set("Content-Type", "text/plain")
		_, _ = fmt.Fprintf(w, `%s %s %s href="/x"`, r.URL.Path, r.URL.EscapedPath(), r.RequestURI)
	}
}

func TestHandler(t *testing.T) {
	server := httptest.NewServer(Handler("/fieldmark", http.HandlerFunc(told)))
	defer server.Close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	for path, want := range map[string]struct {
		status         int
		body, location string
	}{
		"/fieldmark/page":              {200, `<a href="/fieldmark/c/one">x</a>`, ""},
		"/fieldmark/missing":           {404, `<a href="/fieldmark/">home</a>`, ""},
		"/fieldmark/flushed":           {404, `<a href="/fieldmark/">home</a>`, ""},
		"/fieldmark/away":              {303, "", "/fieldmark/-/sign-in?next=%2Fc%2Fone"},
		"/fieldmark/issuer":            {303, "", "https://issuer.example.com/auth"},
		"/fieldmark/c/a%2Fb?x=%2F":     {200, `/c/a/b /c/a%2Fb /c/a%2Fb?x=%2F href="/x"`, ""},
		"/fieldmark":                   {200, `/ / / href="/x"`, ""},
		"/fieldmark/fieldmark/page":    {200, `/fieldmark/page /fieldmark/page /fieldmark/page href="/x"`, ""},
		"/page":                        {404, "404 page not found\n", ""},
		"/fieldmarks/page":             {404, "404 page not found\n", ""},
		"/%66ieldmark/page":            {404, "404 page not found\n", ""},
		"/fieldmark/../fieldmark/page": {200, `/../fieldmark/page /../fieldmark/page /../fieldmark/page href="/x"`, ""},
	} {
		r, err := http.NewRequest(http.MethodGet, server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.URL.Opaque = path
		answer, err := client.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		body, err := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != want.status || string(body) != want.body || answer.Header.Get("Location") != want.location {
			t.Errorf("%s: %d %s %q, %v", path, answer.StatusCode, answer.Header.Get("Location"), body, err)
		}
	}
}

func TestHalfADocumentIsNotSent(t *testing.T) {
	server := httptest.NewServer(Handler("/fieldmark", http.HandlerFunc(told)))
	defer server.Close()
	answer, err := http.Get(server.URL + "/fieldmark/broken")
	if err == nil {
		_ = answer.Body.Close()
		t.Errorf("got %d for a document whose handler failed", answer.StatusCode)
	}
}

func TestStreamsPass(t *testing.T) {
	server := httptest.NewServer(Handler("/fieldmark", http.HandlerFunc(told)))
	defer server.Close()
	answer, err := http.Get(server.URL + "/fieldmark/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if line, err := bufio.NewReader(answer.Body).ReadString('\n'); line != "one\n" {
		t.Errorf("%q, %v", line, err)
	}
}

func TestADocumentIsSentAtItsFlushes(t *testing.T) {
	more := make(chan struct{})
	server := httptest.NewServer(Handler("/fieldmark", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `<html lang="en"><a href="/one">`)
		_ = http.NewResponseController(w).Flush()
		<-more
		_, _ = io.WriteString(w, `</a><a href="/two">`)
	})))
	defer server.Close()
	answer, err := http.Get(server.URL + "/fieldmark/")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	first := `<html data-base="/fieldmark" lang="en"><a href="/fieldmark/one">`
	got := make([]byte, len(first))
	if _, err := io.ReadFull(answer.Body, got); err != nil || string(got) != first || answer.StatusCode != http.StatusNotFound {
		t.Errorf("%d %q, %v", answer.StatusCode, got, err)
	}
	close(more)
	if rest, err := io.ReadAll(answer.Body); err != nil || string(rest) != `</a><a href="/fieldmark/two">` {
		t.Errorf("%q, %v", rest, err)
	}
}

func TestTheRootChangesNothing(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(subpath.Path(""), http.HandlerFunc(told)).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/page", nil))
	if got := w.Body.String(); !strings.Contains(got, `href="/c/one"`) {
		t.Errorf("got %s", got)
	}
}
