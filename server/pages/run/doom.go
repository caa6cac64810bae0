package run

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/pages/owned"
	"github.com/fieldmark/fieldmark/server/pages/visit"
	"github.com/fieldmark/fieldmark/web"
	deletion "github.com/fieldmark/fieldmark/web/run/delete"
)

// mostVolumes is how many volumes of the cluster are read to find those of a namespace.
const mostVolumes = "2000"

// doom finds what the deletion of an object deletes because of its type; nil if that is nothing else.
func (v making) doom(a visit.About, catalog discovery.Catalog) *deletion.Doom {
	if a.Type.Group == "" && a.Type.Resource == "namespaces" { // a type that is some seconds old has objects, too
		if fresh, err := v.Cluster().Fresh(v.Context(), v.Client()); err == nil {
			catalog = fresh
		}
	}
	types, namespace := doomedTypes(a, catalog)
	if types == nil {
		return nil
	}
	s := owned.Search(v.Visit, types, namespace)
	unread := owned.Unlisted(catalog, func(discovery.Failure) bool { return namespace != "" })
	d := &deletion.Doom{Search: s.Summary(types, namespace, unread)}
	d.Search.At = v.Now()
	for _, t := range types {
		if n := s.Objects(t); n > 0 {
			d.Types = append(d.Types, deletion.DoomedType{
				Name: t.FullName(), Objects: n, Href: web.Page(v.Cluster().Slug(), apipath.Collection(t.Group, t.Version, namespace, t.Resource).String()),
			})
		}
	}
	slices.SortStableFunc(d.Types, func(a, b deletion.DoomedType) int { return cmp.Or(b.Objects-a.Objects, cmp.Compare(a.Name, b.Name)) })
	held := s.Held()
	for _, name := range slices.Sorted(maps.Keys(held)) {
		first := held[name].First
		slices.SortFunc(first, func(a, b apipath.Path) int { return cmp.Compare(a.String(), b.String()) })
		d.Finalizers = append(d.Finalizers, deletion.HeldBy{Name: name, Objects: held[name].Objects, First: first})
	}
	if namespace != "" && s.Objects(discovery.Type{Resource: "persistentvolumeclaims"}) > 0 {
		v.doomedVolumes(d, namespace)
	}
	return d
}

// doomedTypes are the types whose objects a deletion deletes, and in which namespace; nil if the object's type has no such effect.
func doomedTypes(a visit.About, catalog discovery.Catalog) (types []discovery.Type, namespace string) {
	types = []discovery.Type{} // that nothing is served is an answer, too
	switch {
	case a.Type.Group == "" && a.Type.Resource == "namespaces":
		for _, t := range catalog.Listable() {
			if t.Namespaced && dies(t) {
				types = append(types, t)
			}
		}
		return types, a.Path.Name
	case a.Type.Group == "apiextensions.k8s.io" && a.Type.Resource == "customresourcedefinitions":
		spec, _ := a.Object.Fields["spec"].(map[string]any)
		if t := definedType(spec); t.Version != "" {
			types = append(types, t)
		}
		return types, ""
	}
	return nil, ""
}

// dies tells whether the objects of a type are deleted with their namespace. kube-controller-manager deletes those that can be deleted, which the
// readings of metrics.k8s.io can't. Each Event is served by two groups, and counts once.
func dies(t discovery.Type) bool {
	return t.Can("delete") && (t.Resource != "events" || t.Group == "")
}

// definedType is the type that a CustomResourceDefinition defines, in a version that is served; without a version if none is. The catalog can be older than the
// definition, and doesn't have its type then.
func definedType(spec map[string]any) discovery.Type {
	names, _ := spec["names"].(map[string]any)
	t := discovery.Type{Namespaced: spec["scope"] == "Namespaced", Verbs: []string{"list"}}
	t.Group, _ = spec["group"].(string)
	t.Resource, _ = names["plural"].(string)
	t.Kind, _ = names["kind"].(string)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if version["served"] == true && (t.Version == "" || version["storage"] == true) {
			t.Version, _ = version["name"].(string)
		}
	}
	return t
}

// doomedVolumes finds the volumes that are bound to claims in a namespace.
func (v making) doomedVolumes(d *deletion.Doom, namespace string) {
	path := visit.WithQuery(apipath.Collection("", "v1", "", "persistentvolumes"), url.Values{"limit": {mostVolumes}})
	answer, err := v.Client().Do(v.Context(), api.Request{Path: path, Accept: "application/json"})
	var list struct {
		Metadata struct {
			Continue string `json:"continue"`
		} `json:"metadata"`
		Items []struct {
			Metadata struct {
				Name string `json:"name"`
			} `json:"metadata"`
			Spec struct {
				Capacity map[string]string `json:"capacity"`
				Policy   string            `json:"persistentVolumeReclaimPolicy"`
				Claim    struct {
					Namespace string `json:"namespace"`
					Name      string `json:"name"`
				} `json:"claimRef"`
			} `json:"spec"`
		} `json:"items"`
	}
	if err == nil {
		err = json.Unmarshal(answer.Body, &list)
	}
	if err != nil {
		_, notice := visit.Explain(err)
		d.NoVolumes = "Fieldmark can’t list them. " + notice.Title
		return
	}
	for _, volume := range list.Items {
		if volume.Spec.Claim.Namespace == namespace {
			d.Volumes = append(d.Volumes, deletion.Volume{
				Name: volume.Metadata.Name, Claim: volume.Spec.Claim.Name, Policy: volume.Spec.Policy, Size: volume.Spec.Capacity["storage"],
			})
		}
	}
	if list.Metadata.Continue != "" {
		d.NoVolumes = "The cluster has more than " + mostVolumes + ". Fieldmark read only the first."
	}
}
