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

// spelled is a value as JSON. Different values have different JSON.
func spelled(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "" // doesn't happen: decoded values can be encoded
	}
	return string(text)
}

// sorted are the names of the fields of two objects, each once, in order.
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

// holdsNull tells whether a value has a null, outside of lists.
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
