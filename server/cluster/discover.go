package cluster

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/upstream"
)

const (
	// catalogLife is how long a catalog is valid. If a type is missing in it, discovery is requested again sooner.
	catalogLife = 10 * time.Second
	// catalogFresh is how old a catalog may be if a type is missing in it. It bounds how often requests for types that don't exist
	// cause discovery.
	catalogFresh = time.Second
	// catalogLimit bounds the time of all discovery requests.
	catalogLimit = 15 * time.Second
	// legacyAtOnce is how many group versions are asked for at the same time.
	legacyAtOnce = 8
	// maxCatalog bounds one discovery answer.
	maxCatalog = 16 << 20

	acceptAggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
		"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"
)

// Catalog is the list of types that the cluster serves. It is requested at most every few seconds. client may be nil; otherwise it
// records the requests. Errors are *Problem, those of api.Client.Do, or ctx's.
func (c *Cluster) Catalog(ctx context.Context, client *api.Client) (discovery.Catalog, error) {
	got, err := c.catalog.get(ctx, recipe[*discovery.Catalog]{
		now: c.settings.now, life: catalogLife, limit: catalogLimit,
		make: func(ctx context.Context) (*discovery.Catalog, error) {
			client, err := c.client(client)
			if err != nil {
				return nil, err
			}
			return discover(ctx, client, c.shelf())
		},
	})
	if err != nil {
		return discovery.Catalog{}, err
	}
	return *got, nil
}

// Fresh is a Catalog that is at most a second old.
func (c *Cluster) Fresh(ctx context.Context, client *api.Client) (discovery.Catalog, error) {
	c.catalog.forgetOlder(c.settings.now().Add(-catalogFresh))
	return c.Catalog(ctx, client)
}

// Type finds a type. If the type isn't in the catalog, and the catalog is more than a second old, it asks the server again: the type
// may be new. An empty version means the preferred one. found is false when the server has no such type.
func (c *Cluster) Type(ctx context.Context, client *api.Client, group, version, resource string) (t discovery.Type, found bool, err error) {
	for {
		catalog, err := c.Catalog(ctx, client)
		if err != nil {
			return discovery.Type{}, false, err
		}
		if t, found := catalog.Type(group, version, resource); found {
			return t, true, nil
		}
		if !c.catalog.forgetOlder(c.settings.now().Add(-catalogFresh)) {
			return discovery.Type{}, false, nil
		}
	}
}

// Discover reads which types a server serves: by aggregated discovery if the server has it, otherwise group version by group version.
// Parts that can't be read are listed in the catalog's Failures. An error means that nothing could be read.
func Discover(ctx context.Context, client *api.Client) (discovery.Catalog, error) {
	catalog, err := discover(ctx, client, nil)
	if err != nil {
		return discovery.Catalog{}, err
	}
	return *catalog, nil
}

// discover is Discover. People whose responses are the same share the catalog of the shelf.
func discover(ctx context.Context, client *api.Client, shared *shelf) (*discovery.Catalog, error) {
	core := &root{path: discovery.CoreRoot, name: "the core group (/api)", parse: discovery.ParseVersions}
	named := &root{path: discovery.NamedRoot, name: "the named groups (/apis)", parse: discovery.ParseGroupList}
	var both rescue.Group
	both.Go(func() { core.fetch(ctx, client) })
	both.Go(func() { named.fetch(ctx, client) })
	both.Wait()
	if !core.aggregated || !named.aggregated {
		shared = nil // further requests complete the catalog
	}
	return shelved(shared, digestOf("catalog", core.body, named.body), func() (discovery.Catalog, error) {
		var of, other discovery.Catalog
		both.Go(func() { of = core.readCatalog(ctx, client) })
		both.Go(func() { other = named.readCatalog(ctx, client) })
		both.Wait()
		return joined(of, other, core, named)
	})
}

// joined is the catalog of both roots. An error means that neither could be read.
func joined(of, other discovery.Catalog, core, named *root) (discovery.Catalog, error) {
	if core.err != nil && named.err != nil {
		return discovery.Catalog{}, cmpErr(core.err, named.err)
	}
	all := discovery.Join(of, other)
	for _, r := range []*root{core, named} {
		if r.err != nil {
			all.Failures = append(all.Failures, discovery.Failure{Group: r.name, Root: r.path, How: how(r.err), Why: r.err.Error()})
		}
	}
	return all, nil
}

// how is the way in which discovery failed.
func how(err error) discovery.How {
	away, is := errors.AsType[*upstream.Unreachable](err)
	return discovery.HowOf(api.Code(err), is && away.Cause == upstream.Timeout || errors.Is(err, context.DeadlineExceeded))
}

// cmpErr is the more important of two errors: a refusal comes before an error that may be temporary.
func cmpErr(a, b error) error {
	if a != nil && b != nil && api.Code(a) == 0 {
		return b
	}
	return errors.Join(a, b)
}

// root is one of the two paths below which the API groups are.
type root struct {
	path, name string
	parse      func([]byte) (discovery.Catalog, error) // if the response isn't aggregated discovery

	body       []byte
	aggregated bool
	err        error
}

func (r *root) fetch(ctx context.Context, client *api.Client) {
	answer, err := client.Do(ctx, api.Request{Path: r.path, Accept: acceptAggregated, MaxBytes: maxCatalog, Gzip: true})
	if r.err = err; err != nil {
		return
	}
	_, params, err := mime.ParseMediaType(answer.MediaType)
	r.body, r.aggregated = answer.Body, err == nil && params["as"] == "APIGroupDiscoveryList"
}

// readCatalog is the catalog of the response; r.err says why there is none. Without aggregated discovery, it makes further requests.
func (r *root) readCatalog(ctx context.Context, client *api.Client) (catalog discovery.Catalog) {
	switch {
	case r.err != nil:
	case r.aggregated:
		catalog, r.err = discovery.ParseAggregated(r.body)
	default:
		if catalog, r.err = r.parse(r.body); r.err == nil {
			return fillLegacy(ctx, client, r.path, catalog)
		}
	}
	return catalog
}

// fillLegacy asks for each version's types.
func fillLegacy(ctx context.Context, client *api.Client, root string, catalog discovery.Catalog) discovery.Catalog {
	type found struct {
		group, version string
		types          []discovery.Type
		err            error
	}
	var asked []*found
	for _, g := range catalog.Groups {
		for _, v := range g.Versions {
			asked = append(asked, &found{group: g.Name, version: v.Name})
		}
	}
	each(slices.Values(asked), legacyAtOnce, func(f *found) {
		answer, err := client.Do(ctx, api.Request{Path: legacyPath(root, f.group, f.version), MaxBytes: maxCatalog, Gzip: true})
		if err == nil {
			_, _, f.types, err = discovery.ParseResourceList(answer.Body)
		}
		f.err = err
	})
	for _, f := range asked {
		if f.err != nil {
			catalog.Failures = append(catalog.Failures, discovery.Failure{Group: f.group, Version: f.version, How: how(f.err), Why: oneLine(f.err)})
			continue
		}
		catalog = catalog.With(f.group, f.version, f.types)
	}
	return catalog
}

func legacyPath(root, group, version string) string {
	if group == "" {
		return fmt.Sprintf("%s/%s", root, version)
	}
	return fmt.Sprintf("%s/%s/%s", root, group, version)
}
