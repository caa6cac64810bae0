package read

import (
	"context"
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
	"github.com/fieldmark/fieldmark/server/pages/owned"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/read/object/related"
)

// Bounds of what is read of objects that are connected by something else than ownership.
const (
	connectedLimit = 250     // objects of each type
	connectedBytes = 8 << 20 // of each list
)

// connected are the objects that an object refers to, those that refer to it, the pods of a node and the endpoints of a Service.
func (v making) connected(ctx context.Context, o object.Object, t discovery.Type, catalog discovery.Catalog) []related.Group {
	root := manifest.Tree(o.WithoutManagedFields().Fields)
	var special, to, from *related.Group
	var wg rescue.Group
	switch {
	case t.Group == "" && t.Resource == "nodes":
		wg.Go(func() { special = v.podsOn(ctx, v.Path.Name, catalog) })
	case t.Group == "" && t.Resource == "services":
		wg.Go(func() { special = v.endpoints(ctx, catalog) })
	}
	wg.Go(func() { to = v.refersTo(root, catalog) })
	wg.Go(func() { from = v.referredBy(ctx, root, t, catalog) })
	wg.Wait()
	var groups []related.Group
	for _, g := range []*related.Group{special, to, from} {
		if g != nil {
			groups = append(groups, *g)
		}
	}
	return groups
}

// listed is the type of a resource in the version that the server prefers, if it can be listed.
func listed(catalog discovery.Catalog, group, resource string) (discovery.Type, bool) {
	for _, t := range catalog.Versions(group, resource) {
		return t, t.Can("list")
	}
	return discovery.Type{}, false
}

// podsOn are the pods of a node.
func (v making) podsOn(ctx context.Context, node string, catalog discovery.Catalog) *related.Group {
	g := &related.Group{ID: "pods", Title: "Pods on this node", None: "The server lists no pod with this node."}
	t, ok := listed(catalog, "", "pods")
	if !ok {
		return nil
	}
	query := url.Values{"fieldSelector": {"spec.nodeName=" + node}}
	path := apipath.Collection("", t.Version, "", "pods")
	g.All = web.WithQuery(web.Page(v.Cluster().Slug(), path.String()), query)
	query.Set("limit", strconv.Itoa(connectedLimit))
	answer, err := v.Client().Do(ctx, api.Request{Path: visit.WithQuery(path, query), Accept: visit.AsTable, MaxBytes: connectedBytes})
	if err != nil {
		g.None, g.Notes = "", []string{unread(t, err)}
		return g
	}
	pods, token, err := owned.Read(answer.Body, t, true)
	if err != nil {
		g.None, g.Notes = "", []string{unread(t, err)}
		return g
	}
	for _, d := range pods {
		g.Refs = append(g.Refs, d.Ref(v.Cluster().Slug(), "", 0))
	}
	slices.SortStableFunc(g.Refs, dependents.Compare)
	if token != "" {
		g.Notes = append(g.Notes, fmt.Sprintf("Fieldmark read the first %d pods of this node. The server has more.", connectedLimit))
	}
	return g
}

// unread says why objects of a type couldn't be read.
func unread(t discovery.Type, err error) string {
	_, notice := visit.Explain(err)
	return fmt.Sprintf("Fieldmark couldn’t list %s: %s.", t.FullName(), notice.Title)
}

// endpoints are the addresses of a Service, from its EndpointSlices.
func (v making) endpoints(ctx context.Context, catalog discovery.Catalog) *related.Group {
	g := &related.Group{ID: "endpoints", Title: "Endpoints", Hint: "from the Service’s EndpointSlices", None: "This Service has no endpoints. No pod that it selects has an address, or it selects no pods."}
	t, ok := listed(catalog, "discovery.k8s.io", "endpointslices")
	if !ok {
		return nil
	}
	query := url.Values{"labelSelector": {reference.ServiceLabel + "=" + v.Path.Name}}
	path := apipath.Collection(t.Group, t.Version, v.Path.Namespace, t.Resource)
	g.All = web.WithQuery(web.Page(v.Cluster().Slug(), path.String()), query)
	query.Set("limit", strconv.Itoa(connectedLimit))
	answer, err := v.Client().Do(ctx, api.Request{Path: visit.WithQuery(path, query), Accept: accept.JSON, MaxBytes: connectedBytes})
	if err != nil {
		g.None, g.Notes = "", []string{unread(t, err)}
		return g
	}
	found, more, err := reference.Endpoints(answer.Body)
	if err != nil {
		g.None, g.Notes = "", []string{unread(t, err)}
		return g
	}
	for _, e := range found {
		one := related.Endpoint{Endpoint: e}
		if e.Path.IsResource() {
			one.Href = web.Page(v.Cluster().Slug(), e.Path.String())
		}
		if e.Node != "" && apipath.Unfit(e.Node) == "" {
			one.NodeHref = web.Page(v.Cluster().Slug(), apipath.Object("", "v1", "", "nodes", e.Node).String())
		}
		g.Endpoints = append(g.Endpoints, one)
	}
	if more {
		g.Notes = append(g.Notes, fmt.Sprintf("Fieldmark read the first %d EndpointSlices. The server has more.", connectedLimit))
	}
	return g
}

// refersTo are the objects that an object refers to, by their names only. Owners are left out.
func (v making) refersTo(root *manifest.Node, catalog discovery.Catalog) *related.Group {
	g := &related.Group{ID: "refers-to", Title: "Refers to", Hint: "by name or selector; the objects may not exist", None: "Fieldmark found no reference in this object’s fields."}
	seen := map[string]bool{}
	o := object.Object{Fields: asMap(root.Value)}
	for n, to := range reference.Find(root, referred(o, catalog)) {
		href := web.WithQuery(web.Page(v.Cluster().Slug(), to.Path.String()), url.Values{"labelSelector": {to.Selector}})
		owner := n.Parent != nil && n.Parent.Parent != nil && n.Parent.Parent.Key == "ownerReferences"
		if seen[href] || owner || to.Path == v.Path {
			continue
		}
		seen[href] = true
		ref := dependents.Ref{Kind: to.Path.Resource, Namespace: to.Path.Namespace, Name: to.Path.Name, Href: href}
		if t, ok := catalog.Type(to.Path.Group, to.Path.Version, to.Path.Resource); ok {
			ref.Kind, ref.APIVersion = t.Kind, t.GroupVersion()
		}
		if to.Selector != "" {
			ref.Kind, ref.Name = "Pods", to.Selector
		}
		g.Refs = append(g.Refs, ref)
	}
	slices.SortFunc(g.Refs, dependents.Compare)
	return g
}

func asMap(value any) map[string]any {
	fields, _ := value.(map[string]any)
	return fields
}
