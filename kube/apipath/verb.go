package apipath

import (
	"net/url"
	"strings"
)

// Verb is the API verb that the API server checks permissions for. It follows the server's RequestInfo: for exec, attach, portforward and
// proxy, the method decides between get and create. For a path that is no resource, the verb is the method in lower case. A method that
// the API doesn't know has no verb on a resource.
func Verb(method string, p Path, query url.Values) string {
	if !p.IsResource() {
		return strings.ToLower(method)
	}
	if p.Watch {
		return "watch"
	}
	switch method {
	case "GET", "HEAD":
		return reading(p, query)
	case "POST":
		return "create"
	case "PUT":
		return "update"
	case "PATCH":
		return "patch"
	case "DELETE":
		if p.Kind == KindCollection {
			return "deletecollection"
		}
		return "delete"
	}
	return ""
}

func reading(p Path, query url.Values) string {
	switch {
	case p.Kind != KindCollection:
		return "get"
	case flag(query["watch"]):
		return "watch"
	}
	return "list"
}

// flag reads a boolean parameter by the API server's rule: the first value decides, and every value except false and 0 is true, even an
// empty one.
func flag(values []string) bool {
	if len(values) == 0 {
		return false
	}
	return !strings.EqualFold(values[0], "false") && values[0] != "0"
}
