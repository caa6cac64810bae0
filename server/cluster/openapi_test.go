package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/server/api"
)

// publisher stands in for a server whose documents change, grow without bound, or do not come.
type publisher struct {
	mu    sync.Mutex
	asked []string
	index string
	serve func(w http.ResponseWriter, r *http.Request)
}

func (p *publisher) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, r.URL.RequestURI())
	index, serve := p.index, p.serve
	p.mu.Unlock()
	if r.URL.Path == "/openapi/v3" {
		fmt.Fprint(w, index)
		return
	}
	serve(w, r)
}

func (p *publisher) lists(index string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.index = index
}

func (p *publisher) takeAsked() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := strings.Join(p.asked, " ")
	p.asked = nil
	return asked
}

const widgets = `{"components":{"schemas":{"W":{"x-kubernetes-group-version-kind":[{"group":"w.example.com","version":"v1","kind":"W"}]}}}}`

func indexOf(address string) string {
	return `{"paths":{"apis/w.example.com/v1":{"serverRelativeURL":"` + address + `"},"api/v1":{}}}`
}

// publishing is a cluster whose server is p, and a clock that the test turns.
func publishing(t *testing.T, p *publisher) (c *Cluster, pass func(time.Duration)) {
	t.Helper()
	var mu sync.Mutex
	now := time.Now()
	ca := newPKI(t)
	c = load(t, oneContext(ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(p.answer)).URL, ca.pem), Options{Now: func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}})
	return c, func(d time.Duration) {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(d)
	}
}

func document(t *testing.T, c *Cluster) error {
	t.Helper()
	d, err := c.Document(t.Context(), nil, "w.example.com", "v1")
	if _, found := d.Schema(schema.Kind{Group: "w.example.com", Version: "v1", Kind: "W"}); found != (err == nil) {
		t.Errorf("found is %v, the error is %v", found, err)
	}
	return err
}

func TestADocumentIsAskedForOnceWhileItIsTheSame(t *testing.T) {
	p := &publisher{serve: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, widgets) }}
	p.index = indexOf("/openapi/v3/apis/w.example.com/v1?hash=A%26B")
	c, pass := publishing(t, p)
	for _, want := range []string{"/openapi/v3 /openapi/v3/apis/w.example.com/v1?hash=A%26B", ""} {
		must(t, document(t, c))
		if got := p.takeAsked(); got != want {
			t.Errorf("asked for %s, want %s", got, want)
		}
	}
	pass(time.Minute)
	must(t, document(t, c))
	if got := p.takeAsked(); got != "/openapi/v3" {
		t.Errorf("the same a minute later: %s", got)
	}
	pass(time.Minute)
	p.lists(indexOf("https://evil.test/anywhere?hash=C"))
	must(t, document(t, c))
	if got := p.takeAsked(); got != "/openapi/v3 /openapi/v3/apis/w.example.com/v1?hash=C" {
		t.Errorf("another one: %s", got)
	}
}

// Between the list and the document a type may have changed: the server answers an old hash with a redirect.
func TestADocumentThatHasMovedOnIsFound(t *testing.T) {
	p := &publisher{index: indexOf("/x?hash=old")}
	p.serve = func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("hash") == "old" {
			http.Redirect(w, r, "/openapi/v3/apis/w.example.com/v1?hash=new", http.StatusMovedPermanently)
			return
		}
		fmt.Fprint(w, widgets)
	}
	c, pass := publishing(t, p)
	if err := document(t, c); api.Code(err) != http.StatusMovedPermanently {
		t.Errorf("a list that was just made: %v", err)
	}
	pass(2 * time.Second)
	p.lists(indexOf("/x?hash=new"))
	must(t, document(t, c))
}

func TestDocumentsThatAreNotToBeHad(t *testing.T) {
	missing := &publisher{index: `{"paths":{}}`, serve: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, widgets) }}
	c, pass := publishing(t, missing)
	var undescribed *Undescribed
	if err := document(t, c); !errors.As(err, &undescribed) || undescribed.Group != "w.example.com" {
		t.Errorf("%v", err)
	}
	pass(2 * time.Second)
	missing.lists(indexOf("/x"))
	must(t, document(t, c))

	for name, bad := range map[string]func(http.ResponseWriter, *http.Request){
		"no JSON": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
		"without end": func(w http.ResponseWriter, _ *http.Request) {
			block := []byte(strings.Repeat(" ", 1<<20))
			for range 20 {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		},
		"forbidden": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
	} {
		c, _ := publishing(t, &publisher{index: indexOf("/x?hash=1"), serve: bad})
		err := document(t, c)
		_, large := errors.AsType[*api.TooLarge](err)
		if err == nil || large != (name == "without end") || (api.Code(err) == 403) != (name == "forbidden") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, index := range []string{"", "[]", `{"paths":`} {
		c, _ := publishing(t, &publisher{index: index})
		if err := document(t, c); err == nil {
			t.Errorf("%q is a list of documents", index)
		}
	}
}

// Who stops waiting does not stop the asking: the next finds what came meanwhile.
func TestASlowDocumentComesAllTheSame(t *testing.T) {
	answer := make(chan struct{})
	p := &publisher{index: indexOf("/x?hash=1"), serve: func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-answer:
			_, _ = io.WriteString(w, widgets)
		case <-r.Context().Done():
		}
	}}
	c, _ := publishing(t, p)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Document(ctx, nil, "w.example.com", "v1"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	close(answer)
	must(t, document(t, c))
	if got := p.takeAsked(); strings.Count(got, "hash=1") != 1 {
		t.Errorf("asked for %s", got)
	}
}

func TestDocumentsAreKeptWithinBounds(t *testing.T) {
	var o openapi
	now := time.Now()
	for i := range 2 * maxDocuments {
		o.get(fmt.Sprint(i), "h", now.Add(time.Duration(i)*time.Second))
	}
	o.shrink()
	if _, newest := o.kept[fmt.Sprint(2*maxDocuments-1)]; len(o.kept) != maxDocuments || !newest {
		t.Errorf("%d are kept", len(o.kept))
	}
	for _, p := range o.kept {
		p.memo.value = &sized{bytes: maxKept/2 + 1}
	}
	o.shrink()
	if len(o.kept) != 1 {
		t.Errorf("%d large ones are kept", len(o.kept))
	}
}
