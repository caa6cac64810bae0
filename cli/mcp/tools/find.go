package tools

import (
	"context"
	"errors"

	"github.com/fieldmark/fieldmark/cli/rescue"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// target is an object, as a call names it.
type target struct {
	Cluster   string `json:"cluster"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// reference names an object in an answer.
type reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name"`
}

// place is an object that was found.
type place struct {
	cluster Cluster
	of      discovery.Type
	path    apipath.Path
	object  object.Object // with the values of Secrets
	schema  *schema.Schema
}

// open is the cluster that a call names.
func (d *desk) open(ctx context.Context, name string) (Cluster, error) {
	c, err := d.Clusters.Open(ctx, name)
	if err == nil {
		return c, nil
	}
	if _, ours := errors.AsType[failure](err); ours {
		return nil, err
	}
	return nil, failure{"This cluster can't be asked. The tool clusters lists those that there are.", err.Error()}
}

// openType is the cluster that a call names, and the type that a word means there.
func (d *desk) openType(ctx context.Context, name, word string) (c Cluster, of discovery.Type, err error) {
	if c, err = d.open(ctx, name); err == nil {
		of, err = typeOf(ctx, c, word)
	}
	return c, of, err
}

// typeOf is the type that a word means: a plural, a kind, a short name, with or without a group.
func typeOf(ctx context.Context, c Cluster, word string) (discovery.Type, error) {
	for _, fresh := range []bool{false, true} { // the type may be newer than what is remembered
		catalog, err := c.Catalog(ctx, fresh)
		if err != nil {
			return discovery.Type{}, failure{"The types of the cluster can't be read.", err.Error()}
		}
		if found := catalog.Find(word); len(found) > 0 {
			return found[0], nil
		}
	}
	return discovery.Type{}, sorry("The cluster serves no type of that name. Name it as kubectl does: pods, deploy, widgets.example.com.")
}

// pathTo is the path of the object that a call names.
func pathTo(c Cluster, of discovery.Type, t target) (apipath.Path, error) {
	namespace := t.Namespace
	switch {
	case !of.Namespaced:
		namespace = ""
	case namespace == "":
		namespace = c.Namespace()
	}
	if why := apipath.Unfit(t.Name); why != "" {
		return apipath.Path{}, sorry("The name can't be the name of an object.")
	}
	if why := apipath.UnfitNamespace(namespace); namespace != "" && why != "" {
		return apipath.Path{}, sorry("The namespace can't be the name of a namespace.")
	}
	return apipath.Object(of.Group, of.Version, namespace, of.Resource, t.Name), nil
}

// find is the type and the path of an object, without a request for it.
func (d *desk) find(ctx context.Context, t target) (p place, err error) {
	if p.cluster, err = d.open(ctx, t.Cluster); err != nil {
		return p, err
	}
	if p.of, err = typeOf(ctx, p.cluster, t.Resource); err != nil {
		return p, err
	}
	p.path, err = pathTo(p.cluster, p.of, t)
	return p, err
}

// read is an object with its schema, which are requested at the same time.
func (d *desk) read(ctx context.Context, t target) (place, error) {
	p, err := d.find(ctx, t)
	if err != nil {
		return p, err
	}
	var all rescue.Group
	all.Go(func() { p.schema = p.cluster.Schema(ctx, p.of) })
	body, err := get(ctx, p.cluster, p.path.String(), "application/json")
	all.Wait()
	if err != nil {
		return p, err
	}
	if p.object, err = object.Parse(body); err != nil {
		return p, failure{"The response of the API server can't be read.", err.Error()}
	}
	if p.path.OfSecrets() && !p.object.IsSecret() {
		return p, sorry("The response at the path of a Secret isn't a Secret, so it isn't shown.")
	}
	return p, nil
}

func (p place) reference() reference {
	return reference{p.of.GroupVersion(), p.of.Kind, p.path.Namespace, p.path.Name}
}

// shown is an object as an assistant may see it: values of Secrets are masked, and credentials are taken out. Its owners are those that it had.
func (d *desk) shown(o object.Object) (object.Object, error) {
	text, err := o.Masked().WithoutManagedFields().MarshalJSON()
	if err != nil {
		return o, failure{"The object can't be written.", err.Error()}
	}
	clean, _, withheld := d.Redact.Body(text, "application/json", false)
	if withheld != "" {
		return o, sorry("The object is withheld, because Fieldmark can't tell which of its values are credentials.")
	}
	safe, err := object.Parse(clean)
	if err != nil {
		return o, failure{"The object can't be read.", err.Error()}
	}
	from, _ := o.Fields["metadata"].(map[string]any)
	to, _ := safe.Fields["metadata"].(map[string]any)
	if from["managedFields"] != nil && to != nil {
		to["managedFields"] = from["managedFields"]
	}
	return safe, nil
}
