package inquiry

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/refusal"
)

// keyOf is a key for a refusal. Equal refusals have equal keys.
func keyOf(no refusal.Refusal) string {
	no.Tool = ""
	text, err := json.Marshal(no)
	if err != nil {
		return no.Message // data that was read from a text always encodes
	}
	return string(text)
}

// namedObjects returns the objects that a refusal names. If a conflict names none, it returns the objects of manifests that have all its fields.
func (q *Inquiry) namedObjects(m *matter) []*found {
	var all []*found
	for _, o := range m.no.Objects {
		if o.Name == "" {
			continue
		}
		types := q.types(o, m.no)
		for _, t := range types {
			lacks := q.lacks(t, m.no)
			f := &found{of: t, namespace: o.Namespace, name: o.Name, told: len(types) == 1 && (!t.Namespaced || o.Namespace != "") && !lacks}
			if lacks {
				m.notes = append(m.notes, "The object is a guess: "+t.Kind+" in "+t.GroupVersion()+" doesn't have all fields of the refusal.")
			}
			q.setNamespace(f, m.no)
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
				q.setNamespace(f, m.no)
				all = append(all, f)
			}
		}
	}
	return all
}

// setNamespace sets the namespace of an object if the text doesn't have it: the namespace in a manifest, or the namespace of the options.
func (q *Inquiry) setNamespace(f *found, no refusal.Refusal) {
	switch {
	case !f.of.Namespaced:
		f.namespace = ""
	case f.namespace == "":
		f.assumed = true
		if d := q.document(f.object(), no); d != nil {
			f.namespace = d.Source.Namespace
		}
		f.namespace = cmp.Or(f.namespace, no.Around, q.Namespace)
	}
}

// states tells whether a manifest has all fields of a refusal.
func states(d check.Document, no refusal.Refusal) bool {
	return len(no.Fields) > 0 && !slices.ContainsFunc(no.Fields, func(f refusal.Field) bool { return len(d.Source.Find(f.Path)) == 0 })
}

// document is the manifest of an object; nil: there is none, or more than one.
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
			return nil // several manifests are possible
		}
	}
	return only
}

func (q *Inquiry) typeOf(o check.Object) (discovery.Type, bool) {
	group, version := discovery.SplitGroupVersion(o.APIVersion)
	return q.Catalog.Kind(group, version, o.Kind)
}

// types returns the types that an object in a text may have. If the text has no group, the core group comes first. If the core group has
// no such type, all groups do.
func (q *Inquiry) types(o refusal.Object, no refusal.Refusal) []discovery.Type {
	if o.Kind == "" && o.Resource == "" {
		return nil
	}
	var all, core, owned []discovery.Type
	groups := groupsOf(no)
	for _, t := range q.fitting(q.possible(o), no) {
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

// possible are the types of the catalog that a text may mean.
func (q *Inquiry) possible(o refusal.Object) []discovery.Type {
	var all []discovery.Type
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
	}
	return all
}

// groupsOf are the groups of the API versions that the managers of a conflict used; empty if they are unknown.
func groupsOf(no refusal.Refusal) []string {
	var all []string
	for _, f := range no.Fields {
		for _, o := range f.Owners {
			if o.APIVersion == "" {
				continue
			}
			if group, _ := discovery.SplitGroupVersion(o.APIVersion); !slices.Contains(all, group) {
				all = append(all, group)
			}
		}
	}
	return all
}
