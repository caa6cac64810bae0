package ask

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
)

// mostNames is how many names of objects are offered while a command line is completed.
const mostNames = 500

// Complete offers what may stand where a command line is being written: types of the cluster, and the names of their objects behind a
// slash or as the second argument. Nothing is offered where the cluster can't be asked.
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

// Beginning are those words that begin with a text.
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

// Contexts are those of the kubeconfig.
func (c *Cluster) Contexts(context.Context) []string {
	config, err := c.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(config.Contexts))
}

// types are the resources that can be read, by the name that kubectl takes: with the group where there are two of a name.
func (c *Cluster) types() []string {
	discovery, err := c.flags.ToDiscoveryClient()
	if err != nil {
		return nil
	}
	lists, _ := discovery.ServerPreferredResources() // what a group that can't be asked has is left out
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
	namespace, err := c.Namespace()
	if err != nil {
		return nil
	}
	var all []string
	// What couldn't be read isn't offered.
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
