package object

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Secrets visits the values that masking replaced in an object: as they are written, in base64, decoded from it, and each of their lines.
func Secrets(plain, masked any, visit func(string)) {
	switch v := plain.(type) {
	case map[string]any:
		beside := fields(masked)
		for key, child := range v {
			Secrets(child, beside[key], visit)
		}
	case []any:
		beside := listValue(masked)
		for i, child := range v[:min(len(v), len(beside))] {
			Secrets(child, beside[i], visit)
		}
	case nil:
	default:
		written := worded(v)
		if written == worded(masked) {
			return
		}
		texts := []string{written, base64.StdEncoding.EncodeToString([]byte(written))} // the server encodes stringData
		if decoded, err := base64.StdEncoding.DecodeString(strings.TrimSpace(written)); err == nil {
			texts = append(texts, string(decoded))
		}
		for _, text := range texts {
			for _, part := range append(strings.Split(text, "\n"), text) {
				if strings.TrimSpace(part) != "" {
					visit(part)
				}
			}
		}
	}
}

// Hush removes the secret values of an object from a message of a server, which may quote what it was sent: admission does, for example.
func (o Object) Hush(words string) string {
	if words == "" {
		return ""
	}
	secrets := map[string]bool{}
	Secrets(o.Fields, o.Masked().Fields, func(secret string) { secrets[secret] = true })
	return Hushed(words, secrets)
}

// mostSecrets is the most texts that are searched for in a message.
const mostSecrets = 5000

// Hushed removes secret texts from a message.
func Hushed(words string, secrets map[string]bool) string {
	if len(secrets) > mostSecrets {
		return "The server's message isn't shown, because it may have parts of the Secret."
	}
	longestFirst := slices.SortedFunc(maps.Keys(secrets), func(a, b string) int {
		return len(b) - len(a) // a shorter one may be part of a longer one
	})
	for _, secret := range longestFirst {
		words = hushed(words, secret)
	}
	return words
}

// shortest is the length from which a secret value is searched for inside words. A shorter one must be a whole word.
const shortest = 4

func hushed(words, secret string) string {
	const mask = "••••••••"
	switch {
	case secret == "", len(secret) < shortest && !strings.Contains(words, secret):
		return words
	case len(secret) >= shortest:
		words = strings.ReplaceAll(words, secret, mask)
		return strings.ReplaceAll(words, strings.Trim(strconv.Quote(secret), `"`), mask)
	}
	return regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(secret)+`($|\W)`).ReplaceAllString(words, "${1}"+mask+"${2}")
}

// worded is a value as text.
func worded(v any) string {
	if text, is := v.(string); is {
		return text
	}
	written, err := json.Marshal(v)
	if err != nil {
		return "" // doesn't happen: it was read from JSON or YAML
	}
	return string(written)
}
