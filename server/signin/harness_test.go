package signin

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/issuer"
	"github.com/fieldmark/fieldmark/server/issuer/issuertest"
	"github.com/fieldmark/fieldmark/server/seal"
)

const host = "fieldmark.example"

// clock is a time that only a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// place is a Fieldmark in shared mode with two issuers, and what a test sees of it.
type place struct {
	clock    *clock
	one, two *issuertest.Issuer
	door     *Door
	handler  http.Handler
	log      *safeBuffer

	mu      sync.Mutex
	ended   []string
	reviews int
}

// safeBuffer is a log that several goroutines write.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// seen is what a handler behind the guard gets to know.
type seen struct {
	ID, Name, Way, ReadOnly, Key, Account string
	Kind                                  guard.Kind
	Groups                                []string
	Grants                                map[string]identity.Grant
}

var testKey = []byte("a key of tests, with more than 32 bytes")

// open makes a place. change may change its settings; nil: it doesn't.
func open(t *testing.T, change func(*Config)) *place {
	t.Helper()
	p := &place{clock: &clock{now: time.Now().Truncate(time.Second)}, one: issuertest.New(t), two: issuertest.New(t), log: &safeBuffer{}}
	p.one.Now, p.two.Now = p.clock.read, p.clock.read
	p.replica(t, change)
	return p
}

// replica makes another Fieldmark with the same key, which serves from now on.
func (p *place) replica(t *testing.T, change func(*Config)) {
	t.Helper()
	sealer, err := seal.New(seal.Options{Now: p.clock.read}, testKey)
	if err != nil {
		t.Fatal(err)
	}
	public := &url.URL{Scheme: "https", Host: host}
	c := Config{
		Public: public, Sealer: sealer, AllowToken: true, Review: p.review, Now: p.clock.read,
		Issuers: []*issuer.Issuer{p.client(t, "one", p.one), p.client(t, "two", p.two)},
		Clusters: []Cluster{
			{Slug: "first", Title: "First cluster", Issuer: "one"}, {Slug: "second", Title: "Second cluster", Issuer: "two"}, {Slug: "third"},
		},
		SessionEnded: p.noteEnd, Log: slog.New(slog.NewTextHandler(p.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&c)
	}
	if p.door, err = New(c); err != nil {
		t.Fatal(err)
	}
	p.door.spread, p.door.patience = 0, time.Minute // tokens of two minutes are renewed after 90 seconds, before the response
	g, err := guard.New(guard.Options{Listen: []string{"127.0.0.1:8080"}, Public: c.Public, Door: p.door, Log: c.Log, Now: p.clock.read})
	if err != nil {
		t.Fatal(err)
	}
	p.door.Behind(g)
	p.handler = g.Wrap(http.HandlerFunc(show))
}

func (p *place) client(t *testing.T, name string, at *issuertest.Issuer) *issuer.Issuer {
	t.Helper()
	i, err := issuer.New(issuer.Config{
		Name: name, Title: "Issuer " + name, URL: at.URL, ClientID: at.ClientID, SecretFile: at.SecretFile, CAFile: at.CAFile,
		Redirect: Callback(&url.URL{Scheme: "https", Host: host}), Now: p.clock.read,
	})
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func (p *place) noteEnd(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = append(p.ended, id)
}

// review says that a token "NAME-of-CLUSTER" is NAME's.
func (p *place) review(_ context.Context, slug, token string) (string, []string, error) {
	p.mu.Lock()
	p.reviews++
	p.mu.Unlock()
	switch name, of, found := strings.Cut(token, "-of-"); {
	case token == "unreachable":
		return "", nil, errors.New("no route to host")
	case !found || of != slug:
		return "", nil, ErrWrongToken
	default:
		return name, []string{"team-" + name}, nil
	}
}

// show says who sent a request.
func show(w http.ResponseWriter, r *http.Request) {
	s, _ := guard.SessionFrom(r.Context())
	_ = json.NewEncoder(w).Encode(seen{
		ID: s.ID, Kind: s.Kind, ReadOnly: s.ReadOnly, Name: s.Person.Name, Groups: s.Person.Groups, Way: string(s.Person.Way), Grants: s.Person.Grants, Key: s.Person.Key, Account: s.Person.Account(),
	})
}

// browser keeps cookies as browsers do.
type browser struct {
	t       *testing.T
	at      *place
	cookies map[string]*http.Cookie
}

func (p *place) browser(t *testing.T) *browser {
	return &browser{t, p, map[string]*http.Cookie{}}
}

// visit opens an address as a page. site is the value of Sec-Fetch-Site.
func (b *browser) visit(path, site string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Sec-Fetch-Mode", "navigate")
	r.Header.Set("Sec-Fetch-Dest", "document")
	r.Header.Set("Accept", "text/html")
	return b.send(r, site)
}

// get opens an address from a page of ours.
func (b *browser) get(path string) *httptest.ResponseRecorder { return b.visit(path, "same-origin") }

func (b *browser) post(path, site string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "text/html")
	r.Header.Set("Origin", "null")
	return b.send(r, site)
}

func (b *browser) send(r *http.Request, site string) *httptest.ResponseRecorder {
	b.t.Helper()
	r.Host = host
	r.Header.Set("Sec-Fetch-Site", site)
	for _, c := range b.cookies {
		if foreign := site == "cross-site"; !foreign || c.SameSite == http.SameSiteLaxMode && r.Method == http.MethodGet {
			r.AddCookie(&http.Cookie{Name: c.Name, Value: c.Value})
		}
	}
	w := httptest.NewRecorder()
	b.at.handler.ServeHTTP(w, r)
	b.take(w)
	return w
}

// take keeps the cookies of a response.
func (b *browser) take(w *httptest.ResponseRecorder) {
	for _, c := range w.Result().Cookies() {
		if b.cookies[c.Name] = c; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
}

// session are the names of the cookies of sessions, in order.
func (b *browser) session() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(b.cookies)), func(name string) bool { return !strings.HasPrefix(name, "__Host-"+sessionName) })
}

// begin starts a sign-in, and returns the issuer's address.
func (b *browser) begin(cluster, next string) string {
	b.t.Helper()
	w := b.get(StartPath + "?" + url.Values{"cluster": {cluster}, "next": {next}}.Encode())
	if w.Code != http.StatusSeeOther {
		b.t.Fatalf("start: %d %s", w.Code, words(w))
	}
	return w.Header().Get("Location")
}

// signIn signs in for a cluster, up to the page that follows the callback, and returns the address that this page opens.
func (b *browser) signIn(cluster, next string) string {
	b.t.Helper()
	at := map[string]*issuertest.Issuer{"first": b.at.one, "second": b.at.two}[cluster]
	w := b.visit(at.Authorize(b.t, b.begin(cluster, next)).RequestURI(), "cross-site")
	if w.Code != http.StatusOK {
		b.t.Fatalf("callback: %d %s", w.Code, words(w))
	}
	return refreshOf(w)
}

var refreshing = regexp.MustCompile(`<meta http-equiv="refresh" content="0;url=([^"]*)">`)

// refreshOf is the address that a page opens by itself; empty: none.
func refreshOf(w *httptest.ResponseRecorder) string {
	found := refreshing.FindStringSubmatch(w.Body.String())
	if found == nil {
		return ""
	}
	return html.UnescapeString(found[1])
}

// who asks a page behind the guard who this is.
func (b *browser) who(path string) seen {
	b.t.Helper()
	w := b.get(path)
	if w.Code != http.StatusOK {
		b.t.Fatalf("%s: %d %s", path, w.Code, words(w))
	}
	return decode(b.t, w.Body)
}

func decode(t *testing.T, body io.Reader) (s seen) {
	t.Helper()
	if err := json.NewDecoder(body).Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s
}

var tags = regexp.MustCompile(`(?s)<style.*?</style>|<[^>]*>`)

// words is the text of a page.
func words(w *httptest.ResponseRecorder) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(w.Body.String(), " "))), " ")
}

func check(t *testing.T, what string, w *httptest.ResponseRecorder, code int, want string) {
	t.Helper()
	if w.Code != code || !strings.Contains(words(w), want) {
		t.Errorf("%s: %d %q, want %d with %q", what, w.Code, words(w), code, want)
	}
}

var proxies = []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16")}
