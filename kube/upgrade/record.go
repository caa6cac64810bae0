package upgrade

import (
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/walk"
)

// Record is an object that can't be applied, with the entries that block it.
type Record struct {
	Type      string `json:"type"`
	Path      string `json:"path"` // of the object in the API
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	// Managers have the entries that block each apply.
	Managers []manager.Owner `json:"managers"`
	Last     time.Time       `json:"last,omitzero"` // the last write of these entries
	Ways     []check.Way     `json:"ways"`
}

// Blocked tells whether an object of the type can't be applied, and what leads out. The object's fields may be its metadata alone.
func (d Definition) Blocked(fields map[string]any, path string) (r Record, blocked bool) {
	metadata, _ := fields["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	r = Record{Type: d.Name, Path: path}
	r.Namespace, _ = metadata["namespace"].(string)
	r.Name, _ = metadata["name"].(string)
	var at []int
	for i, one := range list {
		o := ownerOf(one)
		if o.APIVersion == "" || d.Lists(o.APIVersion) {
			continue
		}
		at, r.Managers = append(at, i), append(r.Managers, o)
		if t := o.Written(); t.After(r.Last) {
			r.Last = t
		}
	}
	if len(at) == 0 {
		return Record{}, false
	}
	if d.sameNames(r.Managers) {
		r.Ways = append(r.Ways, d.rewrite(r, metadata, at))
	}
	r.Ways = append(r.Ways, d.clear(r, metadata, at, len(list)))
	return r, true
}

// ListsAll tells whether the definition lists the versions of all entries of an object, without decoding the object. Most objects are like that.
func (d Definition) ListsAll(raw []byte) bool {
	all := true
	walk.Members(raw, func(name, _, metadata []byte) {
		if string(name) != "metadata" {
			return
		}
		walk.Members(metadata, func(name, _, managed []byte) {
			if string(name) == "managedFields" {
				ownership.Entries(managed, func(o ownership.Owner, _ []byte) { all = all && (o.APIVersion == "" || d.Lists(o.APIVersion)) })
			}
		})
	})
	return all
}

// ownerOf reads an entry of managedFields.
func ownerOf(entry any) manager.Owner {
	e, _ := entry.(map[string]any)
	text := func(name string) string { s, _ := e[name].(string); return s }
	return manager.Owner{Manager: manager.Manager{Name: text("manager"), Operation: text("operation"), Subresource: text("subresource"), APIVersion: text("apiVersion")}, Time: text("time")}
}

// sameNames tells whether fields have the same names in all versions, as far as it is known. They do if no webhook converts.
func (d Definition) sameNames(of []manager.Owner) bool {
	if d.Converted {
		return false
	}
	for _, o := range of {
		if group, _ := discovery.SplitGroupVersion(o.APIVersion); group != d.Group {
			return false
		}
	}
	return true
}

// same are the operations that make the server refuse a patch if the object has changed, or is another one of the same name.
func same(metadata map[string]any) []operation {
	return []operation{
		{"op": "test", "path": "/metadata/uid", "value": metadata["uid"]},
		{"op": "test", "path": "/metadata/resourceVersion", "value": metadata["resourceVersion"]},
	}
}

// rewrite changes the version of entries, so that their managers stay the owners.
func (d Definition) rewrite(r Record, metadata map[string]any, at []int) check.Way {
	storage, _ := d.Storage()
	operations := same(metadata)
	for i, index := range at {
		to := fmt.Sprintf("/metadata/managedFields/%d", index)
		operations = append(operations,
			operation{"op": "test", "path": to + "/manager", "value": r.Managers[i].Name},
			operation{"op": "replace", "path": to + "/apiVersion", "value": discovery.GroupVersion(d.Group, storage)})
	}
	return patchWay(WayRewrite, "# The managers stay the owners of their fields. No value changes.\n", d.resource(storage), r.Namespace, r.Name, operations)
}

// clear removes entries. The server clears managedFields only if it gets a list with one empty entry.
func (d Definition) clear(r Record, metadata map[string]any, at []int, of int) check.Way {
	storage, _ := d.Storage()
	operations := same(metadata)
	note := "# The managers own nothing afterwards. Fields that nobody else owns stay, until somebody changes them.\n"
	if len(at) == of {
		operations = append(operations, operation{"op": "replace", "path": "/metadata/managedFields", "value": []any{map[string]any{}}})
		note = "# No field has an owner afterwards. The first apply gives them to before-first-apply.\n"
		return patchWay(WayClear, note, d.resource(storage), r.Namespace, r.Name, operations)
	}
	for i := len(at) - 1; i >= 0; i-- { // the last one first, so that the others keep their places
		to := fmt.Sprintf("/metadata/managedFields/%d", at[i])
		operations = append(operations, operation{"op": "test", "path": to + "/manager", "value": r.Managers[i].Name}, operation{"op": "remove", "path": to})
	}
	return patchWay(WayClear, note, d.resource(storage), r.Namespace, r.Name, operations)
}

// resource is the type as kubectl takes it, in one of its versions.
func (d Definition) resource(version string) string {
	return d.Resource + "." + version + "." + d.Group
}
