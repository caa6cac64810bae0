package explain

import (
	"strconv"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/explain"
)

// facts are a refusal in a line.
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
			hint = "The text doesn’t name it"
		}
		all = append(all, components.Fact{Name: "field manager", Text: e.Manager, Hint: hint})
	}
	if e.Times > 1 {
		all = append(all, components.Fact{Name: "times", Text: strconv.Itoa(e.Times)})
	}
	return all
}

// longestValue is how much of a value is shown, in characters.
const longestValue = 400

func short(value []byte) string {
	if runes := []rune(string(value)); len(runes) > longestValue {
		return string(runes[:longestValue]) + "…"
	}
	return string(value)
}

// mostAsked is how long a manifest may be that another page brings along, in bytes.
const mostAsked = 64 << 10
