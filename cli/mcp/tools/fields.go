package tools

import (
	"context"

	"github.com/fieldmark/fieldmark/kube/schema"
)

// explaining is the arguments of explain_field.
type explaining struct {
	Cluster  string `json:"cluster"`
	Resource string `json:"resource"`
	Field    string `json:"field"`
	Cursor   string `json:"cursor"`
}

// mostFields is how many fields below a field an answer has.
const mostFields = 40

// described is a field of a schema, in an answer.
type described struct {
	Path        string   `json:"path"`
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Merge       string   `json:"merge,omitempty"` // how writes of several managers are merged
	Keys        []string `json:"list_keys,omitempty"`
	Meaning     string   `json:"owners,omitempty"`
	Default     string   `json:"default,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Required    bool     `json:"required,omitempty"`
	Deprecated  bool     `json:"deprecated,omitempty"`
}

func (d *desk) explainField(ctx context.Context, in explaining) (a Answer, err error) {
	c, of, err := d.openType(ctx, in.Cluster, in.Resource)
	if err != nil {
		return a, err
	}
	s := c.Schema(ctx, of)
	if s == nil {
		return a, sorry("The cluster has no schema of this type, or it can't be read.")
	}
	path, err := schema.ParsePath(in.Field)
	if err != nil {
		return a, sorry("The field isn't a path. Write it like spec.replicas or spec.containers[*].image.")
	}
	data := map[string]any{"type": of.GroupVersion() + " " + of.Kind}
	if len(path) > 0 {
		f, found := s.Field(path)
		if !found {
			return a, sorry("The type has no such field. Call the tool with a shorter path to see which fields there are.")
		}
		data["field"], path = fieldOf(f, 2000), f.Path
	}
	children := s.Children(path)
	some, err := page(children, in.Cursor, mostFields, &a)
	below := []described{}
	for _, f := range some {
		below = append(below, fieldOf(f, 160))
	}
	data["fields"] = below
	a.Says = "The field has " + count(len(children), "field", "fields") + "."
	a.Data = data
	return a, err
}

// fieldOf is a field, with a description of at most so many bytes.
func fieldOf(f schema.Field, longest int) described {
	one := described{
		Path: cut(f.Path.String(), 300), Type: cut(f.Type, 100), Description: cut(first(f.Description, f.About), longest), Default: cut(f.Default, 200),
		Required: f.Required, Deprecated: f.Deprecated, Keys: f.Merge.Keys,
	}
	if f.Merge.Strategy != schema.Single {
		one.Merge = f.Merge.Name()
	}
	if longest > 1000 {
		one.Meaning, one.Enum = f.Merge.Meaning(), f.Enum[:min(len(f.Enum), 50)]
	}
	return one
}
