package inquiry

import "regexp"

// quoting finds where a server's words quote a value.
var quoting = regexp.MustCompile(`((?:Invalid value|Unsupported value|Duplicate value): )("(?:[^"\\]|\\.)*"|[^:]+)|(Value:)([^}]*)`)

// masked are a server's words about an object that holds secrets, without the values that they quote.
func masked(words string) string {
	return quoting.ReplaceAllString(words, "${1}${3}••••••••")
}
