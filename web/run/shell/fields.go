package shell

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// members are the members of a JSON object; nil if the value is none.
func members(v any) map[string]any { m, _ := v.(map[string]any); return m }

// items are the JSON objects in a JSON list.
func items(v any) (all []map[string]any) {
	list, _ := v.([]any)
	for _, one := range list {
		if m := members(one); m != nil {
			all = append(all, m)
		}
	}
	return all
}

// word is a JSON string or number as text; empty if the value is neither.
func word(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64, int, int64:
		return fmt.Sprint(v)
	}
	return ""
}

// number is a number of a JSON document; 0 if the value is none.
func number(v any) int {
	n, err := strconv.Atoi(word(v))
	if err != nil {
		return 0
	}
	return n
}
