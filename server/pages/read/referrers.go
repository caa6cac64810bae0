package read

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strconv"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/components/dependents"
	"github.com/fieldmark/fieldmark/kube/accept"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/reference"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/read/object/related"
)

// referredBy are the objects that refer to an object, or that select its pods. The API has no request for that, so Fieldmark reads the types
// whose objects usually do.
func (v making) referredBy(ctx context.Context, root *manifest.Node, t discovery.Type, catalog discovery.Catalog) *related.Group {
	_, scaled := t.Subresource("scale")
	var types []discovery.Type
	for _, r := range reference.Referrers(reference.GroupResource{Group: t.Group, Resource: t.Resource}, scaled) {
		if found, ok := listed(catalog, r.Group, r.Resource); ok {
			types = append(types, found)
		}
	}
	if len(types) == 0 {
		return nil
	}
	kind := reference.Kind{APIVersion: t.GroupVersion(), Kind: t.Kind, Resource: t.Resource, Namespaced: t.Namespaced}
	refs, notes := make([][]dependents.Ref, len(types)), make([]string, len(types))
	var wg rescue.Group
	for i, from := range types {
		wg.Go(func() {
			refs[i], notes[i] = v.referrers(ctx, from, func(n *manifest.Node) bool {
				return reference.Refers(n, v.Path, kind, reference.PodLabels(root))
			})
		})
	}
	wg.Wait()
	g := &related.Group{
		ID: "referred-by", Title: "Referred to by", Hint: "objects that name this object, or select its pods",
		None: "Fieldmark found no such object.", Refs: slices.Concat(refs...),
		Notes: slices.DeleteFunc(notes, func(note string) bool { return note == "" }),
	}
	for _, from := range types {
		g.Searched = append(g.Searched, from.FullName())
	}
	return g
}

// referrers are the objects of a type that refer to the visit's object. The note says what couldn't be read; empty: all was read.
func (v making) referrers(ctx context.Context, t discovery.Type, refers func(*manifest.Node) bool) (refs []dependents.Ref, note string) {
	namespace := v.Path.Namespace
	if !t.Namespaced {
		namespace = ""
	}
	path := visit.WithQuery(apipath.Collection(t.Group, t.Version, namespace, t.Resource), url.Values{"limit": {strconv.Itoa(connectedLimit)}})
	answer, err := v.Client().Do(ctx, api.Request{Path: path, Accept: accept.JSON, MaxBytes: connectedBytes})
	if err != nil {
		return nil, unread(t, err)
	}
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []object.Object `json:"items"`
	}
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, unread(t, fmt.Errorf("reading the list of %s: %w", t.FullName(), err))
	}
	for _, o := range list.Items {
		if o.Fields == nil {
			continue
		}
		o.Fields["apiVersion"], o.Fields["kind"] = t.GroupVersion(), t.Kind // items of a list have neither
		if !refers(manifest.Tree(o.WithoutManagedFields().Fields)) {
			continue
		}
		refs = append(refs, dependents.Ref{
			Kind: t.Kind, APIVersion: t.GroupVersion(), Namespace: o.Meta("namespace"), Name: o.Meta("name"), Created: o.Created(),
			Href: web.Page(v.Cluster().Slug(), apipath.Object(t.Group, t.Version, o.Meta("namespace"), t.Resource, o.Meta("name")).String()),
		})
	}
	slices.SortStableFunc(refs, dependents.Compare)
	if list.Metadata.Continue != "" {
		note = fmt.Sprintf("Fieldmark searched only the first %d %s.", connectedLimit, t.FullName())
	}
	return refs, note
}
