package request

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// Curl is the request as a command line for curl. server is the address of a server, such as Fieldmark's proxy for a cluster
// (http://127.0.0.1:8080/clusters/practice). The token is read from the environment: FIELDMARK_TOKEN for Fieldmark's proxy, TOKEN for any
// other server.
func (r Request) Curl(server string) string {
	words := []string{"curl"}
	switch {
	case r.Method == Head:
		words = append(words, "--head")
	case r.Method != Get || len(r.Body) > 0:
		words = append(words, "-X", Quote(r.Method))
	}
	if r.streams() {
		words = append(words, "--no-buffer")
	}
	words = append(words, "-H", `"Authorization: Bearer $`+tokenFor(server)+`"`)
	for _, h := range r.headOfCurl() {
		words = append(words, "-H", Quote(h))
	}
	address := Quote(strings.TrimSuffix(server, "/") + r.Target())
	switch {
	case len(r.Body) == 0:
		words = append(words, address)
	case pastable(string(r.Body)):
		words = append(words, "--data-raw", Quote(string(r.Body)), address)
	default:
		words = append([]string{"printf", "%s", Quote(base64.StdEncoding.EncodeToString(r.Body)), "|", "base64", "-d", "|"}, words...)
		words = append(words, "--data-binary", "@-", address)
	}
	return strings.Join(words, " ")
}

func tokenFor(server string) string {
	if u, err := url.Parse(server); err == nil && strings.HasPrefix(u.Path, "/clusters/") {
		return "FIELDMARK_TOKEN"
	}
	return "TOKEN"
}

// headOfCurl are the headers for curl. If the request has no media type, it removes the one that curl would add.
func (r Request) headOfCurl() []string {
	var all []string
	for _, h := range r.carried() {
		if h.Value == "" {
			all = append(all, h.Name+";")
			continue
		}
		all = append(all, h.Name+": "+h.Value)
	}
	if len(r.Body) > 0 && r.Field("Content-Type") == "" {
		all = append(all, "Content-Type:")
	}
	return all
}

// streams tells whether the response is a stream.
func (r Request) streams() bool {
	return r.Verb() == "watch" || strings.HasSuffix(r.Path, "/log") && on(r.Query.Get("follow"))
}

// on tells whether a parameter that is true or false is true.
func on(value string) bool { return value != "" && value != "0" && !strings.EqualFold(value, "false") }
