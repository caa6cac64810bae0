package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/census"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/contention"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/watched"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/static"
	"github.com/fieldmark/fieldmark/web"
)

// practiceEnv names the kubeconfig of a practice cluster that runs; make test sets it.
const practiceEnv = "FIELDMARK_TEST_PRACTICE_KUBECONFIG"

// site is the pages, served as the program serves them but without its guard.
type site struct {
	t        *testing.T
	server   *httptest.Server
	clusters *cluster.Registry
}

func newSite(t *testing.T, clusters *cluster.Registry, changes ...func(*Options)) *site {
	t.Helper()
	assets, err := static.Load()
	must(t, err)
	o := Options{
		Clusters: clusters, Assets: assets, Tap: wiretap.New(wiretap.Options{}),
		Session: func(*http.Request) string { return "test" },
	}
	o.Scans = contention.New(contention.Options{Tap: o.Tap, Resolve: func(_ context.Context, slug string) (*upstream.Target, error) {
		c, _ := clusters.Get(slug)
		target, err := c.Target()
		return &target, err
	}})
	t.Cleanup(o.Scans.Close)
	o.Censuses = census.New(census.Options{Tap: o.Tap, Resolve: func(_ context.Context, slug string) (*upstream.Target, error) {
		c, _ := clusters.Get(slug)
		target, err := c.Target()
		return &target, err
	}})
	t.Cleanup(o.Censuses.Close)
	o.Watches = watched.New(watched.Options{Tap: o.Tap, Resolve: func(_ context.Context, slug string) (*upstream.Target, error) {
		c, _ := clusters.Get(slug)
		target, err := c.Target()
		return &target, err
	}})
	t.Cleanup(o.Watches.Close)
	for _, change := range changes {
		change(&o)
	}
	s := &site{t: t, clusters: clusters, server: httptest.NewServer(routes(New(o)))}
	t.Cleanup(s.server.Close)
	return s
}

// routes leads to the pages' handlers without cleaning paths, as the program's router does.
func routes(p *Pages) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, inCluster := strings.CutPrefix(r.URL.Path, web.PageRoot)
		slug, tail, _ := strings.Cut(rest, "/")
		tool, isTool := web.ToolNamed(strings.TrimPrefix(tail, "-/"))
		switch {
		case r.URL.Path == web.Home:
			p.Home(w, r)
		case r.URL.Path == web.Learn:
			p.Learn(w, r)
		case strings.HasPrefix(r.URL.Path, web.Learn+"/"):
			p.Lesson(w, r, strings.TrimPrefix(r.URL.Path, web.Learn+"/"))
		case r.URL.Path == web.Search:
			p.Search(w, r)
		case r.URL.Path == web.Contexts:
			p.Contexts(w, r)
		case r.URL.Path == web.Theme:
			p.Theme(w, r)
		case r.URL.Path == web.Favorites:
			p.Favourite(w, r)
		case inCluster && isTool && strings.HasPrefix(tail, "-/"):
			p.Tool(tool)(w, r, slug)
		case inCluster && tail == "-/"+web.KindSchema:
			p.KindSchema(w, r, slug)
		case inCluster && tail == "-/"+web.Find:
			p.Find(w, r, slug)
		case inCluster:
			p.Cluster(w, r, slug)
		default:
			p.NotFound(w, r)
		}
	})
}

// practiceSite serves the pages of a real practice cluster.
func practiceSite(t *testing.T, changes ...func(*Options)) *site {
	t.Helper()
	clusters := cluster.New(cluster.Options{})
	must(t, clusters.AddFile(practiceFile(t), cluster.FromPractice))
	return newSite(t, clusters, changes...)
}

func practiceFile(t *testing.T) string {
	t.Helper()
	file := os.Getenv(practiceEnv)
	if file == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no kubeconfig of a running practice cluster; make test starts one", practiceEnv)
	}
	return file
}

// kubeconfig writes a kubeconfig whose contexts lead to the servers of the same names.
func kubeconfig(t *testing.T, servers map[string]string) string {
	t.Helper()
	var clusters, contexts strings.Builder
	for name, server := range servers {
		fmt.Fprintf(&clusters, "- {name: %q, cluster: {server: %q}}\n", name, server)
		fmt.Fprintf(&contexts, "- {name: %q, context: {cluster: %q}}\n", name, name)
	}
	file := filepath.Join(t.TempDir(), "config")
	text := "apiVersion: v1\nkind: Config\nclusters:\n" + clusters.String() + "contexts:\n" + contexts.String()
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// admin asks the practice cluster itself.
func (s *site) admin() *api.Client {
	s.t.Helper()
	c, ok := s.clusters.Get(cluster.Practice)
	if !ok {
		s.t.Fatal("there is no practice cluster")
	}
	client, err := c.Client()
	must(s.t, err)
	return client
}

// write makes a change and takes it back when the test ends.
func (s *site) write(collection, name, body string) {
	s.t.Helper()
	_, err := s.admin().Do(s.t.Context(), api.Request{Method: http.MethodPost, Path: collection, ContentType: "application/json", Body: []byte(body)})
	must(s.t, err)
	s.t.Cleanup(func() {
		ctx := context.WithoutCancel(s.t.Context())
		if _, err := s.admin().Do(ctx, api.Request{Method: http.MethodDelete, Path: collection + "/" + name}); err != nil {
			s.t.Errorf("%s/%s is left behind: %v", collection, name, err)
		}
	})
}

// answered is what came back.
type answered struct {
	t      *testing.T
	what   string
	code   int
	header http.Header
	body   string
	tree   *html.Node
}

// get asks for a page; redirects are not followed.
func (s *site) get(address string) answered {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.server.URL+address, nil)
	must(s.t, err)
	return s.do(r)
}

// want asks for a page that must have the status.
func (s *site) want(code int, address string) answered {
	s.t.Helper()
	p := s.get(address)
	if p.code != code {
		s.t.Errorf("%s answered %d, want %d: %s", address, p.code, code, p.main())
	}
	return p
}

func (s *site) do(r *http.Request) answered {
	s.t.Helper()
	answer, err := s.server.Client().Transport.RoundTrip(r)
	must(s.t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(s.t, err)
	tree, err := html.ParseWithOptions(strings.NewReader(string(body)), html.ParseOptionEnableScripting(false)) // what is in noscript counts
	must(s.t, err)
	return answered{s.t, r.URL.RequestURI(), answer.StatusCode, answer.Header, string(body), tree}
}

// says wants each of the words in what the page's main part shows.
func (p answered) says(words ...string) answered {
	p.t.Helper()
	shown := p.main()
	for _, w := range words {
		if !strings.Contains(shown, w) {
			p.t.Errorf("%s does not say %q: %s", p.what, w, shown)
		}
	}
	return p
}

func (p answered) main() string {
	if found := p.all("main"); len(found) == 1 {
		return text(found[0])
	}
	return p.body
}

// rows are the names of the objects that the page lists, in order.
func (p answered) rows() []string {
	var names []string
	for _, r := range p.all("tr", "data-uid", "data-namespace", "data-name", "data-rv") {
		names = append(names, value(r, "data-name"))
	}
	return names
}

func (p answered) columns() string {
	var names []string
	for _, h := range p.all("th", "data-column") {
		names = append(names, value(h, "data-column"))
	}
	return strings.Join(names, ", ")
}

// link gives the address behind a link in the page's main part, by what it says or a part of it.
func (p answered) link(words string) string {
	p.t.Helper()
	for _, m := range p.all("main") {
		for _, a := range all(m, "a", "href") {
			if strings.Contains(text(a), words) {
				return value(a, "href")
			}
		}
	}
	p.t.Errorf("%s has no link that says %q: %s", p.what, words, p.main())
	return ""
}

func (p answered) all(tag string, attributes ...string) []*html.Node {
	return all(p.tree, tag, attributes...)
}

// script wants a script to be our own early one, of which no character is another, or the page's model, which is no script.
func (p answered) script(n *html.Node) {
	p.t.Helper()
	assets, err := static.Load()
	must(p.t, err)
	ours := value(n, "src") == "" && value(n, "data-program") != "" && n.FirstChild != nil && n.FirstChild.Data == assets.Early()
	model := value(n, "type") == "application/json" && value(n, "id") == "model" && value(n, "src") == ""
	if !ours && !model {
		p.t.Errorf("%s holds a script: %s", p.what, text(n))
	}
	if model && !json.Valid([]byte(text(n))) {
		p.t.Errorf("%s embeds no JSON: %.200s", p.what, text(n))
	}
}

// inert wants nothing in the page that runs, but for our own program, or leads out of it.
func (p answered) inert() answered {
	p.t.Helper()
	for n := range p.tree.Descendants() {
		if n.Data == "script" && n.Type == html.ElementNode {
			p.script(n)
		}
		for _, a := range n.Attr {
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				p.t.Errorf("%s: <%s> has the attribute %s", p.what, n.Data, a.Key)
			}
			if u, err := url.Parse(a.Val); a.Key == "href" && (err != nil || u.Scheme != "" || u.Host != "") {
				p.t.Errorf("%s leads to %s", p.what, a.Val)
			}
		}
	}
	return p
}

// all are the elements that have the tag and each of the attributes, written name or name=value.
func all(tree *html.Node, tag string, attributes ...string) []*html.Node {
	var found []*html.Node
	for n := range tree.Descendants() {
		fits := n.Type == html.ElementNode && n.Data == tag
		for _, a := range attributes {
			key, want, exact := strings.Cut(a, "=")
			fits = fits && has(n, key) && (!exact || value(n, key) == want)
		}
		if fits {
			found = append(found, n)
		}
	}
	return found
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func value(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// text is what an element shows, with single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
