// Package tab is what the tabs of an object's page are told of the page, and the bounds that they share.
package tab

import (
	"net/url"
	"time"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web"
)

// About is what a tab is told of the page that it is on.
type About struct {
	Object  object.Object // masked
	Type    discovery.Type
	Path    apipath.Path
	Cluster string // its slug
	Title   string
	Query   url.Values // the address's query as it is now, without what is revealed
	Now     time.Time
	Alive   bool // the page is in the browser, and Now is the reader's clock
	Gone    bool // the object is shown as it was last
}

// Address is another view of the object.
func (a About) Address(query url.Values) string {
	return web.WithQuery(web.Page(a.Cluster, a.Path.String()), query)
}

// Here is this view of the object.
func (a About) Here() string { return a.Address(a.Query) }

// API is where the API server itself answers with the object.
func (a About) API() string { return web.API(a.Cluster, a.Path.String()) }

// Kind is what the object is called.
func (a About) Kind() string {
	if kind := a.Object.Kind(); kind != "" {
		return kind
	}
	return a.Type.Kind
}

// Age words how long ago something was. The reader's clock may lag behind the server's; nothing is younger than new.
func (a About) Age(t time.Time) string {
	if a.Alive && a.Now.Before(t) {
		return table.Age(t, t)
	}
	return table.Age(t, a.Now)
}

// Bounds of what one page shows of an object. API servers take objects of more than a megabyte, and each line of one costs a page ten
// times its length: 30,000 keys were 28 MB. Besides the object itself, which is embedded for the living page, a document has some
// 3 MB at most, and says what it leaves out.
const (
	// MostBytes is of the text of a document that a page is made with.
	MostBytes = 3 << 19
	// MostManagers is how many managers have a column, a row, and a part in what is said of a line.
	MostManagers = owners.MostManagers
	// MostNamed is how many managers are named in one sentence.
	MostNamed = owners.MostNamed
	// MostListed is how many of anything else are listed: values of a Secret, claims, objects that are owned.
	MostListed = 200
)

// Around is how many rows are brought into sight on both sides of the one that an address asks for.
const Around = 5
