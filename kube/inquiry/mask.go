package inquiry

import "regexp"

// quoting matches the values in a server's message.
var quoting = regexp.MustCompile(`((?:Invalid value|Unsupported value|Duplicate value): )("(?:[^"\\]|\\.)*"|[^:]+)|(Value:)([^}]*)`)

// masked is a server's message about an object with secrets, without its values.
func masked(words string) string {
	return quoting.ReplaceAllString(words, "${1}${3}••••••••")
}
