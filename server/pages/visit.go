package pages

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/rescue"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Representations asked for. Each falls back to plain JSON where a server does not know the first.
const (
	asTable    = accept.Table + accept.OrJSON
	asMetadata = accept.MetadataList + accept.OrJSON
)

// visit is the making of one page: its cluster, its session, and the requests so far.
type visit struct {
	pages   *Pages
	request *http.Request
	w       http.ResponseWriter // only to bound the body of the request, and to keep a view in a cookie. The response is what the maker returns
	of      web.Profile         // of the page
	title   string              // of the document, if something fails
	code    int                 // the status code of the page: 200, unless its maker says otherwise
	cluster *cluster.Cluster
	client  *api.Client
	watched *observer
	path    apipath.Path
	lacks   *lacks
	around  surroundings    // what look has found; nobody writes it after look
	asking  context.Context // ends before the request's own context, so that the page can still say why
	end     func()
}

// newVisit prepares the requests of a page; call end when the page is made. The error says why no request
// can be sent to the cluster.
func (p *Pages) newVisit(r *http.Request, c *cluster.Cluster, path apipath.Path) (*visit, error) {
	v := &visit{pages: p, request: r, code: http.StatusOK, cluster: c, path: path, watched: &observer{now: p.Now}, lacks: &lacks{}}
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

func (v *visit) context() context.Context { return v.asking }

// get asks for a path, in a representation.
func (v *visit) get(path, accept string) ([]byte, error) {
	answer, err := v.client.Do(v.context(), api.Request{Path: path, Accept: accept})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// surroundings are what the shell of a cluster's page shows besides the page.
type surroundings struct {
	catalog    discovery.Catalog
	catalogErr error
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

// loadSurroundings requests the surroundings, asks for what the page's profile needs, and runs others at the same time. Without the catalog there is an error.
func (v *visit) loadSurroundings(others ...func()) error {
	var wg rescue.Group
	wg.Go(v.without(needsOf(v.of)...))
	wg.Go(func() { v.around.catalog, v.around.catalogErr = v.cluster.Catalog(v.context(), v.client) })
	wg.Go(func() { v.around.namespaces = v.namespaces() })
	for _, other := range others {
		wg.Go(other)
	}
	wg.Wait()
	return v.around.catalogErr
}

// namespaceLimit bounds the menu. The others are on the page of the collection of namespaces.
const namespaceLimit = "250"

// namespaces lists the namespaces for the menu. If the user has no permission to list them, the
// page works without them.
func (v *visit) namespaces() namespaces {
	path := apipath.Collection("", "v1", "", "namespaces").String() + "?limit=" + namespaceLimit
	body, err := v.get(path, asMetadata)
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
func (v *visit) shell(title string) shell.Model {
	s, m := v.around, v.pages.shell(v.request, title)
	m.Cluster = shellCluster(v.cluster)
	m.Path = v.path
	m.Catalog = s.catalog
	m.User = v.readerName()
	m.Namespaces, m.MoreNamespaces, m.NamespacesNote = s.namespaces.names, s.namespaces.more, s.namespaces.note
	m.Requests = v.watched.requests(v.path.String())
	m.Fights, m.Watching, m.Lacks = v.fights(), v.watching(), v.lacks.sorted()
	return m
}

// is says which page the visit makes, and its title.
func (v *visit) is(kind, title string) { v.of, v.title = web.OfKind(kind), title }

// frame is the frame of the page.
func (v *visit) frame() page.Frame {
	f := page.Frame{Kind: v.of.Kind, Shell: v.shell(v.title)}
	f.Shell.Tool = v.of.Tool()
	return f
}

// withQuery adds a query to an API path.
func withQuery(p apipath.Path, query url.Values) string {
	if len(query) == 0 {
		return p.String()
	}
	return p.String() + "?" + query.Encode()
}

// tail is the API path in a page's address: what follows /c/{cluster}, as it was escaped.
func tail(r *http.Request) string {
	rest := strings.TrimPrefix(r.URL.EscapedPath(), "/c/")
	_, path, found := strings.Cut(rest, "/")
	if !found {
		return "/"
	}
	return "/" + path
}
