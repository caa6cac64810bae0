package request

import (
	"strings"
	"testing"
)

// A short text can't make a long request: neither its body nor the sentences about what was left out.
func TestRequestsAreNoLongerThanTheirText(t *testing.T) {
	for name, text := range map[string]string{
		"escaped data":         "curl http://h/api --data-urlencode '" + strings.Repeat("é", 1_000_000) + "'",
		"credentials":          "curl http://h/api " + several("-H 'X-Token-%: a' "),
		"credentials of a log": "I1121 18:01:27.396769   20780 round_trippers.go:527] \"Request\" verb=\"GET\" url=\"https://h/api\" headers=<\n" + several("\tX-Token-%: a\n") + " >\n",
		"parameters":           "GET /api?" + several("token-%=a&"),
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

// hard are texts that a reader would take too long for if it weren't linear. In each of them, the middle part is repeated.
var hard = map[string][3]string{
	"words":                   {"curl http://h/api ", "a ", ""},
	"quotes":                  {"curl http://h/api ", "'a' ", ""},
	"a quote without an end":  {"curl http://h/api -d '", "x", ""},
	"double quotes":           {`curl http://h/api -d "`, `\"`, ""},
	"many open quotes":        {"curl http://h/api ", `"'`, ""},
	"codes":                   {"curl http://h/api -d $'", `\x41`, ""},
	"backslashes":             {"curl http://h/api ", `\`, ""},
	"continued lines":         {"curl http://h/api ", "\\\n", ""},
	"blank lines":             {"", "\n", "curl http://h/api"},
	"headers":                 {"curl http://h/api ", "-H 'A: b' ", ""},
	"data":                    {"curl http://h/api ", "-d a ", ""},
	"data in the query":       {"curl -G http://h/api ", "-d a=b ", ""},
	"escaped data":            {"curl http://h/api --data-urlencode '", "é", "'"},
	"the input":               {"echo " + strings.Repeat("x", 50_000) + " | curl http://h/api ", "-d @- ", ""},
	"the input as bytes":      {"echo " + strings.Repeat("x", 50_000) + " | curl http://h/api ", "--data-binary @- ", ""},
	"pipes":                   {"echo " + strings.Repeat("x", 50_000), "| cat ", "| curl -d @- http://h/api"},
	"pipes to curl":           {"echo " + strings.Repeat("x", 50_000), "| curl -d @- ", ""},
	"base64":                  {"echo " + strings.Repeat("QUFB", 10_000), "| base64 -d ", "| curl -d @- http://h/api"},
	"options in a group":      {"curl http://h/api -", "s", ""},
	"redirections":            {"curl http://h/api ", "> a ", ""},
	"here-documents":          {"curl http://h/api ", "<<a ", "\n"},
	"here-strings":            {"curl http://h/api ", "<<<a ", "-d @-"},
	"lines of a document":     {"curl http://h/api -d @- <<EOF\n", "a\n", ""},
	"kubectl":                 {"kubectl get --raw /api ", "-f - ", ""},
	"parameters":              {"GET /api?", "a=b&", ""},
	"credentials":             {"GET /api?", "token=b&", ""},
	"a path":                  {"GET /api", "/a", ""},
	"escapes":                 {"GET /api", "%2f", ""},
	"headers of HTTP":         {"GET /api HTTP/1.1\n", "A: b\n", "\n"},
	"requests":                {"", "GET http://h/api\n", ""},
	"requests with responses": {"", "GET http://h/api 200 OK in 4 milliseconds\n", ""},
	"old headers":             {logLine + "GET http://h/api\n" + logLine + "Request Headers:\n", logLine + "    A: b\n", ""},
	"old bodies":              {"", logLine + "Request Body: {}\n", ""},
	"cut bodies":              {logLine + "Request Body: ", " [truncated 1 chars", ""},
	"curl in a log":           {"", logLine + "curl -v -XGET 'http://h/api\n", ""},
	"open values":             {"", logLine + "\"Request\" headers=<\n", ""},
	"open quotes in a log":    {"", logLine + "\"Request\" verb=\"\n", ""},
	"names":                   {logLine + `"Request" `, "a=b ", ""},
	"a name without a value":  {logLine + `"Request" `, "a", ""},
	"headers in a log":        {logLine + `"Request" verb="GET" url="http://h/api" headers=<` + "\n", "\tA: b\n", " >\n"},
	"bytes":                   {logLine + "\"Request Body\" body=<\n", "\t00000000  6b 38\n", " >\n" + logLine + `"Request" verb="GET" url="http://h/api"`},
}

const logLine = "I1121 18:01:27.396769   20780 round_trippers.go:527] "

// mostSteps is how much work a byte of a text may be. Steps are counted, because times differ from machine to machine.
const mostSteps = 20

func stepsOf(text string) (n int) {
	_, _ = parse(text, &n) // most of these texts have no request
	return n
}

func TestTheWorkGrowsWithTheText(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	for name, parts := range hard {
		of := func(size int) string { return parts[0] + strings.Repeat(parts[1], size/len(parts[1])) + parts[2] }
		small, large := of(50_000), of(200_000)
		if n := stepsOf(large); n > mostSteps*len(large) || n > 6*stepsOf(small) {
			t.Errorf("%s: %d steps for %d bytes, %d for %d", name, stepsOf(small), len(small), n, len(large))
		}
	}
}

func FuzzTheWorkIsBounded(f *testing.F) {
	for _, parts := range hard {
		f.Add(parts[0], parts[1], parts[2], uint16(100))
	}
	f.Fuzz(func(t *testing.T, before, again, after string, times uint16) {
		if len(again) > 1000 {
			t.Skip()
		}
		text := before + strings.Repeat(again, int(times)) + after
		if n := stepsOf(text); n > mostSteps*(len(text)+10) {
			t.Errorf("%d steps for %d bytes", n, len(text))
		}
	})
}
