package ownership

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/value"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Limits: how many fields the key of a list may have, and in how many ways its items may be named. No API comes close.
const (
	maxNames = 16
	maxWays  = 8
)

// listing finds the items that claims on a list name.
type listing struct {
	*laying
	n     *manifest.Node
	keys  map[string][]string // by API version: the names that make up an item's key
	set   bool                // some claim names items by their value
	ways  map[string]index    // by the joined names of the fields that identify items
	rough map[string]index    // the same, with numbers rounded to floating point
}

// index finds the positions of items by their tokens; see elementToken.
type index map[string][]int

func (l *laying) items(n *manifest.Node, refs []ref) [][]ref {
	list := listing{laying: l, n: n, ways: map[string]index{}, rough: map[string]index{}}
	list.study(refs)
	groups := make([][]ref, len(n.Children))
	for _, r := range refs {
		for _, c := range r.claim.children {
			hits := list.hits(r, c)
			for j, i := range hits {
				groups[i] = append(groups[i], ref{r.entry, c, len(hits) > 1, r.again || j > 0})
			}
		}
	}
	list.name(refs)
	return groups
}

// study finds out from all claims on the list how its items are named. The key of an API version has all fields that any claim in this version
// names. A claim without one of these fields is on an item without this field.
func (l *listing) study(refs []ref) {
	names := map[string]map[string]bool{}
	for _, r := range refs {
		for _, c := range r.claim.children {
			l.set = l.set || c.element.Value != nil
			if c.element.Key == nil {
				continue
			}
			v := l.Record.Entries[r.entry].APIVersion
			if names[v] == nil {
				names[v] = map[string]bool{}
			}
			for _, f := range *c.element.Key {
				names[v][f.Name] = true
			}
		}
	}
	l.keys = map[string][]string{}
	for v, all := range names {
		l.keys[v] = slices.Sorted(maps.Keys(all))
	}
}

// hits are the positions of the items that a claim names. There are several if the list has duplicate items, which it should not have.
func (l *listing) hits(r ref, c *claim) []int {
	var names []string
	switch {
	case c.element.Index != nil:
		if i := *c.element.Index; i >= 0 && i < len(l.n.Children) {
			return []int{i}
		}
		return nil
	case c.element.Key != nil:
		names = l.keys[l.Record.Entries[r.entry].APIVersion]
	case c.element.Value == nil:
		return nil
	}
	found, ok := l.lookUpItems(l.ways, names, c, token)
	if ok && len(found) == 0 && c.rounded {
		found, ok = l.lookUpItems(l.rough, names, c, roughToken)
	}
	if !ok {
		l.found[r.entry][c.id] = tooMuch
	}
	return found
}

func (l *listing) lookUpItems(ways map[string]index, names []string, c *claim, spell func(any) string) (items []int, ok bool) {
	joined := strings.Join(names, "\x00")
	by, ok := ways[joined]
	if !ok {
		if len(names) > maxNames || len(ways) == maxWays {
			return nil, false
		}
		by = l.index(names, spell)
		ways[joined] = by
	}
	return by[elementToken(c.element, spell)], true
}

// index makes an index of the items by the given fields. Without fields, it uses the items' values.
func (l *listing) index(names []string, spell func(any) string) index {
	by := index{}
	for i, item := range l.n.Children {
		if e, ok := l.element(item, names); ok {
			t := elementToken(e, spell)
			by[t] = append(by[t], i)
		}
	}
	return by
}

func elementToken(e fieldpath.PathElement, spell func(any) string) string {
	if e.Key != nil {
		return tokens(*e.Key, spell)
	}
	return spell((*e.Value).Unstructured())
}

// element is the path element of an item, as a claim would have it. If no claim can name the item, ok is false.
func (l *listing) element(item *manifest.Node, names []string) (e fieldpath.PathElement, ok bool) {
	if len(names) == 0 {
		s, ok := scalarOf(item.Value)
		v := value.NewValueInterface(s)
		return fieldpath.PathElement{Value: &v}, ok
	}
	fields, ok := item.Value.(map[string]any)
	if !ok {
		return e, false
	}
	key := make(value.FieldList, 0, len(names))
	for _, name := range names {
		v, given := fields[name]
		if !given {
			v, given = l.KeyDefault(l.n, name)
		}
		s, ok := scalarOf(v)
		if !ok {
			return e, false
		}
		if given {
			key = append(key, value.Field{Name: name, Value: value.NewValueInterface(s)})
		}
	}
	return fieldpath.PathElement{Key: &key}, len(key) > 0
}

// KeyDefault is the value of a list item's key if the item doesn't have that key. Without a schema, one default is known: that of
// ports. Lists of ports are the only ones in Kubernetes' own types with such a default.
func (b *Blame) KeyDefault(list *manifest.Node, name string) (any, bool) {
	if b.schema != nil {
		if v, ok := b.schema.KeyDefault(list, name); ok {
			return v, true
		}
	}
	if list.Key == "ports" && name == "protocol" {
		return "TCP", true
	}
	return nil, false
}

// name names the items of the list by what the schema says, otherwise by the claims, otherwise by their positions.
func (l *listing) name(refs []ref) {
	names, set := l.identity(refs)
	if len(names) > 0 {
		l.named[l.n] = names
	}
	for i, item := range l.n.Children {
		e, ok := fieldpath.PathElement{Index: &i}, true
		if _, isMap := item.Value.(map[string]any); isMap && len(names) > 0 {
			e, ok = l.element(item, names)
		} else if set && !isMap {
			e, ok = l.element(item, nil)
		}
		if !ok {
			e = fieldpath.PathElement{Index: &i}
		}
		l.steps[item.ID] = cutText(e.String())
	}
}

// identity is what identifies the items of the list: some of their fields, or their values in a set. Without a schema, it uses the keys of claims in
// the object's API version, otherwise those of any claim.
func (l *listing) identity(refs []ref) (names []string, set bool) {
	if l.schema != nil {
		names, set = l.schema.Names(l.n)
		names = slices.Sorted(slices.Values(names))
	}
	switch {
	case len(names) > maxNames:
		return nil, false
	case len(names) > 0 || set:
		return names, set
	case inMetadata(l.n) && l.n.Key == "finalizers":
		return nil, true
	case inMetadata(l.n) && l.n.Key == "ownerReferences":
		return []string{"uid"}, false
	}
	names = l.keys[l.version]
	for _, r := range refs {
		if len(names) == 0 {
			names = l.keys[l.Record.Entries[r.entry].APIVersion]
		}
	}
	if len(names) > maxNames {
		names = nil
	}
	return names, l.set
}
