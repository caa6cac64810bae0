package visit

import (
	"context"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/cluster"
	"github.com/fieldmark/fieldmark/web/read/overview"
)

// Counts counts the objects of the types that the page lists.
func (v *Visit) Counts(catalog discovery.Catalog) map[string]overview.Count {
	counted, err := v.counted(catalog)
	if err != nil {
		return nil
	}
	counts := make(map[string]overview.Count, len(counted))
	for key, c := range counted {
		counts[overview.CountKey(key.Group, key.Resource)] = overview.Count{Known: c.Known, N: c.Objects, AtLeast: c.AtLeast, Why: c.Why}
	}
	return counts
}

// countTime bounds the counting for a page that lists a part of the types.
const countTime = 1500 * time.Millisecond

// counted counts every type for the cluster's own page, and for the page of a group the group's only.
func (v *Visit) counted(catalog discovery.Catalog) (cluster.Counts, error) {
	g, ok := catalog.Group(v.Path.Group)
	if v.Path.Kind != apipath.KindDiscovery || !ok {
		return v.cluster.Counts(v.Context(), v.client, catalog)
	}
	ctx, cancel := context.WithTimeout(v.Context(), countTime)
	defer cancel()
	return cluster.CountAll(ctx, v.client, discovery.Catalog{Groups: []discovery.Group{g}}), nil
}
