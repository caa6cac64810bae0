package access

import (
	"slices"
	"strings"
)

// Granted is what somebody may do with one resource type, or with one path outside of resources: a row of `kubectl auth can-i --list`.
type Granted struct {
	Group    string   `json:"group,omitempty"`
	Resource string   `json:"resource,omitempty"` // with its subresource, such as pods/log; * for all
	Path     string   `json:"path,omitempty"`     // outside of resources; may end in *
	Names    []string `json:"names,omitempty"`    // only the objects of these names; empty: all
	Verbs    []string `json:"verbs"`              // in the order of usualVerbs; * for all
}

// usualVerbs are the verbs of most rules, those that read first.
var usualVerbs = []string{"*", "get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"}

// List is what the rules allow: one row for each type and each path. Rules that name the same type for the same names are one row. Types come before
// paths. Rows are sorted by group, then by type.
func (r Rules) List() []Granted {
	rows := map[string]*Granted{}
	for _, rule := range r.Resource {
		for _, group := range rule.Groups {
			for _, resource := range rule.Resources {
				join(rows, Granted{Group: group, Resource: resource, Names: slices.Sorted(slices.Values(rule.Names)), Verbs: rule.Verbs})
			}
		}
	}
	for _, rule := range r.NonResource {
		for _, path := range rule.Paths {
			join(rows, Granted{Path: path, Verbs: rule.Verbs})
		}
	}
	list := make([]Granted, 0, len(rows))
	for _, row := range rows {
		slices.SortFunc(row.Verbs, byUse)
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b Granted) int { return strings.Compare(a.order(), b.order()) })
	return list
}

// join adds a row, or adds its verbs to the same row.
func join(rows map[string]*Granted, row Granted) {
	key := row.order()
	known := rows[key]
	if known == nil {
		known = &Granted{Group: row.Group, Resource: row.Resource, Path: row.Path, Names: row.Names}
		rows[key] = known
	}
	for _, verb := range row.Verbs {
		if !slices.Contains(known.Verbs, verb) {
			known.Verbs = append(known.Verbs, verb)
		}
	}
}

// order sorts rows, and differs between two of them. No part has a null byte.
func (g Granted) order() string {
	return strings.Join(append([]string{g.Path, g.Group, g.Resource}, g.Names...), "\x00")
}

// byUse compares verbs: the usual ones come first, in their order.
func byUse(a, b string) int {
	if x, y := useOf(a), useOf(b); x != y {
		return x - y
	}
	return strings.Compare(a, b)
}

func useOf(verb string) int {
	if i := slices.Index(usualVerbs, verb); i >= 0 {
		return i
	}
	return len(usualVerbs)
}

// Matches tells whether a row has all words of a filter, in any of its parts.
func (g Granted) Matches(filter string) bool {
	text := strings.ToLower(strings.Join(append(append([]string{g.Group, g.Resource, g.Path}, g.Names...), g.Verbs...), " "))
	for word := range strings.FieldsSeq(strings.ToLower(filter)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
