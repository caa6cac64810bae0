// Package tab is what the tabs of an object's page need to know about the page, and the limits that they share.
package tab

import (
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
)

// About is what a tab needs to know about its page.
type About struct {
	Object  object.Object // masked
	Type    discovery.Type
	Path    apipath.Path
	Cluster string // its slug
	Title   string
	Query   url.Values       // the current query of the address, without the key of a shown value
	Kinds   []reference.Kind // of the objects that the object refers to
	Now     time.Time
	Alive   bool // the page runs in the browser, and Now is the reader's clock
	Gone    bool // the object was deleted, and the page shows its last state
}

// Address is the address of the object's page with another query.
func (a About) Address(query url.Values) string {
	return web.WithQuery(web.Page(a.Cluster, a.Path.String()), query)
}

// Here is the current address of the page.
func (a About) Here() string { return a.Address(a.Query) }

// API is the address of the API server's own response with the object.
func (a About) API() string { return web.API(a.Cluster, a.Path.String()) }

// Link makes links of the names of other objects in a document of the object.
func (a About) Link(d manifest.Document) {
	paths := reference.Find(d.Root, a.Kinds)
	if len(paths) == 0 {
		return
	}
	for i, place := range d.Places {
		path, ok := paths[place.Inner]
		if !ok || place.Continued {
			continue
		}
		line := d.Lines[i]
		if last := len(line) - 1; last >= 0 && line[last].Class == manifest.String {
			line[last].Href = web.Page(a.Cluster, path.String())
		}
	}
}

// Kind is the object's kind.
func (a About) Kind() string {
	if kind := a.Object.Kind(); kind != "" {
		return kind
	}
	return a.Type.Kind
}

// Age is the time since t in words. It is never negative, even if the reader's clock is slower than the server's.
func (a About) Age(t time.Time) string {
	if a.Alive && a.Now.Before(t) {
		return table.Age(t, t)
	}
	return table.Age(t, a.Now)
}

// Limits of what one page shows of an object. Objects can be larger than a megabyte, and a line takes about ten times its length in a page: 30,000
// keys were 28 MB. So a document has about 3 MB at most, besides the embedded object, and says what it leaves out.
const (
	// MostBytes is the most bytes of a document's text in a page.
	MostBytes = 3 << 19
	// MostManagers is the most managers with a column, a row, and a place in the explanation of a line.
	MostManagers = owners.MostManagers
	// MostNamed is the most managers that one sentence names.
	MostNamed = owners.MostNamed
	// MostListed is the most entries of other lists: values of a Secret, claims, owned objects.
	MostListed = 200
)

// Around is how many rows above and below the selected one are scrolled into view.
const Around = 5
