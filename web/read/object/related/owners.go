// Package related is the Related tab of an object's page: the object between its owners and the objects that it owns, and the objects that it
// refers to or that refer to it.
package related

import (
	"slices"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the tab's state. It is a value.
type Model struct {
	Owners []dependents.Ref  `json:"owners"` // the topmost first; the depth of the direct owners is the greatest
	State  dependents.State  `json:"state,omitzero"`
	Owned  []dependents.Ref  `json:"owned"`
	Search dependents.Search `json:"search"` // for owned objects
	Groups []Group           `json:"groups,omitempty"`
}

// Group is a list of objects that are connected with the object by something else than ownership.
type Group struct {
	ID        string           `json:"id"`
	Title     string           `json:"title"`
	Hint      string           `json:"hint,omitempty"`
	Refs      []dependents.Ref `json:"refs,omitempty"`
	Endpoints []Endpoint       `json:"endpoints,omitempty"`
	None      string           `json:"none,omitempty"`     // what an empty list means
	Notes     []string         `json:"notes,omitempty"`    // what couldn't be read
	Searched  []string         `json:"searched,omitempty"` // the types that were searched
	All       string           `json:"all,omitempty"`      // the address of the collection
}

// Endpoint is an address of a Service, with the addresses of pages.
type Endpoint struct {
	reference.Endpoint
	Href     string `json:"href,omitempty"`     // of its pod
	NodeHref string `json:"nodeHref,omitempty"` // of its node
}

func (e Endpoint) tone() components.Tone {
	switch {
	case e.Terminating:
		return components.Busy
	case e.Ready:
		return components.Good
	default:
		return components.Warn
	}
}

// tree is the object between its owners and the objects that it owns, and the number of owned objects that aren't shown.
func (m Model) tree(about tab.About) (nodes []dependents.Node, more int) {
	above, hidden := components.First(m.Owners, tab.MostListed)
	all := slices.Clone(above)
	depth := 0
	if len(all) > 0 {
		depth = all[len(all)-1].Depth + 1
	}
	all = append(all, dependents.Ref{
		Kind: about.Kind(), APIVersion: about.Object.APIVersion(), Namespace: about.Object.Meta("namespace"), Name: about.Title,
		Created: about.Object.Created(), Depth: depth, State: m.State, Current: true,
	})
	below, more := components.First(m.Owned, tab.MostListed)
	for _, r := range below {
		r.Depth += depth + 1
		all = append(all, r)
	}
	return dependents.Nest(all), more + hidden
}

// tags are labels of an owner.
func tags(r dependents.Ref) []dependents.Tag {
	if r.Blocks && r.Controller {
		return []dependents.Tag{dependents.Blocks}
	}
	return nil
}

// asOf says when Fieldmark searched for the owned objects, by the reader's clock if the page runs in the browser.
func (m Model) asOf(about tab.About) string {
	return m.Search.At.In(about.Now.Location()).Format("15:04:05")
}
