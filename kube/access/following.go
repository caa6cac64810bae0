package access

import (
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Following returns the attributes of the requests with which somebody follows a collection, or the part of one that selectors choose: a
// watch and a list. Whoever may make both gets all of its objects, now and later.
func Following(p apipath.Path, selectors url.Values) []Attributes {
	of := Attributes{Group: p.Group, Version: p.Version, Resource: p.Resource, Namespace: p.Namespace}
	if raw := selectors.Get("fieldSelector"); raw != "" {
		of.FieldSelector = &Selector{raw}
		of.Name = onlyName(raw)
	}
	if raw := selectors.Get("labelSelector"); raw != "" {
		of.LabelSelector = &Selector{raw}
	}
	watch, list := of, of
	watch.Verb, list.Verb = "watch", "list"
	return []Attributes{watch, list}
}

// onlyName is the name that a field selector requires, if it has no other requirement. API servers authorize such a list or watch with
// this name, so that a rule with resourceNames can allow it. For any other selector the name stays empty, which such rules don't allow:
// the result is never broader than the API server's own.
func onlyName(selector string) string {
	name, ok := strings.CutPrefix(selector, "metadata.name=")
	name = strings.TrimPrefix(name, "=")
	if !ok || name == "." || name == ".." || strings.ContainsFunc(name, special) {
		return ""
	}
	return name
}

// special tells whether a character can have a meaning of its own in a selector, or in a path.
func special(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._:", r)
}
