package health

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/discovery"
)

// Form is how a list is requested.
type Form int

// The forms.
const (
	Table       Form = iota // cells with the state, and metadata
	Metadata                // metadata only
	Objects                 // whole objects, with their conditions
	Events                  // Events of type Warning, as JSON
	AllEvents               // Events of all types, as JSON, up to EventLimit
	AllWarnings             // Events of type Warning, as JSON, up to EventLimit
)

// Source is one list to request.
type Source struct {
	Type discovery.Type
	Form Form
}

// builtIn are the types that every report reads.
var builtIn = []struct {
	group, resource string
	form            Form
}{
	{"", "nodes", Table},
	{"", "namespaces", Objects},
	{"", "pods", Table},
	{"apps", "deployments", Table},
	{"apps", "statefulsets", Table},
	{"apps", "daemonsets", Table},
	{"batch", "jobs", Table},
	{"", "events", Events},
	{"", "services", Metadata},
	{"", "configmaps", Metadata},
}

// mostCustom is how many types of custom resources are read, besides the built-in ones.
const mostCustom = 4

// Sources are the lists that a report of a cluster needs, at most 14, and left is the number of types of custom resources that it leaves out. In a
// namespace, types without namespaces don't count.
func Sources(catalog discovery.Catalog, namespace string) (all []Source, left int) {
	for _, b := range builtIn {
		for _, t := range catalog.Versions(b.group, b.resource) {
			if t.Can("list") && (namespace == "" || t.Namespaced) {
				all = append(all, Source{Type: t, Form: b.form})
				break
			}
		}
	}
	custom := slices.DeleteFunc(catalog.Listable(), func(t discovery.Type) bool { return !isCustom(t) || namespace != "" && !t.Namespaced })
	slices.SortStableFunc(custom, func(a, b discovery.Type) int { return cmp.Compare(telling(b), telling(a)) })
	for _, t := range custom[:min(len(custom), mostCustom)] {
		s := Source{Type: t, Form: Objects}
		if telling(t) == 0 {
			s.Form = Metadata
		}
		all = append(all, s)
	}
	return all, max(0, len(custom)-mostCustom)
}

// isCustom tells types of CustomResourceDefinitions from those of Kubernetes, by the name of their group.
func isCustom(t discovery.Type) bool {
	return condition.Custom(t.Group) && slices.Contains(t.Verbs, "watch")
}

// telling is how much the objects of a type may say about themselves: nothing without a status, more if the meaning of their conditions is
// documented, and the most if people look at the type first.
func telling(t discovery.Type) int {
	_, has := t.Subresource("status")
	switch {
	case condition.Main(t.Group, t.Resource):
		return 3
	case condition.Known(t.Group):
		return 2
	case has:
		return 1
	default:
		return 0
	}
}

// Path is what to request for the source, with its query. An empty namespace is all of them.
func (s Source) Path(namespace string) string {
	if !s.Type.Namespaced {
		namespace = ""
	}
	query := url.Values{"limit": {strconv.Itoa(Limit)}}
	if s.Form == AllEvents || s.Form == AllWarnings {
		query.Set("limit", strconv.Itoa(EventLimit))
	}
	if s.Form == Events || s.Form == AllWarnings {
		query.Set("fieldSelector", "type=Warning")
	}
	return apipath.Collection(s.Type.Group, s.Type.Version, namespace, s.Type.Resource).String() + "?" + query.Encode()
}

// Accept is the format to request.
func (s Source) Accept() string {
	switch s.Form {
	case Table:
		return accept.Table + accept.OrJSON
	case Metadata:
		return accept.MetadataList + accept.OrJSON
	default:
		return accept.JSON
	}
}
