package wiretap

import (
	"bytes"
	"regexp"
)

// What looks like a credential, wherever it stands: in an object, an event's message, an error, a kubeconfig that somebody keeps in a
// ConfigMap. That something harmless is taken out as well does no harm; it is only shown.
var (
	// A JSON Web Token. One that is cut before its signature is none.
	jwt = regexp.MustCompile(`eyJ[\w-]{5,}\.eyJ[\w-]{5,}(?:\.[\w-]*)?`)
	// What follows the name of a scheme, as in the field Authorization.
	scheme = regexp.MustCompile(`(?i)\b(bearer|basic)(\s+|%20|\+)([\w.~+/=-]{8,})`)
	// A field whose name ends like that of a credential, with its value: in JSON, also where that is a string of JSON, in YAML, as a
	// variable, as a parameter.
	named = regexp.MustCompile(`(?i)(` + credentialNames + `)(\\*["']?[ \t]*[:=][ \t]*)` + fieldValue)
	// The name and value of an environment variable, in JSON and in YAML.
	variable = regexp.MustCompile(`(?i)(\bname\\*["']?\s*:\s*\\*["']?[\w.-]*(?:` + credentialNames + `)\\*["']?\s*,?\s*\\*["']?value\\*["']?\s*:\s*)` + fieldValue)
	// A private key.
	privateKey = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?`)
	// The entry of a map in Protobuf: its key, and then its value with the length before it.
	mapEntry = regexp.MustCompile(`(?is)(` + credentialNames + `)(\x12[\x08-\x7f])([\x20-\x7e]{8,127})`)
)

// fieldValue is that of a field: a string of JSON, a string of JSON within one, text in single quotes, or a word.
const fieldValue = `("(?:[^"\\]|\\.)*|\\+"(?:[^"\\]|\\\\\\"|\\\\[^"\\]|\\\\\\\\)*|\\*'[^']*|[^\s"'\\,;&{}\[\]]+)`

// credentialNames are how names of credentials end.
const credentialNames = `token|password|passwd|secret|credentials?|authorization|api[_-]?key|access[_-]?key|client-key-data|private[_-]?key|signature`

// plainValue is one of that say nothing that is secret.
var plainValue = regexp.MustCompile(`^\\*["']?(?:true|false|null|\d{1,9}|)$`)

// scrub takes out what looks like a credential. It may change the text it is given.
func scrub(text []byte) (clean []byte, redacted bool) {
	if len(text) == 0 {
		return text, false
	}
	clean = privateKey.ReplaceAll(text, []byte(Redacted))
	clean = jwt.ReplaceAll(clean, []byte(Redacted))
	clean = scheme.ReplaceAll(clean, []byte("${1}${2}"+Redacted))
	clean = replaceLast(variable, clean)
	clean = replaceLast(named, clean)
	clean = replaceLast(mapEntry, clean)
	return clean, !bytes.Equal(clean, text)
}

// replaceLast replaces the last group of each match, unless that is a plain value. Quotes that it begins with stay.
func replaceLast(re *regexp.Regexp, text []byte) []byte {
	var out []byte
	done := 0
	for _, at := range re.FindAllSubmatchIndex(text, -1) {
		begin, end := at[len(at)-2], at[len(at)-1]
		value := text[begin:end]
		if plainValue.Match(value) || bytes.Contains(value, []byte(Redacted)) {
			continue
		}
		quote := len(value) - len(bytes.TrimLeft(value, `\"'`))
		out = append(append(out, text[done:begin+quote]...), Redacted...)
		done = end
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

func scrubbed(s string) string {
	clean, redacted := scrub([]byte(s))
	if !redacted {
		return s
	}
	return string(clean)
}
