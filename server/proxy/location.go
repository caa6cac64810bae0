package proxy

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// openAPI3 is where API servers serve OpenAPI v3 documents.
const openAPI3 = "/openapi/v3/"

// location is the address that the client may follow; empty: there is none. Only one kind of redirect passes: from an OpenAPI v3
// document with an old hash to the same document with its current hash. Any other address could send browsers, and programs
// with their token, to a server of an attacker (threat: hostile response).
func (c *call) location(resp *http.Response) string {
	there := resp.Header["Location"]
	if resp.StatusCode/100 != 3 || len(there) != 1 || !strings.HasPrefix(c.path.String(), openAPI3) {
		return ""
	}
	// If the URL of the API server has a path, the redirect may contain that path or not.
	escaped, rawQuery, _ := strings.Cut(strings.TrimPrefix(there[0], c.target.Base.EscapedPath()), "?")
	path, err := apipath.Parse(escaped)
	if err != nil || !strings.HasPrefix(escaped, openAPI3) || escaped == openAPI3 || strings.Contains(escaped, "#") {
		return ""
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil || strings.Contains(rawQuery, "#") {
		return ""
	}
	ours := Prefix + url.PathEscape(c.cluster) + path.String()
	if len(query) > 0 {
		ours += "?" + query.Encode()
	}
	return ours
}
