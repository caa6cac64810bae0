package source

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/kube/manifest"
)

// listIndex has an index of each list of a document in which somebody looked for an item, because many findings may be in one long list.
type listIndex struct {
	sync.Mutex
	with    map[*manifest.Node]map[trait][]*manifest.Node
	without map[field][]*manifest.Node
	steps   int // how many items were looked at, for tests
}

// field is the name of a field in the items of a list.
type field struct {
	list *manifest.Node
	name string
}

// trait is a field of a list item with a scalar, or the item itself if it is one.
type trait struct{ name, value string }

// candidates are the items of a list that brackets in a path may mean, in their order. An item must have each of the traits, or lack its
// field, so these are the items that do so for the rarest trait.
func (l *listIndex) candidates(list *manifest.Node, inside string) []*manifest.Node {
	if n, err := strconv.Atoi(inside); err == nil {
		if n < 0 || n >= len(list.Children) {
			return nil
		}
		return list.Children[n : n+1]
	}
	wanted, ok := traits(inside)
	if !ok {
		return nil
	}
	l.Lock()
	defer l.Unlock()
	with := l.of(list)
	if len(wanted) == 1 { // an item without any of the traits isn't meant
		l.steps += len(with[wanted[0]])
		return with[wanted[0]]
	}
	count := func(t trait) int { return len(with[t]) + len(l.lacking(list, t.name)) }
	rarest := slices.MinFunc(wanted, func(a, b trait) int { return cmp.Compare(count(a), count(b)) })
	all := slices.Concat(with[rarest], l.lacking(list, rarest.name))
	slices.SortFunc(all, func(a, b *manifest.Node) int { return cmp.Compare(a.Index, b.Index) })
	l.steps += len(all)
	return all
}

// of are the items of a list by their traits.
func (l *listIndex) of(list *manifest.Node) map[trait][]*manifest.Node {
	with, known := l.with[list]
	if known {
		return with
	}
	with = make(map[trait][]*manifest.Node, len(list.Children))
	for _, item := range list.Children {
		l.steps += 1 + len(item.Children)
		if len(item.Children) == 0 {
			with[traitOf("", item.Value)] = append(with[traitOf("", item.Value)], item)
		}
		for _, child := range item.Children {
			t := traitOf(child.Key, child.Value)
			with[t] = append(with[t], item)
		}
	}
	if l.with == nil {
		l.with, l.without = map[*manifest.Node]map[trait][]*manifest.Node{}, map[field][]*manifest.Node{}
	}
	l.with[list] = with
	return with
}

// lacking are the items of a list that don't have a field.
func (l *listIndex) lacking(list *manifest.Node, name string) []*manifest.Node {
	items, known := l.without[field{list, name}]
	if known {
		return items
	}
	l.steps += len(list.Children)
	for _, item := range list.Children {
		if fields, is := item.Value.(map[string]any); is {
			if _, has := fields[name]; !has {
				items = append(items, item)
			}
		}
	}
	l.without[field{list, name}] = items
	return items
}

// traits are those that brackets in a path name.
func traits(inside string) (all []trait, ok bool) {
	for inside != "" {
		name, rest, found := strings.Cut(inside, "=")
		if !found {
			return nil, false
		}
		value, rest, ok := literal(rest)
		if !ok {
			return nil, false
		}
		all = append(all, traitOf(name, value))
		inside = strings.TrimPrefix(rest, ",")
	}
	return all, len(all) > 0
}

// traitOf is the same for values that are equal (equalScalar).
func traitOf(name string, value any) trait {
	switch v := value.(type) {
	case map[string]any, []any:
		return trait{name: name}
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return trait{name, "number " + strconv.FormatFloat(f+0, 'g', -1, 64)}
		}
		return trait{name, "number " + string(v)}
	}
	return trait{name, fmt.Sprintf("%T %v", value, value)}
}
