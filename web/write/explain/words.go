package explain

import (
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/explain"
)

// facts are the details of a refusal.
func facts(e explain.Explanation) []components.Fact {
	var all []components.Fact
	if e.Reason != "" {
		all = append(all, components.Fact{Name: "reason", Text: e.Reason})
	}
	if e.Code != 0 {
		all = append(all, components.Fact{Name: "status code", Text: strconv.Itoa(e.Code)})
	}
	if e.Tool != "" {
		all = append(all, components.Fact{Name: "printed by", Text: e.Tool})
	}
	if e.Manager != "" {
		hint := ""
		if e.Assumed {
			hint = "The text doesn’t name the manager"
		}
		all = append(all, components.Fact{Name: "field manager", Text: e.Manager, Hint: hint})
	}
	if e.Times > 1 {
		all = append(all, components.Fact{Name: "repeated", Text: strconv.Itoa(e.Times)})
	}
	return all
}

// longestValue is the number of characters of a value that are shown.
const longestValue = 400

func short(value []byte) string {
	if runes := []rune(string(value)); len(runes) > longestValue {
		return string(runes[:longestValue]) + "…"
	}
	return string(value)
}

// mostAsked is the length limit, in bytes, of a manifest that another page sends to this one.
const mostAsked = 64 << 10
