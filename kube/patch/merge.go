package patch

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/schema"
)

// MergePatch changes one object to another as a JSON merge patch (RFC 7386). exact is false if a field should be null, because such a
// patch treats null as a removal.
func MergePatch(live, wanted map[string]any) (body map[string]any, exact bool) {
	m := merging{exact: true}
	return m.fields(schema.Path{}, live, wanted), m.exact
}

// Strategic changes one object to another as a strategic merge patch: lists that have a merge key are changed item by item. exact is
// false if such a patch can't make the change.
func Strategic(live, wanted map[string]any, known schema.Schema) (body map[string]any, exact bool) {
	m := merging{known: &known, exact: true}
	return m.fields(schema.Path{}, live, wanted), m.exact
}

type merging struct {
	known *schema.Schema // nil: lists are never merged
	exact bool
}

func (m *merging) fields(path schema.Path, old, now map[string]any) map[string]any {
	body := map[string]any{}
	for _, name := range sorted(old, now) {
		was, had := old[name]
		is, has := now[name]
		switch {
		case !has:
			body[name] = nil
		case had && equal(was, is):
		default:
			m.field(body, path.To(name), name, was, is)
		}
	}
	return body
}

func (m *merging) field(body map[string]any, path schema.Path, name string, was, is any) {
	switch now := is.(type) {
	case map[string]any:
		if old, ok := was.(map[string]any); ok {
			body[name] = m.fields(path, old, now)
			return
		}
	case []any:
		if old, ok := was.([]any); ok && m.mergeList(body, path, name, old, now) {
			return
		}
	}
	m.exact = m.exact && !holdsNull(is)
	body[name] = is
}

// mergeList merges a list. It returns false if strategic merge patches replace this list.
func (m *merging) mergeList(body map[string]any, path schema.Path, name string, old, now []any) bool {
	if m.known == nil {
		return false
	}
	f, _ := m.known.Field(path)
	if !slices.Contains(strings.Split(f.Patch.Strategy, ","), "merge") {
		return false
	}
	if f.Patch.Key == "" {
		return m.values(body, name, old, now)
	}
	return m.items(body, path, name, f.Patch.Key, old, now)
}

// values changes a list of plain values.
func (m *merging) values(body map[string]any, name string, old, now []any) bool {
	before, ok := identities(old, nil)
	after, fine := identities(now, nil)
	if !ok || !fine {
		m.exact = false
		return false
	}
	if come := beyond(now, after, before); len(come) > 0 {
		body[name] = come
	}
	if leave := beyond(old, before, after); len(leave) > 0 {
		body["$deleteFromPrimitiveList/"+name] = leave
	}
	body["$setElementOrder/"+name] = now
	return true
}

// beyond are the items that the other list doesn't have.
func beyond(items []any, ids, others []string) []any {
	there := placesOf(others)
	var rest []any
	for i, id := range ids {
		if _, has := there[id]; !has {
			rest = append(rest, items[i])
		}
	}
	return rest
}

// items changes a list by its merge key. If the key doesn't identify all items, the patch replaces the list.
func (m *merging) items(body map[string]any, path schema.Path, name, key string, old, now []any) bool {
	before, ok := byKey(old, key)
	after, fine := byKey(now, key)
	if !ok || !fine {
		m.exact = m.exact && !holdsNull(now)
		body[name] = append([]any{map[string]any{"$patch": "replace"}}, now...)
		return true
	}
	var items, order []any
	for _, item := range now {
		fields, _ := item.(map[string]any)
		order = append(order, map[string]any{key: fields[key]})
		switch former, has := before[spelled(fields[key])]; {
		case !has:
			m.exact = m.exact && !holdsNull(item)
			items = append(items, item)
		case !equal(former, fields):
			change := m.fields(path.To(schema.Each), former, fields)
			change[key] = fields[key]
			items = append(items, change)
		}
	}
	for _, item := range old {
		fields, _ := item.(map[string]any)
		if _, stays := after[spelled(fields[key])]; !stays {
			items = append(items, map[string]any{"$patch": "delete", key: fields[key]})
		}
	}
	if len(items) > 0 {
		body[name] = items
	}
	if len(order) > 0 {
		body["$setElementOrder/"+name] = order
	}
	return true
}

// byKey maps items by their key. If an item has no key, or two items have the same key, ok is false.
func byKey(items []any, key string) (all map[string]map[string]any, ok bool) {
	all = map[string]map[string]any{}
	for _, item := range items {
		fields, _ := item.(map[string]any)
		v, has := fields[key]
		id := spelled(v)
		if !has || all[id] != nil {
			return nil, false
		}
		all[id] = fields
	}
	return all, true
}
