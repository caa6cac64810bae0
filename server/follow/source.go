package follow

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// Source is the followed collection, with the session and the format. It also has the state that the sink already has.
type Source struct {
	Session, Cluster string
	Question         Question
	Accept           string
	Limit            int             // objects in a chunk
	Renews           bool            // the sink wants lists while a watch isn't answered
	Over             <-chan struct{} // closed when the cluster has another login; nil: never
}

// Question is a collection, or the part of one that selectors choose.
type Question struct {
	Collection apipath.Path
	Selectors  url.Values // labelSelector and fieldSelector
	Whole      bool       // each row of a Table has the whole object
}

// streamSeconds bounds a watch that begins with the whole state, in case the program doesn't end it.
const streamSeconds = 1800

// List is the request for a chunk: the first one, or the one with this continue token.
func (q Question) List(limit int, token string) string {
	v := q.query()
	v.Set("limit", strconv.Itoa(limit))
	if token != "" {
		v.Set("continue", token)
	}
	return q.addressWithQuery(v)
}

// Watch is the request for the changes after a version.
func (q Question) Watch(version string, seconds int) string {
	v := q.query()
	v.Set("watch", "1")
	v.Set("allowWatchBookmarks", "true")
	v.Set("resourceVersion", version)
	v.Set("timeoutSeconds", strconv.Itoa(seconds))
	return q.addressWithQuery(v)
}

// Stream is the request for the whole state and the changes after it. Nobody knows in advance how long the state will take, so the
// client ends the watch.
func (q Question) Stream() string {
	v := q.query()
	v.Set("watch", "1")
	v.Set("sendInitialEvents", "true")
	v.Set("resourceVersionMatch", "NotOlderThan")
	v.Set("allowWatchBookmarks", "true")
	v.Set("timeoutSeconds", strconv.Itoa(streamSeconds))
	return q.addressWithQuery(v)
}

// Name is the same for equal questions.
func (q Question) Name() string { return q.addressWithQuery(q.query()) }

func (q Question) addressWithQuery(v url.Values) string {
	return q.Collection.String() + "?" + v.Encode()
}

func (q Question) query() url.Values {
	v := url.Values{}
	for name, values := range q.Selectors {
		v[name] = values
	}
	if q.Whole {
		v.Set("includeObject", "Object")
	}
	return v
}

// IsOver tells whether the cluster has another login now.
func (s Source) IsOver() bool {
	select {
	case <-s.Over:
		return true
	default:
		return false
	}
}

// errOver is the error of a request after the login has ended.
var errOver = errors.New("the credentials or the address in the kubeconfig changed")

// Client makes requests to the current cluster, on behalf of the session, unless its login has ended.
func (r *Reflector) Client(ctx context.Context) (*api.Client, error) {
	return r.group.Client(ctx, r.now(), r.group.Origin)
}

// Client makes requests for a source as its Reflector does. The wire log shows them with this origin.
func (g *Group) Client(ctx context.Context, s Source, origin wiretap.Origin) (*api.Client, error) {
	target, err := g.Resolve(identity.WithSession(ctx, s.Session), s.Cluster)
	if err != nil {
		return nil, err
	}
	if s.IsOver() {
		return nil, errOver
	}
	who := wiretap.Who{Session: s.Session, Cluster: s.Cluster, Origin: origin}
	return api.New(upstream.Target{Base: target.Base, Transport: g.Tap.Transport(target.Transport, who)}), nil
}
