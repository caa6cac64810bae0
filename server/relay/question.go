package relay

import (
	"errors"
	"net/url"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/server/follow"
)

// newQuestion reads what a page wants to follow. Users may see its error.
func newQuestion(wanted string) (follow.Question, error) {
	path, rawQuery, _ := strings.Cut(wanted, "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return follow.Question{}, err
	}
	switch {
	case p.Watch:
		return follow.Question{}, errors.New("the path must be that of the collection, without /watch/")
	case p.Kind == apipath.KindObject:
		return follow.Question{Collection: apipath.CollectionOf(p), Selectors: url.Values{"fieldSelector": {apipath.NameSelector(p.Name)}}}, nil
	case p.Kind != apipath.KindCollection:
		return follow.Question{}, errors.New("only collections and objects can be followed")
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return follow.Question{}, errors.New("the query is malformed")
	}
	q := follow.Question{Collection: p, Selectors: url.Values{}, Whole: query.Get("includeObject") == "Object" && condition.Listed(p.Group, p.Resource)}
	for _, name := range []string{"labelSelector", "fieldSelector"} {
		if value := query.Get(name); value != "" {
			q.Selectors.Set(name, value)
		}
	}
	return q, nil
}
