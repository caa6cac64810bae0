package call

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Target is the collection that a laboratory works on.
type Target struct {
	Path   apipath.Path `json:"path"`   // of the collection
	Select url.Values   `json:"select"` // selectors for the collection
	Name   string       `json:"name"`   // of an object in the collection, if the path names one
}

// selectors are the query parameters that select a part of a collection. Other parameters belong to a single request.
var selectors = []string{"labelSelector", "fieldSelector"}

// ParseTarget reads an API path with its query, of a collection or of an object in one.
func ParseTarget(text string) (Target, error) {
	path, query, _ := strings.Cut(strings.TrimSpace(text), "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return Target{}, err
	}
	t := Target{Path: p, Select: url.Values{}}
	switch p.Kind {
	case apipath.KindCollection:
	case apipath.KindObject:
		t.Path, t.Name = apipath.CollectionOf(p), p.Name
	default:
		return Target{}, fmt.Errorf("%q isn’t the path of a collection or an object", text)
	}
	given, err := url.ParseQuery(query)
	if err != nil {
		return Target{}, fmt.Errorf("the query %q can’t be read", query)
	}
	for _, s := range selectors {
		if v := given.Get(s); v != "" {
			t.Select.Set(s, v)
		}
	}
	return t, nil
}

// Known tells whether the target has a path.
func (t Target) Known() bool { return t.Path.IsResource() }

// Selects tells whether the target has selectors.
func (t Target) Selects() bool { return len(t.Select) > 0 }

// With is the path of a request, with the selectors and more query parameters.
func (t Target) With(more url.Values) string {
	q := url.Values{}
	for _, some := range []url.Values{t.Select, more} {
		for name, values := range some {
			q[name] = values
		}
	}
	if len(q) == 0 {
		return t.Path.String()
	}
	return t.Path.String() + "?" + q.Encode()
}

// String is the path with the selectors. ParseTarget reads it.
func (t Target) String() string { return t.With(nil) }
