package rbac

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/words"
)

// Part are the holders that have their grants in the same way.
type Part struct {
	Namespace string   `json:"namespace,omitempty"` // of the RoleBindings; empty: ClusterRoleBindings
	Holders   []Holder `json:"holders"`
}

// Title says which bindings a part has.
func (p Part) Title() string {
	if p.Namespace == "" {
		return "In the whole cluster, by ClusterRoleBindings"
	}
	return "In the namespace " + p.Namespace + ", by RoleBindings"
}

// Parts are the grants by how they are given: first those for the whole cluster, then those of each namespace.
func (a Answer) Parts() []Part {
	by := map[string][]Grant{}
	var order []string
	for _, g := range a.Grants {
		in := g.Binding.Namespace
		if by[in] == nil {
			order = append(order, in)
		}
		by[in] = append(by[in], g)
	}
	slices.Sort(order)
	all := make([]Part, 0, len(order))
	for _, in := range order {
		all = append(all, Part{in, Answer{Grants: by[in]}.Holders()})
	}
	return all
}

// NoGrant says what it means that no grant was found.
const NoGrant = "No role and binding that Fieldmark could read allows this. That isn’t proof that no subject can do it: see what roles and bindings don’t show."

// Titles of what is beside the grants.
const (
	UnseenTitle   = "What roles and bindings don’t show"
	UnreadTitle   = "What couldn’t be read"
	MissingTitle  = "Bindings to roles that don’t exist"
	UnknownTitle  = "Bindings to roles that couldn’t be read"
	UnfilledTitle = "Bindings to aggregated roles without rules"
)

// MissingWords says what such bindings do.
const MissingWords = "These bindings grant nothing until somebody creates the role. The role can then have any rules."

// UnknownWords says what such bindings may do.
const UnknownWords = "These bindings may grant more than the answer shows."

// Words says what wasn't read and why: "roles in the namespace shop: you don’t have the permission to …".
func (u Unread) Words() string {
	what := plurals.Get()[u.Kind]
	if u.Namespace != "" {
		what += " in the namespace " + u.Namespace
	}
	if strings.Contains(u.Why, "is forbidden") {
		return what + ": you don’t have the permission to " + u.Permission() + "."
	}
	return what + ": " + strings.TrimSuffix(u.Why, ".") + "."
}

// Words is the binding with its role and its subjects: "RoleBinding shop/b to Role shop/r, for User ada".
func (l Loose) Words() string {
	names, more := Named(l.Subjects)
	text := l.Binding.String() + " to " + l.Role.String()
	if len(names) > 0 {
		text += ", for " + strings.Join(names, ", ") + more
	}
	return text
}

// mostNamed is how many subjects a sentence names.
const mostNamed = 8

// Named are the first of some subjects, and how many more there are in words.
func Named(all []Subject) (names []string, more string) {
	for _, s := range all[:min(len(all), mostNamed)] {
		names = append(names, s.String())
	}
	if n := len(all) - len(names); n > 0 {
		more = " and " + words.Thousands(int64(n)) + " more"
	}
	return names, more
}
