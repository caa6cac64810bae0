package ask

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
)

// mostNames is how many names of objects completion offers.
const mostNames = 500

// Complete completes an argument: it offers types of the cluster, and names of their objects after a slash or as the second argument. It offers
// nothing if the cluster can't be reached.
func (c *Cluster) Complete(ctx context.Context, w Which, args []string, begun string) []string {
	if w.FromFiles() || c.reachable() != nil {
		return nil
	}
	kind, name, slash := strings.Cut(begun, "/")
	switch {
	case len(args) == 0 && !slash:
		return Beginning(c.types(), begun)
	case slash:
		var all []string
		for _, n := range Beginning(c.names(ctx, w, kind), name) {
			all = append(all, kind+"/"+n)
		}
		return all
	case len(args) > 0 && !strings.Contains(args[0], "/"):
		return Beginning(c.names(ctx, w, args[0]), begun)
	}
	return nil
}

// Beginning keeps the words that begin with a text. It changes the slice.
func Beginning(all []string, with string) []string {
	return slices.DeleteFunc(all, func(one string) bool { return !strings.HasPrefix(one, with) })
}

// Namespaces are the names of the cluster's namespaces.
func (c *Cluster) Namespaces(ctx context.Context) []string {
	if c.reachable() != nil {
		return nil
	}
	return c.names(ctx, Which{}, "namespaces")
}

// Contexts are the names of the kubeconfig's contexts.
func (c *Cluster) Contexts(context.Context) []string {
	config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(config.Contexts))
}

// types are the names of the types that can be read, as kubectl takes them. If two have the same name, the second has its group as well.
func (c *Cluster) types() []string {
	discovery, err := c.flags.ToDiscoveryClient()
	if err != nil {
		return nil
	}
	lists, _ := discovery.ServerPreferredResources() // types of groups that can't be read are left out
	var all []string
	for _, list := range lists {
		of, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for i := range list.APIResources {
			r := &list.APIResources[i]
			switch {
			case !slices.Contains(r.Verbs, "get"):
			case slices.Contains(all, r.Name):
				all = append(all, r.Name+"."+of.Group)
			default:
				all = append(all, r.Name)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (c *Cluster) names(ctx context.Context, w Which, kind string) []string {
	namespace, _, err := c.Namespace()
	if err != nil {
		return nil
	}
	var all []string
	// Names that can't be read aren't offered.
	_ = resource.NewBuilder(c.flags).Unstructured().NamespaceParam(namespace).DefaultNamespace().AllNamespaces(w.AllNamespaces).
		ResourceTypeOrNameArgs(true, kind).RequestChunksOf(mostNames).ContinueOnError().Flatten().Do().
		Visit(func(i *resource.Info, err error) error {
			if err == nil && len(all) < mostNames {
				all = append(all, i.Name)
			}
			return ctx.Err()
		})
	return all
}
