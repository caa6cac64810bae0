package resourceversion

import (
	"net/url"
	"strconv"
)

// watchSeconds is how long a watch lasts.
const watchSeconds = 2

// Query is the query of a cell's request.
func (r Row) Query(c Column, v Values) url.Values {
	q := url.Values{}
	if version, given := v.In(c); given {
		q.Set("resourceVersion", version)
	}
	if r.Match != "" {
		q.Set("resourceVersionMatch", r.Match)
	}
	switch r.Paging {
	case Limited:
		q.Set("limit", strconv.Itoa(v.Limit))
	case Continue:
		q.Set("limit", strconv.Itoa(v.Limit))
		q.Set("continue", v.Token)
	}
	if r.Verb == Watch {
		q.Set("watch", "1")
		q.Set("timeoutSeconds", strconv.Itoa(watchSeconds))
		if r.Initial != NotSaid {
			q.Set("sendInitialEvents", string(r.Initial))
			q.Set("allowWatchBookmarks", "true")
		}
	}
	return q
}
