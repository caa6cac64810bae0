package patch

import (
	"encoding/json"
	"maps"
	"slices"
)

func equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, equal)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	}
	switch b.(type) {
	case map[string]any, []any:
		return false
	}
	return a == b
}

// spelled is a value as JSON, by which it is told from others.
func spelled(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // a decoded value can always be written
	}
	return string(text)
}

// sorted are the names of two objects' fields.
func sorted(a, b map[string]any) []string {
	names := slices.Collect(maps.Keys(a))
	for name := range b {
		if _, has := a[name]; !has {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// holdsNull tells whether there is a null in a value that isn't an item of a list.
func holdsNull(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		for _, child := range v {
			if holdsNull(child) {
				return true
			}
		}
	}
	return false
}
