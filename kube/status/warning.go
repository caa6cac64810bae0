package status

import (
	"strconv"
	"strings"
)

// Warning is one Warning header (RFC 7234, section 5.5). API servers send code 299, agent "-".
type Warning struct {
	Code  int    `json:"code"`
	Agent string `json:"agent"`
	// Text is untrusted.
	Text string `json:"text"`
}

// ParseWarnings reads Warning headers. Headers that can't be read are left out.
func ParseWarnings(lines []string) []Warning {
	var all []Warning
	for _, line := range lines {
		for line != "" {
			w, rest, ok := parseWarning(line)
			if !ok {
				break
			}
			all = append(all, w)
			line = strings.TrimLeft(rest, " \t,")
		}
	}
	return all
}

// parseWarning reads one `299 - "text" "date"` at the beginning of line.
func parseWarning(line string) (w Warning, rest string, ok bool) {
	code, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
	if !ok || len(code) != 3 {
		return Warning{}, "", false
	}
	n, err := strconv.Atoi(code)
	if err != nil || n < 100 {
		return Warning{}, "", false
	}
	agent, rest, ok := strings.Cut(strings.TrimLeft(rest, " "), " ")
	if !ok || agent == "" {
		return Warning{}, "", false
	}
	text, rest, ok := quotedText(strings.TrimLeft(rest, " "))
	if !ok {
		return Warning{}, "", false
	}
	if _, after, dated := quotedText(strings.TrimLeft(rest, " ")); dated {
		rest = after
	}
	return Warning{Code: n, Agent: agent, Text: text}, rest, true
}

// quotedText reads an HTTP quoted-string at the beginning of s. A backslash escapes the character after it.
func quotedText(s string) (text, rest string, ok bool) {
	if !strings.HasPrefix(s, `"`) {
		return "", s, false
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return strings.ToValidUTF8(b.String(), "\uFFFD"), s[i+1:], true
		case s[i] == '\\' && i+1 < len(s):
			i++
			fallthrough
		default:
			b.WriteByte(s[i])
		}
	}
	return "", s, false
}
