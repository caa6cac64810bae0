package assistants

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/fieldmark/fieldmark/cli/mcp/gate"
	"github.com/fieldmark/fieldmark/cli/mcp/tools"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// usualNamespace is the namespace of calls that name none.
const usualNamespace = "default"

// clusters are those of a session.
type clusters struct {
	Options
	session string
}

// all are the session's clusters.
func (c clusters) all(ctx context.Context) []*cluster.Cluster {
	return c.Clusters.For(identity.WithSession(ctx, c.session)).List()
}

// List implements tools.Clusters.
func (c clusters) List(ctx context.Context) ([]tools.Named, error) {
	all := []tools.Named{}
	for i, one := range c.all(ctx) {
		all = append(all, tools.Named{Name: one.Slug(), Usual: i == 0})
	}
	return all, nil
}

// Open implements tools.Clusters. A name is the part of the addresses of the cluster's pages. Without a name, it is the first cluster.
func (c clusters) Open(ctx context.Context, name string) (tools.Cluster, error) {
	for _, one := range c.all(ctx) {
		if name != "" && one.Slug() != name {
			continue
		}
		target, err := one.Target()
		if problem, is := errors.AsType[*cluster.Problem](err); is {
			return nil, fmt.Errorf("%s %s", problem.Text, problem.Advice)
		}
		if err != nil {
			return nil, err
		}
		recorded := c.Tap.Transport(target.Transport, wiretap.Who{Session: c.session, Cluster: one.Slug(), Origin: wiretap.Client})
		return opened{one, api.New(upstream.Target{Base: target.Base, Transport: gate.New(target.Base, recorded)})}, nil
	}
	return nil, errors.New("there is no cluster of this name")
}

// Changes implements tools.Recorder.
func (c clusters) Changes(ctx context.Context, name string, path apipath.Path) (steps []timeline.Step, ok bool) {
	if all := c.all(ctx); name == "" && len(all) > 0 {
		name = all[0].Slug()
	}
	ok = c.Watches.Recording(c.session, name, path.String(), func(r *timeline.Recording) {
		for _, v := range r.Versions() {
			steps = append(steps, v.Step)
		}
	})
	return steps, ok
}

// opened is a cluster whose requests pass the gate, and are recorded.
type opened struct {
	of     *cluster.Cluster
	client *api.Client
}

// Send implements tools.Cluster.
func (c opened) Send(ctx context.Context, a inquiry.Ask) ([]byte, *status.Status) {
	answer, err := c.client.Do(ctx, api.Request{Method: a.Method, Path: a.Target(), Accept: a.Accept, ContentType: a.ContentType, Body: a.Body})
	if err != nil {
		no := statusOf(err)
		return nil, &no
	}
	return answer.Body, nil
}

// statusOf is why there is no body. Without a response, it has no code.
func statusOf(err error) status.Status {
	no := api.StatusOf(err)
	if api.Code(err) == 0 {
		no.Code = 0
	}
	return no
}

// Ask implements tools.Cluster.
func (c opened) Ask(ctx context.Context, a check.Ask) (check.Response, error) {
	answer, err := c.client.Do(ctx, api.Request{Method: a.Method, Path: a.Target(), ContentType: a.ContentType, Body: a.Body})
	r := check.Response{Warnings: answer.Warnings}
	if err == nil {
		var o object.Object
		o, err = object.Parse(answer.Body)
		r.Object = o.Fields
		return r, err
	}
	if no := statusOf(err); no.Code != 0 {
		r.No = &no
		return r, nil
	}
	return r, errors.New(statusOf(err).Message)
}

// maxStream bounds a watch during a call, in bytes.
const maxStream = 256 << 20

// Stream implements tools.Cluster.
func (c opened) Stream(ctx context.Context, target string) (io.ReadCloser, *status.Status) {
	body, _, err := c.client.Stream(ctx, api.Request{Method: http.MethodGet, Path: target, MaxBytes: maxStream})
	if err != nil {
		no := statusOf(err)
		return nil, &no
	}
	return body, nil
}

// Catalog implements tools.Cluster.
func (c opened) Catalog(ctx context.Context, fresh bool) (discovery.Catalog, error) {
	if fresh {
		return c.of.Fresh(ctx, c.client)
	}
	return c.of.Catalog(ctx, c.client)
}

// Schema implements tools.Cluster.
func (c opened) Schema(ctx context.Context, of discovery.Type) *schema.Schema {
	document, err := c.of.Document(ctx, c.client, of.Group, of.Version)
	if err != nil {
		return nil
	}
	found, ok := document.Schema(schema.Kind{Group: of.Group, Version: of.Version, Kind: of.Kind})
	if !ok {
		return nil
	}
	return &found
}

// Namespace implements tools.Cluster.
func (c opened) Namespace() string { return usualNamespace }
