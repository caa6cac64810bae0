package inquiry

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/refusal"
)

// keyOf is what makes a refusal another than others.
func keyOf(no refusal.Refusal) string {
	no.Tool = ""
	text, err := json.Marshal(no)
	if err != nil {
		return no.Message // what was read from a text can always be written
	}
	return string(text)
}

// named are the objects that a refusal names or, in a conflict that names none, those of the manifests that have all its fields.
func (q *Inquiry) named(m *matter) []*found {
	var all []*found
	for _, o := range m.no.Objects {
		if o.Name == "" {
			continue
		}
		types := q.types(o, m.no)
		for _, t := range types {
			f := &found{of: t, namespace: o.Namespace, name: o.Name, told: len(types) == 1 && (!t.Namespaced || o.Namespace != "")}
			q.place(f, m.no)
			all = append(all, f)
		}
	}
	if len(all) > 0 || m.no.Reason != refusal.Conflict {
		return all
	}
	for _, d := range q.Documents {
		if o := d.Object(); o.Name != "" && states(d, m.no) {
			if t, ok := q.typeOf(o); ok {
				f := &found{of: t, namespace: o.Namespace, name: o.Name}
				q.place(f, m.no)
				all = append(all, f)
			}
		}
	}
	return all
}

// place says where an object is of which that isn't told: where a manifest has it, or in the namespace of the options.
func (q *Inquiry) place(f *found, no refusal.Refusal) {
	switch {
	case !f.of.Namespaced:
		f.namespace = ""
	case f.namespace == "":
		f.assumed = true
		if d := q.document(f.object(), no); d != nil {
			f.namespace = d.Object().Namespace
		}
		f.namespace = cmp.Or(f.namespace, q.Namespace)
	}
}

// states tells whether a manifest has all fields of a refusal.
func states(d check.Document, no refusal.Refusal) bool {
	return len(no.Fields) > 0 && !slices.ContainsFunc(no.Fields, func(f refusal.Field) bool { return len(d.Source.Find(f.Path)) == 0 })
}

// document is the manifest of an object; nil: there is none.
func (q *Inquiry) document(o check.Object, no refusal.Refusal) *check.Document {
	var only *check.Document
	for i := range q.Documents {
		d := &q.Documents[i]
		of := d.Object()
		same := of.Name == o.Name && (o.Kind == "" || of.Kind == o.Kind) && (d.Source.Namespace == "" || o.Namespace == "" || d.Source.Namespace == o.Namespace)
		switch {
		case o.Name != "" && same:
			return d
		case o.Name == "" && states(*d, no) && only == nil:
			only = d
		case o.Name == "" && states(*d, no):
			return nil // it could be either
		}
	}
	return only
}

func (q *Inquiry) typeOf(o check.Object) (discovery.Type, bool) {
	group, version := split(o.APIVersion)
	return q.Catalog.Kind(group, version, o.Kind)
}

func split(apiVersion string) (group, version string) {
	if group, version, ok := strings.Cut(apiVersion, "/"); ok {
		return group, version
	}
	return "", apiVersion
}

// types are the types that an object of a text can be of. Where it tells no group, it is the core group's or, if that has no such type, any.
func (q *Inquiry) types(o refusal.Object, no refusal.Refusal) []discovery.Type {
	if o.Kind == "" && o.Resource == "" {
		return nil
	}
	var all, core, owned []discovery.Type
	groups := groupsOf(no)
	for _, t := range q.Catalog.Preferred() {
		if o.Kind != "" && t.Kind != o.Kind || o.Resource != "" && t.Resource != o.Resource || o.Group != "" && t.Group != o.Group {
			continue
		}
		if o.Version != "" {
			if other, ok := q.Catalog.Type(t.Group, o.Version, t.Resource); ok {
				t = other
			}
		}
		all = append(all, t)
		if t.Group == "" {
			core = append(core, t)
		}
		if slices.Contains(groups, t.Group) {
			owned = append(owned, t)
		}
	}
	switch {
	case len(owned) > 0:
		return owned
	case len(core) > 0:
		return core
	}
	return all
}

// groupsOf are the groups in whose versions the managers of a conflict wrote; none where nobody tells.
func groupsOf(no refusal.Refusal) []string {
	var all []string
	for _, f := range no.Fields {
		for _, o := range f.Owners {
			if o.APIVersion == "" {
				continue
			}
			if group, _ := split(o.APIVersion); !slices.Contains(all, group) {
				all = append(all, group)
			}
		}
	}
	return all
}
