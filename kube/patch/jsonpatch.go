package patch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/schema"
)

// Operation is one step of a JSON Patch (RFC 6902).
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value *any   `json:"value,omitempty"`
}

var escaper = strings.NewReplacer("~", "~0", "/", "~1")

// Pointer adds steps to a JSON pointer (RFC 6901).
func Pointer(to string, steps ...string) string {
	for _, step := range steps {
		to += "/" + escaper.Replace(step)
	}
	return to
}

// JSONPatch changes one object to another. Before it changes or removes a value, it tests that the value is still the same. Before it
// changes a part of an item, it tests that it is the right item. The schema may be nil.
func JSONPatch(live, wanted map[string]any, known *schema.Schema) []Operation {
	w := operations{known: known}
	w.fields("", schema.Path{}, live, wanted)
	return w.all
}

type operations struct {
	known *schema.Schema
	all   []Operation
}

func (w *operations) addOperation(op, at string, value any) {
	w.all = append(w.all, Operation{Op: op, Path: at, Value: &value})
}

func (w *operations) remove(at string, former any) {
	w.addOperation("test", at, former)
	w.all = append(w.all, Operation{Op: "remove", Path: at})
}

func (w *operations) fields(at string, path schema.Path, old, now map[string]any) {
	for _, name := range sorted(old, now) {
		was, had := old[name]
		is, has := now[name]
		switch to := Pointer(at, name); {
		case !has:
			w.remove(to, was)
		case !had:
			w.addOperation("add", to, is)
		default:
			w.value(to, path.To(name), was, is)
		}
	}
}

func (w *operations) value(at string, path schema.Path, was, is any) {
	if equal(was, is) {
		return
	}
	switch old := was.(type) {
	case map[string]any:
		if now, ok := is.(map[string]any); ok {
			w.fields(at, path, old, now)
			return
		}
	case []any:
		if now, ok := is.([]any); ok && w.items(at, path, old, now) {
			return
		}
	}
	w.addOperation("test", at, was)
	w.addOperation("replace", at, is)
}

// items changes a list item by item. It returns false if items can't be distinguished, or if the remaining items change their order.
func (w *operations) items(at string, path schema.Path, old, now []any) bool {
	keys := keysOf(w.known, path)
	before, ok := identities(old, keys)
	after, fine := identities(now, keys)
	if !ok || !fine || !sameOrder(before, after) {
		return false
	}
	former, later := placesOf(before), placesOf(after)
	for i := len(old) - 1; i >= 0; i-- {
		if _, stays := later[before[i]]; !stays {
			w.remove(fmt.Sprintf("%s/%d", at, i), old[i])
		}
	}
	for i, id := range after {
		if _, there := former[id]; !there {
			w.addOperation("add", fmt.Sprintf("%s/%d", at, i), now[i])
		}
	}
	for i, id := range after {
		if from, there := former[id]; there && !equal(old[from], now[i]) {
			w.item(fmt.Sprintf("%s/%d", at, i), path.To(schema.Each), keys, old[from], now[i])
		}
	}
	return true
}

func (w *operations) item(at string, path schema.Path, keys []string, was, is any) {
	if fields, ok := was.(map[string]any); ok {
		for _, key := range keys {
			if v, has := fields[key]; has {
				w.addOperation("test", Pointer(at, key), v)
			}
		}
	}
	w.value(at, path, was, is)
}

// keysOf are the fields that identify the items of a list: those in the schema, or else the name.
func keysOf(known *schema.Schema, list schema.Path) []string {
	if known != nil {
		if f, ok := known.Field(list); ok && len(f.Merge.Keys) > 0 {
			return f.Merge.Keys
		}
	}
	return []string{"name"}
}

// identities are texts that identify items: their keys, or the whole item if it has no keys. If two items have the same identity, ok is false.
func identities(items []any, keys []string) (ids []string, ok bool) {
	seen := map[string]bool{}
	for _, item := range items {
		id := spelled(item)
		if fields, is := item.(map[string]any); is {
			var values []any
			for _, key := range keys {
				if v, has := fields[key]; has {
					values = append(values, key, v)
				}
			}
			if len(values) > 0 {
				id = "k" + spelled(values)
			}
		}
		if seen[id] {
			return nil, false
		}
		seen[id] = true
		ids = append(ids, id)
	}
	return ids, true
}

// placesOf is the position of each ID.
func placesOf(ids []string) map[string]int {
	places := make(map[string]int, len(ids))
	for i, id := range ids {
		places[id] = i
	}
	return places
}

// sameOrder tells whether the common items of two lists are in the same order.
func sameOrder(before, after []string) bool {
	common := func(list, other []string) []string {
		in := placesOf(other)
		return slices.DeleteFunc(slices.Clone(list), func(id string) bool {
			_, has := in[id]
			return !has
		})
	}
	return slices.Equal(common(before, after), common(after, before))
}
