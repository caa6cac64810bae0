package tools

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Take is a field that a write takes from a manager.
type Take struct {
	Path      string `json:"path"`
	From      string `json:"from"` // the manager in words: "hpa (Update, scale)"
	LastWrite string `json:"last_write"`
}

// Takes are the fields that managers own before a write and don't own after it, without those of the writer itself. They are read from managedFields, so
// they are what the API server records, and not what the manifest lets expect. Paths are in structured-merge-diff's notation.
func Takes(before, after map[string]any, by manager.Manager) []Take {
	var reader ownership.Reader
	left := map[manager.Manager]map[string]bool{}
	entries(after, func(o ownership.Owner, fields []byte) {
		key := same(o)
		if left[key] == nil {
			left[key] = map[string]bool{}
		}
		reader.Leaves(fields, func(l ownership.OwnedLeaf) { addPath(left[key], l) })
	})
	takes := []Take{}
	entries(before, func(o ownership.Owner, fields []byte) {
		if o.Same(by) {
			return
		}
		still := left[same(o)]
		reader.Leaves(fields, func(l ownership.OwnedLeaf) {
			if path := l.Path(); !still[path] {
				takes = append(takes, Take{path, o.Words(), o.Time})
			}
		})
	})
	return takes
}

// same is what distinguishes the entries of one object: two entries with the same value are the same manager's.
func same(o ownership.Owner) manager.Manager { return o.Identity() }

func addPath(to map[string]bool, l ownership.OwnedLeaf) { to[l.Path()] = true }

// entries visits the entries of an object's managedFields.
func entries(fields map[string]any, visit func(o ownership.Owner, fieldsV1 []byte)) {
	metadata, _ := fields["metadata"].(map[string]any)
	if managed, err := json.Marshal(metadata["managedFields"]); err == nil {
		ownership.Entries(managed, visit)
	}
}

// unkept are fields of metadata that every write changes, or that say nothing of what somebody stated.
var unkept = []string{".metadata.resourceVersion", ".metadata.generation", ".metadata.managedFields", ".metadata.uid", ".metadata.creationTimestamp"}

// Removed are the values that an object has before a write and not after it, by their paths. A list without keys is one value.
func Removed(before, after map[string]any, known ownership.Schema) []string {
	if after == nil {
		return nil
	}
	there := map[string]bool{}
	visitPaths(after, known, func(path string, _ bool) { there[path] = true })
	removed := []string{}
	visitPaths(before, known, func(path string, leaf bool) {
		if leaf && !there[path] && !slices.Contains(unkept, path) {
			removed = append(removed, path)
		}
	})
	return removed
}

// stated are the paths of a write's own making. A write of the object doesn't change the status of a type with this subresource, so what is different there
// was written by a controller between two requests.
func stated(paths []string, of discovery.Type) []string {
	if !slices.ContainsFunc(of.Subresources, func(s discovery.Subresource) bool { return s.Name == "status" }) {
		return paths
	}
	return slices.DeleteFunc(paths, func(path string) bool { return path == ".status" || strings.HasPrefix(path, ".status.") })
}

// visitPaths visits the fields of an object, without managedFields.
func visitPaths(fields map[string]any, known ownership.Schema, visit func(path string, leaf bool)) {
	if fields == nil {
		return
	}
	o := object.Object{Fields: fields}
	b := ownership.Parse(fields).On(manifest.Tree(o.WithoutManagedFields().Fields), known)
	var walk func(n *manifest.Node)
	walk = func(n *manifest.Node) {
		_, list := n.Value.([]any)
		whole := len(n.Children) == 0 || list && b.ByPlace(n)
		if n.Parent != nil {
			visit(b.Path(n), whole)
		}
		if !whole {
			for _, child := range n.Children {
				walk(child)
			}
		}
	}
	walk(b.Root)
}
