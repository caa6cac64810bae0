package mcp

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	kubeschema "k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/mcp/tools"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/inquiry"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// remembered is how long schemas and credentials of a context are kept. Types change while an assistant works.
const remembered = 5 * time.Minute

// clusters are the contexts of the kubeconfig.
type clusters struct {
	ctx  context.Context // ends with the verb
	root *ask.Cluster
	now  func() time.Time

	mu   sync.Mutex
	open map[string]*cluster
}

func newClusters(ctx context.Context, root *ask.Cluster, now func() time.Time) *clusters {
	return &clusters{ctx: ctx, root: root, now: now, open: map[string]*cluster{}}
}

// List implements tools.Clusters.
func (c *clusters) List(ctx context.Context) ([]tools.Named, error) {
	usual := c.root.Context()
	all := []tools.Named{}
	for _, name := range c.root.Contexts(ctx) {
		all = append(all, tools.Named{Name: name, Usual: name == usual})
	}
	if len(all) == 0 && !c.root.Configured() {
		return nil, fmt.Errorf("there is no kubeconfig; name one with --kubeconfig or $KUBECONFIG")
	}
	return all, nil
}

// Open implements tools.Clusters.
func (c *clusters) Open(ctx context.Context, name string) (tools.Cluster, error) {
	if name == "" {
		name = c.root.Context()
	} else if !slices.Contains(c.root.Contexts(ctx), name) {
		return nil, fmt.Errorf("the kubeconfig has no context %q", name)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.open[name]; known != nil && c.now().Sub(known.since) < remembered {
		return known, nil
	}
	one := c.root.In(c.ctx, name)
	requests, err := one.Requests()
	if err != nil {
		return nil, err
	}
	namespace, _, err := one.Namespace()
	if err != nil {
		return nil, err
	}
	c.open[name] = &cluster{of: one, requests: requests, namespace: namespace, since: c.now()}
	return c.open[name], nil
}

// cluster is one context.
type cluster struct {
	of        *ask.Cluster
	requests  *ask.Requests
	namespace string
	since     time.Time

	mu      sync.Mutex // discovery is asked once at a time
	catalog *discovery.Catalog
}

// Send implements tools.Cluster.
func (c *cluster) Send(ctx context.Context, a inquiry.Ask) ([]byte, *status.Status) {
	return c.requests.Send(ctx, a)
}

// Ask implements tools.Cluster.
func (c *cluster) Ask(ctx context.Context, a check.Ask) (check.Response, error) {
	return c.requests.Ask(ctx, a)
}

// Stream implements tools.Cluster.
func (c *cluster) Stream(ctx context.Context, target string) (io.ReadCloser, *status.Status) {
	return c.requests.Stream(ctx, target)
}

// Catalog implements tools.Cluster.
func (c *cluster) Catalog(_ context.Context, fresh bool) (discovery.Catalog, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !fresh && c.catalog != nil:
		return *c.catalog, nil
	case fresh:
		if err := c.of.Forget(); err != nil {
			return discovery.Catalog{}, err
		}
	}
	catalog, err := c.of.Catalog()
	if err != nil {
		return catalog, err
	}
	c.catalog = &catalog
	return catalog, nil
}

// Schema implements tools.Cluster.
func (c *cluster) Schema(_ context.Context, of discovery.Type) *schema.Schema {
	s, found, err := c.of.Schema(kubeschema.GroupVersionKind{Group: of.Group, Version: of.Version, Kind: of.Kind})
	if err != nil || !found {
		return nil // then defaults and atomic lists aren't known
	}
	return &s
}

// Namespace implements tools.Cluster.
func (c *cluster) Namespace() string { return c.namespace }
