package visit

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Representations asked for. Each falls back to plain JSON where a server does not know the first.
const (
	AsTable    = accept.Table + accept.OrJSON
	AsMetadata = accept.MetadataList + accept.OrJSON
)

// Visit is the making of one page: its cluster, its session, and the requests so far. Only its maker uses it, and the functions that its maker
// gives to LoadSurroundings.
type Visit struct {
	Path  apipath.Path // what the page is about
	Title string       // of the document
	Code  int          // the status code of the page: 200, unless its maker says otherwise

	site    *Site
	request *http.Request
	w       http.ResponseWriter // only to bound the body of the request, and to keep a view in a cookie. The response is what the maker returns
	of      web.Profile         // of the page
	cluster *cluster.Cluster
	client  *api.Client
	watched *observer
	lacks   *lacks
	around  surroundings    // what LoadSurroundings has found; nobody writes it after that
	asking  context.Context // ends before the request's own context, so that the page can still say why
	end     func()
}

// Begin prepares the requests of a page; call End when the page is made. The error says why no request
// can be sent to the cluster. The visit is there all the same, for the page that says so.
func (p *Site) Begin(r *http.Request, c *cluster.Cluster, path apipath.Path) (*Visit, error) {
	v := &Visit{site: p, request: r, Code: http.StatusOK, cluster: c, Path: path, watched: &observer{now: p.Now}, lacks: &lacks{}}
	v.asking, v.end = context.WithTimeout(r.Context(), p.Patience)
	target, err := c.Target()
	if err != nil {
		return v, err
	}
	who := wiretap.Who{Session: p.Session(r), Cluster: c.Slug(), Origin: wiretap.Page}
	v.watched.next = p.Tap.Transport(target.Transport, who)
	v.client = api.New(upstream.Target{Base: target.Base, Transport: v.watched})
	return v, nil
}

// End stops the requests of the visit that are under way.
func (v *Visit) End() { v.end() }

// Context ends when the page has no more time for requests. That is before the request for the page ends, so the page can still say why.
func (v *Visit) Context() context.Context { return v.asking }

// Site is the site that the page belongs to.
func (v *Visit) Site() *Site { return v.site }

// Request is the request for the page.
func (v *Visit) Request() *http.Request { return v.request }

// Cluster is the cluster that the page is about.
func (v *Visit) Cluster() *cluster.Cluster { return v.cluster }

// Client makes the requests of the page to its cluster. The page says at its bottom which they were.
func (v *Visit) Client() *api.Client { return v.client }

// Session names the session that asks for the page.
func (v *Visit) Session() string { return v.site.Session(v.request) }

// Now is the time on this server.
func (v *Visit) Now() time.Time { return v.site.Now() }

// BoundBody lets the request's body have at most so many bytes.
func (v *Visit) BoundBody(most int64) {
	v.request.Body = http.MaxBytesReader(v.w, v.request.Body, most)
}

// KeepView makes the browser's next requests view a cluster as somebody else.
func (v *Visit) KeepView(wanted identity.View) error { return v.site.KeepView(v.w, v.request, wanted) }

// Requests are those made so far, the page's own first.
func (v *Visit) Requests(own string) []components.Request { return v.watched.requests(own) }

// Get asks for a path, in a representation.
func (v *Visit) Get(path, accept string) ([]byte, error) {
	answer, err := v.client.Do(v.Context(), api.Request{Path: path, Accept: accept})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// surroundings are what the shell of a cluster's page shows besides the page.
type surroundings struct {
	catalog    discovery.Catalog
	namespaces namespaces
}

// unconnected are the surroundings of a page whose cluster can't be asked.
var unconnected = surroundings{namespaces: namespaces{note: "Fieldmark can’t connect to this cluster now."}}

// namespaces are the choices of the namespace menu.
type namespaces struct {
	names []string
	more  bool
	note  string
}

// Disconnect makes the surroundings those of a page whose cluster can't be asked.
func (v *Visit) Disconnect() { v.around = unconnected }

// Catalog is what the cluster serves, as LoadSurroundings found it.
func (v *Visit) Catalog() discovery.Catalog { return v.around.catalog }

// LoadSurroundings requests the surroundings, asks for what the page's profile needs, and runs others at the same time. Without the catalog there is an error.
func (v *Visit) LoadSurroundings(others ...func()) error {
	var wg rescue.Group
	var unread error
	wg.Go(v.Without(needsOf(v.of)...))
	wg.Go(func() { v.around.catalog, unread = v.cluster.Catalog(v.Context(), v.client) })
	wg.Go(func() { v.around.namespaces = v.namespaces() })
	for _, other := range others {
		wg.Go(other)
	}
	wg.Wait()
	return unread
}

// namespaceLimit bounds the menu. The others are on the page of the collection of namespaces.
const namespaceLimit = "250"

// namespaces lists the namespaces for the menu. If the user has no permission to list them, the
// page works without them.
func (v *Visit) namespaces() namespaces {
	path := apipath.Collection("", "v1", "", "namespaces").String() + "?limit=" + namespaceLimit
	body, err := v.Get(path, AsMetadata)
	if err != nil {
		var refused *api.Error
		if errors.As(err, &refused) && refused.Status.Code == http.StatusForbidden {
			return namespaces{note: "You don’t have permission to list namespaces. Write a namespace into the address."}
		}
		return namespaces{note: "Fieldmark couldn’t list the namespaces."}
	}
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return namespaces{note: "Fieldmark couldn’t read the list of namespaces."}
	}
	n := namespaces{more: list.Metadata.Continue != ""}
	for _, item := range list.Items {
		n.names = append(n.names, item.Metadata.Name)
	}
	return n
}

// shell is the shell of this page.
func (v *Visit) shell(title string) shell.Model {
	s, m := v.around, v.site.shellIn(v.request, title, v.cluster.Slug())
	m.Cluster = ShellCluster(v.cluster)
	m.Path = v.Path
	m.Catalog = s.catalog
	m.User = v.readerName()
	m.Namespaces, m.MoreNamespaces, m.NamespacesNote = s.namespaces.names, s.namespaces.more, s.namespaces.note
	m.Requests = v.Requests(v.Path.String())
	m.Troubles = v.troubles()
	m.Fights, m.Watching, m.Lacks = v.fights(), v.watching(), v.lacks.sorted()
	return m
}

// Is says which page the visit makes, and its title.
func (v *Visit) Is(kind, title string) { v.of, v.Title = web.OfKind(kind), title }

// Frame is the frame of the page.
func (v *Visit) Frame() page.Frame {
	f := page.Frame{Kind: v.of.Kind, Shell: v.shell(v.Title)}
	f.Shell.Tool = v.of.Tool()
	return f
}

// FrameBefore is the frame of a page whose slow parts are read after its head is sent. Each part waits for what it needs, and returns the page that has it and all
// parts before it. The last one makes the frame again, which then has all requests.
func (v *Visit) FrameBefore(parts ...func() page.Page) page.Frame {
	f := v.Frame()
	f.Shell.Coming = true
	f.Rest = &page.Rest{}
	for _, part := range parts {
		f.Rest.Parts = append(f.Rest.Parts, sync.OnceValue(part))
	}
	return f
}

// WithQuery adds a query to an API path.
func WithQuery(p apipath.Path, query url.Values) string {
	if len(query) == 0 {
		return p.String()
	}
	return p.String() + "?" + query.Encode()
}
