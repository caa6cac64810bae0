// Package tab is what the tabs of an object's page need to know about the page, and the limits that they share.
package tab

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/layout"
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

// Link makes links of the names of other objects in a document of the object.
func (a About) Link(d manifest.Document) {
	found := reference.Find(d.Root, a.Kinds)
	if len(found) == 0 {
		return
	}
	for i, place := range d.Places {
		to, ok := found[place.Inner]
		if !ok || place.Continued {
			continue
		}
		line := d.Lines[i]
		if last := len(line) - 1; last >= 0 && line[last].Class == manifest.String {
			line[last].Href = a.Page(to)
		}
	}
}

// LinkJSON makes links of the names of other objects in the lines of the object's JSON. The root is the object that they show.
func (a About) LinkJSON(root *manifest.Node, lines []layout.Line) {
	found := reference.Find(root, a.Kinds)
	if len(found) == 0 {
		return
	}
	byWay := make(map[string]reference.Target, len(found))
	for n, to := range found {
		byWay[way(n)] = to
	}
	for _, l := range lines {
		steps, begins := l.Way()
		to, ok := byWay[strings.Join(steps, "\x00")]
		if !begins || !ok {
			continue
		}
		for i := range l.Line {
			if l.Line[i].Class == manifest.String {
				l.Line[i].Href = a.Page(to)
			}
		}
	}
}

// way is the path of a node, as package layout has it.
func way(n *manifest.Node) string {
	var steps []string
	for ; n.Parent != nil; n = n.Parent {
		if n.Index >= 0 {
			steps = append(steps, strconv.Itoa(n.Index))
		} else {
			steps = append(steps, n.Key)
		}
	}
	slices.Reverse(steps)
	return strings.Join(steps, "\x00")
}

// Page is the address of the page that a reference leads to.
func (a About) Page(to reference.Target) string {
	return web.WithQuery(web.Page(a.Cluster, to.Path.String()), url.Values{"labelSelector": {to.Selector}})
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
	// MostNamed is the most finalizers that one sentence names.
	MostNamed = 12
	// MostListed is the most entries of other lists: values of a Secret, claims, owned objects.
	MostListed = 200
)

// Around is how many rows above and below the selected one are scrolled into view.
const Around = 5
