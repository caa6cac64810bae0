package census

import (
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Held is an object of which a manager has entries.
type Held struct {
	Path      string    `json:"path"`
	Namespace string    `json:"namespace,omitempty"`
	Name      string    `json:"name"`
	Fields    int       `json:"fields"`          // leaves of its entries
	Paths     []string  `json:"paths,omitempty"` // of the first fields
	How       []string  `json:"how"`             // operation and subresource of each entry
	Last      time.Time `json:"last,omitzero"`
	Others    int       `json:"others"` // other managers with entries of the object
}

// mostPaths is how many fields a Held names.
const mostPaths = 20

// HeldBy is what a manager owns of an object; false if it has no entry.
func HeldBy(raw []byte, t discovery.Type, manager string) (h Held, ok bool) {
	var o object
	c := New(nil, func(string) bool { return true }, Usual())
	if !o.read(c, raw) {
		return Held{}, false
	}
	h = Held{Path: apipath.Object(t.Group, t.Version, o.namespace, t.Resource, o.name).String(), Namespace: o.namespace, Name: o.name, Others: len(o.managers)}
	for _, e := range o.entries {
		if e.Name != manager {
			continue
		}
		h.Fields += e.leaves
		h.How = append(h.How, e.How())
		h.Last = later(h.Last, e.written)
		c.reader.Leaves(e.fields, func(l ownership.OwnedLeaf) {
			if len(h.Paths) < mostPaths {
				h.Paths = append(h.Paths, l.Path())
			}
		})
	}
	h.Others--
	return h, len(h.How) > 0
}
