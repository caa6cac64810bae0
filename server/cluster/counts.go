package cluster

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/words"
)

const (
	// countsLife is how long counts are valid.
	countsLife = 10 * time.Second
	// countsLimit bounds the counting of a whole cluster; types that are not counted by then have no number.
	countsLimit = 1500 * time.Millisecond
	// countsAtOnce is how many types are counted at the same time.
	countsAtOnce = 8

	acceptMetadata = accept.MetadataList + accept.OrJSON
)

// TypeKey names a type without its version, as counts are the same in every version.
type TypeKey struct{ Group, Resource string }

// KeyOf is a type's key.
func KeyOf(t discovery.Type) TypeKey { return TypeKey{Group: t.Group, Resource: t.Resource} }

// Counts are the numbers of objects of each listable type.
type Counts map[TypeKey]Count

// Count is how many objects there are of one type, in all namespaces.
type Count struct {
	// Objects is the number. It is valid if Known is true.
	Objects int64 `json:"objects"`
	Known   bool  `json:"known"`
	// AtLeast is true when the server has more than Objects and does not say how many.
	AtLeast bool `json:"atLeast,omitempty"`
	// Forbidden is true when the user may not list the type in all namespaces.
	Forbidden bool `json:"forbidden,omitempty"`
	// Why says in a sentence why the number is not known.
	Why string `json:"why,omitempty"`
}

// Counts counts the objects of every listable type of the catalog, or returns the counts of a few seconds ago. It takes 1.5 s at most.
// Types that take longer say so. client may be nil. Errors are *Problem or ctx's.
func (c *Cluster) Counts(ctx context.Context, client *api.Client, catalog discovery.Catalog) (Counts, error) {
	return c.counts.get(ctx, recipe[Counts]{
		now: c.settings.now, life: countsLife, limit: countsLimit,
		make: func(ctx context.Context) (Counts, error) {
			client, err := c.client(client)
			if err != nil {
				return nil, err
			}
			return CountAll(ctx, client, catalog), nil
		},
	})
}

// CountAll counts every listable type of the catalog once. It ends with ctx.
func CountAll(ctx context.Context, client *api.Client, catalog discovery.Catalog) Counts {
	types := catalog.Listable()
	counted := make([]Count, len(types))
	each(slices.Values(indices(types)), countsAtOnce, func(i int) {
		counted[i] = countType(ctx, client, types[i])
	})
	all := make(Counts, len(types))
	for i, t := range types {
		all[KeyOf(t)] = counted[i]
	}
	return all
}

func indices[T any](items []T) []int {
	all := make([]int, len(items))
	for i := range all {
		all[i] = i
	}
	return all
}

// countType lists the metadata of one object. The server's remainingItemCount gives the number of the others.
func countType(ctx context.Context, client *api.Client, t discovery.Type) Count {
	if ctx.Err() != nil {
		return Count{Why: words.OutOfTime}
	}
	path := legacyPath("/apis", t.Group, t.Version)
	if t.Group == "" {
		path = legacyPath("/api", "", t.Version)
	}
	answer, err := client.Do(ctx, api.Request{Path: path + "/" + t.Resource + "?limit=1", Accept: acceptMetadata})
	if err != nil {
		return Count{Forbidden: api.Code(err) == http.StatusForbidden, Why: oneLine(err)}
	}
	var list struct {
		Metadata struct {
			Continue  string `json:"continue"`
			Remaining *int64 `json:"remainingItemCount"`
		} `json:"metadata"`
		Items []struct{} `json:"items"`
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return Count{Why: "the response is not a list"}
	}
	count := Count{Objects: int64(len(list.Items)), Known: true}
	if list.Metadata.Remaining != nil {
		count.Objects += *list.Metadata.Remaining
	} else {
		count.AtLeast = list.Metadata.Continue != ""
	}
	return count
}
