package promises

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// step is one write of the object.
type move struct {
	Manager string
	Version string
	How     string         // apply, force or merge
	Spec    map[string]any // what is applied, or the patch of a merge
}

func (s move) String() string {
	text, err := json.Marshal(s.Spec)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("%s %ss as %s: %s", s.Manager, s.How, s.Version, text)
}

// story is the writes of one object, in their order.
type story []move

func (s story) String() string {
	var lines strings.Builder
	for i, one := range s {
		fmt.Fprintf(&lines, "  %2d. %s\n", i+1, one)
	}
	return lines.String()
}

// author makes random stories.
type author struct{ *rand.Rand }

// story makes a story in which each manager changes what it applied before.
func (a author) story() story {
	managers := []string{"ada", "ben", "caro"}
	stated := map[string]map[string]any{}
	var all story
	for range 4 + a.IntN(6) {
		one := move{Manager: managers[a.IntN(len(managers))], Version: "v1", How: "apply"}
		switch a.IntN(6) {
		case 0:
			one.How = "force"
		case 1:
			one.How = "merge"
		}
		if a.IntN(5) == 0 {
			one.Version = "v2"
		}
		if one.How == "merge" {
			one.Spec = a.patch(one.Version)
		} else {
			stated[one.Manager] = a.edited(stated[one.Manager], one.Version)
			one.Spec = stated[one.Manager]
		}
		all = append(all, one)
	}
	return all
}

// edited is what a manager applies next: most of what it applied last, with some fields changed, added or left out.
func (a author) edited(spec map[string]any, version string) map[string]any {
	next := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(spec)) {
		if a.IntN(6) > 0 && a.knows(version, name) {
			next[name] = spec[name]
		}
	}
	for range 1 + a.IntN(3) {
		name := a.field(version)
		next[name] = a.value(name)
	}
	return next
}

// patch is a JSON merge patch of some fields. Null removes a field.
func (a author) patch(version string) map[string]any {
	next := map[string]any{}
	for range 1 + a.IntN(2) {
		name := a.field(version)
		if next[name] = a.value(name); a.IntN(4) == 0 {
			next[name] = nil
		}
	}
	return next
}

var names = []string{"text", "count", "flag", "size", "maybe", "struct", "free", "marks", "sealed", "items", "ports", "tags", "order"}

func (a author) field(version string) string {
	if a.IntN(15) == 0 {
		return map[string]string{"v1": "old", "v2": "new"}[version]
	}
	return names[a.IntN(len(names))]
}

func (a author) knows(version, name string) bool {
	return version == "v1" && name != "new" || version == "v2" && name != "old"
}

// value is a random value that the type of a field allows.
func (a author) value(name string) any {
	switch name {
	case "count":
		return a.IntN(3)
	case "flag":
		return a.IntN(2) == 0
	case "size":
		return []any{1, "1", "500m", "0.5", 2}[a.IntN(5)]
	case "maybe":
		return []any{nil, "x", "y"}[a.IntN(3)]
	case "struct":
		return a.structure()
	case "free":
		return a.free(2)
	case "marks", "sealed":
		return a.some(map[string]any{"a": a.word(), "b/c": a.word(), "d.e": a.word(), "": a.word()})
	case "items":
		return a.list("name", []any{"one", "two", "three"}, map[string]any{"value": a.word()})
	case "ports":
		return a.list("port", []any{80, 81}, map[string]any{"note": a.word(), "protocol": []any{"TCP", "UDP"}[a.IntN(2)]})
	case "tags", "order":
		return a.subset([]any{"one", "two", "three"})
	}
	return a.word()
}

func (a author) word() string { return []string{"x", "y", "z"}[a.IntN(3)] }

func (a author) structure() map[string]any {
	inner := a.some(map[string]any{"c": a.IntN(2), "d": a.word()})
	return a.some(map[string]any{"a": a.word(), "b": a.word(), "inner": inner})
}

// free is an object without a schema.
func (a author) free(depth int) map[string]any {
	all := map[string]any{"a": a.word(), "n": a.IntN(2), "x.y": a.word(), "l": a.subset([]any{"one", "two"})}
	if depth > 0 {
		all["x"] = a.free(depth - 1)
	}
	return a.some(all)
}

// some leaves about half of the fields out.
func (a author) some(all map[string]any) map[string]any {
	next := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if a.IntN(2) == 0 {
			next[name] = all[name]
		}
	}
	return next
}

func (a author) subset(all []any) []any {
	next := []any{}
	for _, one := range all {
		if a.IntN(2) == 0 {
			next = append(next, one)
		}
	}
	a.Shuffle(len(next), func(i, j int) { next[i], next[j] = next[j], next[i] })
	return next
}

// list is a list whose items a key tells apart.
func (a author) list(key string, keys []any, fields map[string]any) []any {
	next := []any{}
	for _, one := range a.subset(keys) {
		item := a.some(fields)
		item[key] = one
		next = append(next, item)
	}
	return next
}
