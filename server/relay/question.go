package relay

import (
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// question is a collection, or the part of one that selectors choose: what is listed and watched.
type question struct {
	collection apipath.Path
	selectors  url.Values
}

// newQuestion reads what a page wants to follow. Its error is fit for showing.
func newQuestion(wanted string) (question, error) {
	path, rawQuery, _ := strings.Cut(wanted, "?")
	p, err := apipath.Parse(path)
	if err != nil {
		return question{}, err //nolint:wrapcheck // it says which path, and what is wrong with it
	}
	switch {
	case p.Watch:
		return question{}, errors.New("the path of the collection itself is wanted, without watch/")
	case p.Kind == apipath.KindObject:
		return question{apipath.CollectionOf(p), url.Values{"fieldSelector": {"metadata.name=" + escapeSelector(p.Name)}}}, nil
	case p.Kind != apipath.KindCollection:
		return question{}, errors.New("only collections and objects can be followed")
	}
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return question{}, errors.New("the query is malformed")
	}
	q := question{collection: p, selectors: url.Values{}}
	for _, name := range []string{"labelSelector", "fieldSelector"} {
		if value := query.Get(name); value != "" {
			q.selectors.Set(name, value)
		}
	}
	return q, nil
}

// escapeSelector writes a value as field selectors want it.
func escapeSelector(value string) string {
	return strings.NewReplacer(`\`, `\\`, `,`, `\,`, `=`, `\=`).Replace(value)
}

// list asks for a chunk: the first, or the one that token stands for.
func (q question) list(limit int, token string) string {
	v := q.query()
	v.Set("limit", strconv.Itoa(limit))
	if token != "" {
		v.Set("continue", token)
	}
	return q.collection.String() + "?" + v.Encode()
}

// watch asks for what happens after a version.
func (q question) watch(version string, seconds int) string {
	v := q.query()
	v.Set("watch", "1")
	v.Set("allowWatchBookmarks", "true")
	v.Set("resourceVersion", version)
	v.Set("timeoutSeconds", strconv.Itoa(seconds))
	return q.collection.String() + "?" + v.Encode()
}

// stream asks for the whole state and for what happens after it. How long the state takes is not known before, so
// that whoever asks ends the watch.
func (q question) stream() string {
	v := q.query()
	v.Set("watch", "1")
	v.Set("sendInitialEvents", "true")
	v.Set("resourceVersionMatch", "NotOlderThan")
	v.Set("allowWatchBookmarks", "true")
	v.Set("timeoutSeconds", strconv.Itoa(streamSeconds))
	return q.collection.String() + "?" + v.Encode()
}

// name is the question in one canonical reading: equal for equal questions.
func (q question) name() string { return q.collection.String() + "?" + q.query().Encode() }

func (q question) query() url.Values {
	v := url.Values{}
	for name, values := range q.selectors {
		v[name] = values
	}
	return v
}
