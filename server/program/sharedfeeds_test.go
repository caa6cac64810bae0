package program

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/guard"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/people"
	"github.com/fieldmark/fieldmark/web"
)

// twoContexts is a kubeconfig with the contexts k and l of one API server, with the same credentials.
func twoContexts(t *testing.T, server string) string {
	t.Helper()
	return file(t, strings.ReplaceAll(`{"apiVersion":"v1","kind":"Config","clusters":[{"name":"c","cluster":{"server":"URL"}}],"users":[{"name":"u","user":{"token":"t"}}],
		"contexts":[{"name":"k","context":{"cluster":"c","user":"u"}},{"name":"l","context":{"cluster":"c","user":"u"}}]}`, "URL", server))
}

// viewing has the clusters of local mode, with a view as somebody else for each session with the id of a view.
type viewing struct{ *cluster.Registry }

// For implements cluster.Source.
func (v viewing) For(ctx context.Context) *cluster.Registry {
	k, _ := v.Get("k")
	if _, viewed := identity.ViewerOf(identity.SessionOf(ctx)); viewed {
		return v.With(k.As(identity.Impersonation{User: "cleo"}))
	}
	return v.Registry
}

// TestTwoSessions_WhichHaveOneIdentity: what the relay may share.
func TestTwoSessions_WhichHaveOneIdentity(t *testing.T) {
	registry, err := cluster.Load(cluster.Options{Kubeconfig: twoContexts(t, "http://127.0.0.1:1")})
	if err != nil {
		t.Fatal(err)
	}
	local := &app{clusters: registry, source: viewing{registry}}
	all, err := cluster.ReadSites(clustersFile(t, apiServer(t)))
	if err != nil {
		t.Fatal(err)
	}
	everybody := people.New(people.Options{Sites: all})
	for session, key := range map[string]string{"ada-1": "ada", "ada-2": "ada", "ben-1": "ben"} {
		grants := map[string]identity.Grant{"k": {Token: "token-of-" + key}}
		everybody.Seen(guard.Session{ID: session, Person: &identity.Person{Key: key, Grants: grants}})
	}
	shared := &app{people: everybody, source: everybody}
	view := identity.ViewID("browser-1", identity.View{Cluster: "k", As: identity.Impersonation{User: "cleo"}}, "1")
	for name, c := range map[string]struct {
		app  *app
		a, b [2]string // session and cluster
		same bool
	}{
		"two browsers of local mode":           {local, [2]string{"browser-1", "k"}, [2]string{"browser-2", "k"}, true},
		"a browser and a program":              {local, [2]string{"browser-1", "k"}, [2]string{"client-1", "k"}, true},
		"two contexts with equal credentials":  {local, [2]string{"browser-1", "k"}, [2]string{"browser-1", "l"}, false},
		"a view and its own session":           {local, [2]string{"browser-1", "k"}, [2]string{view, "k"}, false},
		"a view, at a cluster it doesn't view": {local, [2]string{"browser-1", "l"}, [2]string{view, "l"}, false},
		"a view and itself":                    {local, [2]string{view, "k"}, [2]string{view, "k"}, false},
		"a cluster that isn't there":           {local, [2]string{"browser-1", "x"}, [2]string{"browser-2", "x"}, false},
		"two browsers of one person":           {shared, [2]string{"ada-1", "k"}, [2]string{"ada-2", "k"}, false},
		"two people":                           {shared, [2]string{"ada-1", "k"}, [2]string{"ben-1", "k"}, false},
		"a person and nobody":                  {shared, [2]string{"ada-1", "k"}, [2]string{"cal-1", "k"}, false},
		"one session of the shared mode":       {shared, [2]string{"ada-1", "k"}, [2]string{"ada-1", "k"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := c.app.relayLogin(c.a[0], c.a[1]), c.app.relayLogin(c.b[0], c.b[1])
			if same := a.Identity != nil && a.Identity == b.Identity; same != c.same {
				t.Errorf("one identity: %v", same)
			}
		})
	}
}

// watchedServer is an API server that notes as whom its watches are made. They last until it closes.
type watchedServer struct {
	mu  sync.Mutex
	all []string
}

func (w *watchedServer) seen() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.all)
}

func (w *watchedServer) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	out.Header().Set("Content-Type", "application/json")
	switch q := r.URL.Query(); {
	case q.Has("sendInitialEvents"):
		out.WriteHeader(http.StatusUnprocessableEntity)
	case q.Has("watch"):
		w.mu.Lock()
		w.all = append(w.all, r.Header.Get("Impersonate-User"))
		w.mu.Unlock()
		out.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(out).Flush()
		<-r.Context().Done()
	default:
		fmt.Fprint(out, `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"5"},"columnDefinitions":[],"rows":[]}`)
	}
}

// window is a browser of local mode with a page.
type window struct {
	t      *testing.T
	f      *fieldmark
	client *http.Client
	socket io.ReadWriteCloser
	reader *bufio.Reader
}

// window signs in.
func (f *fieldmark) window() *window {
	f.t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		f.t.Fatal(err)
	}
	w := &window{t: f.t, f: f, client: &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	w.post("/-/sign-in", url.Values{"token": {f.token}})
	return w
}

func (w *window) post(path string, form url.Values) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.f.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", w.f.base)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	resp, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusSeeOther {
		w.t.Fatalf("%s: %d", path, resp.StatusCode)
	}
}

// follow opens a page that follows the pods of a cluster, until it has all of them.
func (w *window) follow(slug string) {
	w.t.Helper()
	r := w.f.request(http.MethodGet, web.Socket, "Connection", "Upgrade", "Upgrade", "websocket", "Origin", w.f.base,
		"Sec-Websocket-Version", "13", "Sec-Websocket-Key", "MDEyMzQ1Njc4OWFiY2RlZg==")
	resp, err := w.client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	both, ok := resp.Body.(io.ReadWriteCloser)
	if !ok {
		w.t.Fatalf("no socket: %d", resp.StatusCode)
	}
	w.t.Cleanup(func() { _ = both.Close() })
	w.socket, w.reader = both, bufio.NewReader(both)
	text := fmt.Sprintf(`{"type":"subscribe","id":1,"cluster":%q,"path":"/api/v1/namespaces/n/pods","as":"table"}`, slug)
	const masked = 0x80
	head := binary.BigEndian.AppendUint32([]byte{0x81, masked | byte(len(text))}, 0) // a mask of zeros
	if _, err := both.Write(append(head, text...)); err != nil {
		w.t.Fatal(err)
	}
	for text := ""; !strings.Contains(text, `"type":"synced"`); {
		_, text = frame(w.t, w.reader)
	}
}

// closed waits for the code with which the page is closed.
func (w *window) closed() int {
	w.t.Helper()
	for {
		if kind, text := frame(w.t, w.reader); kind == 8 {
			return int(binary.BigEndian.Uint16([]byte(text)))
		}
	}
}

// TestTwoSessions_BrowsersOfLocalModeShareAWatch: they are one person. A view as somebody else has a watch of its own.
func TestTwoSessions_BrowsersOfLocalModeShareAWatch(t *testing.T) {
	at := &watchedServer{}
	server := httptest.NewServer(at)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	f := start(t, nil, "--practice", "off", "--kubeconfig", twoContexts(t, server.URL))
	first, second := f.window(), f.window()
	first.follow("k")
	second.follow("k")
	if got := at.seen(); !slices.Equal(got, []string{""}) {
		t.Errorf("two browsers: watches as %q", got)
	}
	view := f.window()
	view.post("/c/k/-/whoami", url.Values{web.ViewAct: {web.ViewStart}, web.ViewUser: {"cleo"}, web.ViewGroups: {""}, web.ViewBack: {"/"}})
	view.follow("k")
	if got := at.seen(); !slices.Equal(got, []string{"", "cleo"}) {
		t.Errorf("with a view: watches as %q", got)
	}
	first.post("/-/sign-out", url.Values{})
	if code := first.closed(); code != 4401 {
		t.Errorf("the browser that signed out is closed with %d", code)
	}
	third := f.window()
	third.follow("k")
	if got := at.seen(); len(got) != 2 {
		t.Errorf("after one signed out: watches as %q", got)
	}
}
