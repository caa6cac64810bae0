// Package owners shows who owns the fields of an object: its managers in columns, each with the hue of its name.
package owners

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
)

// Manager is an owner in a view. Its index is its column.
type Manager struct {
	ownership.Owner
	components.Manager
	ID string // in addresses: name,operation,subresource
}

// IsCalled tells whether a text is the manager's name or ID.
func (m Manager) IsCalled(text string) bool { return text == m.ID || text == m.Owner.Name }

// Plain is a manager with the face that it has alone, for views that name only a few.
func Plain(m ownership.Manager) components.Manager { return Faces{}.Of(m) }

// WroteUnknown says that nothing tells when an owner's entry was last written.
const WroteUnknown = "Fieldmark doesn’t know the time of the last write"

// Wrote says when the entry of an owner was last written. It doesn't date single fields.
func Wrote(o ownership.Owner, now time.Time) string {
	switch at := o.Written(); {
	case at.IsZero():
		return WroteUnknown
	case now.Before(at):
		return "last wrote just now" // the cluster's clock is ahead
	default:
		return "last wrote " + table.Duration(now.Sub(at)) + " ago"
	}
}

// Of are the owners in the order of their columns.
func Of(owners []ownership.Owner) []Manager {
	owners = slices.Clone(owners)
	slices.SortStableFunc(owners, func(a, b ownership.Owner) int {
		return cmp.Or(byColumn(a.Manager, b.Manager), strings.Compare(a.Time, b.Time))
	})
	owners = slices.Compact(owners)
	managers := make([]ownership.Manager, 0, len(owners))
	for _, o := range owners {
		managers = append(managers, o.Manager)
	}
	faces := FacesOf(managers)
	all := make([]Manager, 0, len(owners))
	ids := map[string]bool{}
	for _, o := range owners {
		id := strings.TrimSuffix(o.Name+","+o.Operation+","+o.Subresource, ",")
		if ids[id] {
			id += "," + o.APIVersion
		}
		ids[id] = true
		all = append(all, Manager{Owner: o, ID: id, Manager: faces.Of(o.Manager)})
	}
	return all
}
