package request

import (
	"strings"
	"testing"
)

// A short text can't make a long request: neither its body nor the sentences about what was left out.
func TestRequestsAreNoLongerThanTheirText(t *testing.T) {
	for name, text := range map[string]string{
		"the input again and again": "echo " + strings.Repeat("x", 100_000) + " | curl http://h/api " + strings.Repeat("-d @- ", 1000),
		"the same as bytes":         "echo " + strings.Repeat("x", 100_000) + " | curl http://h/api " + strings.Repeat("--data-binary @- ", 1000),
		"escaped data":              "curl http://h/api --data-urlencode '" + strings.Repeat("é", 1_000_000) + "'",
		"credentials":               "curl http://h/api " + several("-H 'X-Token-%: a' "),
		"credentials of a log":      "I1121 18:01:27.396769   20780 round_trippers.go:527] \"Request\" verb=\"GET\" url=\"https://h/api\" headers=<\n" + several("\tX-Token-%: a\n") + " >\n",
		"parameters":                "GET /api?" + several("token-%=a&"),
	} {
		found, err := Parse(text)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: %d requests, %v", name, len(found), err)
			continue
		}
		if f := found[0]; len(f.Request.Body) > maxText || len(f.Left) > mostLeft || len(f.Left) == 0 {
			t.Errorf("%s: a body of %d bytes, %d sentences", name, len(f.Request.Body), len(f.Left))
		}
	}
}

// several is a text several thousand times, each with a number.
func several(text string) string {
	var b strings.Builder
	for n := range 5000 {
		b.WriteString(strings.ReplaceAll(text, "%", strings.Repeat("a", n%70)+string(rune('a'+n/70%26))))
	}
	return b.String()
}
