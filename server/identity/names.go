package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// UnfitName says why the name of a user or a group can't be impersonated, as a part of a sentence; empty: it can. Headers carry these names,
// and servers remove spaces around the value of a header. So " ada" would become ada, and " system:admin" an account of the API server
// (threat: smuggled identity).
func UnfitName(name string) string {
	switch {
	case name == "":
		return "it is empty"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError }):
		return "it has a control character, or isn't valid UTF-8"
	case strings.TrimSpace(name) != name:
		return "it begins or ends with a space"
	}
	return ""
}
