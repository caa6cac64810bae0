// Package assist plans how to move ownership of fields from one manager to another. A plan is a sequence of plain API requests. You can
// read each request, and dry-run it, before it is sent.
package assist

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// Step is one request, with its purpose.
type Step struct {
	Title, Why string
	Request    patch.Request
}

// Plan is a sequence of requests. Send each one after the one before it has succeeded.
type Plan struct {
	Title        string
	Steps        []Step
	Consequences []string // what users must know before they send the first request
	Nothing      string   // why there is nothing to do, or why nothing can be done; empty if there are steps
}

func nothing(title, why string) Plan { return Plan{Title: title, Nothing: why} }

func metadataOf(object map[string]any) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	return metadata
}

func stringField(fields map[string]any, name string) string {
	s, _ := fields[name].(string)
	return s
}

// entries are the entries of the object's managedFields.
func entries(live map[string]any) []map[string]any {
	list, _ := metadataOf(live)["managedFields"].([]any)
	all := make([]map[string]any, 0, len(list))
	for _, v := range list {
		if e, is := v.(map[string]any); is {
			all = append(all, e)
		}
	}
	return all
}

// managerOf is the manager of an entry.
func managerOf(e map[string]any) ownership.Manager {
	return ownership.Manager{Name: stringField(e, "manager"), Operation: stringField(e, "operation"), Subresource: stringField(e, "subresource"), APIVersion: stringField(e, "apiVersion")}
}

// entryIndex is the index of the first entry whose manager matches; -1: there is none.
func entryIndex(all []map[string]any, is func(ownership.Manager) bool) int {
	return slices.IndexFunc(all, func(e map[string]any) bool { return is(managerOf(e)) })
}

// operation is one operation of a JSON Patch.
type operation = map[string]any

// patchRequest is a JSON Patch of the object. Its paths have indexes of lists, which are right only for this version of the object. So the
// patch also writes the version's resourceVersion, and the server refuses it (409) if the object has changed since.
func patchRequest(live map[string]any, manager string, operations ...operation) patch.Request {
	operations = append(operations, operation{"op": "replace", "path": "/metadata/resourceVersion", "value": stringField(metadataOf(live), "resourceVersion")})
	return request(patch.JSONPatchType, manager, operations)
}

func request(contentType, manager string, body any) patch.Request {
	r := patch.Request{Method: "PATCH", ContentType: contentType, Query: url.Values{}}
	if manager != "" {
		r.Query.Set("fieldManager", manager)
	}
	if data, err := json.Marshal(body); err == nil { // decoded values always encode
		r.Body = data
	}
	return r
}

// replaced is the operation that replaces managedFields. The server ignores an empty list and keeps managedFields. A list with one
// empty entry clears them.
func replaced(all []map[string]any) operation {
	if len(all) == 0 {
		all = []map[string]any{{}}
	}
	return operation{"op": "replace", "path": "/metadata/managedFields", "value": all}
}

// applyRequest is an apply. It has the object's uid, so it can't create a new object if this one was deleted.
func applyRequest(live, stated map[string]any, m ownership.Manager) (patch.Request, error) {
	stated = maps.Clone(stated)
	metadata := maps.Clone(metadataOf(stated))
	delete(metadata, "managedFields") // the server refuses an apply that has managedFields
	if uid := stringField(metadataOf(live), "uid"); uid != "" {
		metadata["uid"] = uid
	}
	stated["metadata"] = metadata
	body, err := manifest.YAML(stated)
	if err != nil {
		return patch.Request{}, fmt.Errorf("writing the manifest of %s: %w", m.Name, err)
	}
	return patch.Request{
		Method: "PATCH", Subresource: m.Subresource, ContentType: patch.ServerSideType, Query: url.Values{"fieldManager": {m.Name}}, Body: body,
	}, nil
}

// plural is "value" or "values", for this number of fields.
func plural(paths []string) string {
	if len(paths) == 1 {
		return "value"
	}
	return "values"
}

// joinNames names some paths in a sentence.
func joinNames(paths []string) string {
	const some = 5
	if len(paths) > some {
		return strings.Join(paths[:some], ", ") + fmt.Sprintf(" and %d more", len(paths)-some)
	}
	if len(paths) > 1 {
		return strings.Join(paths[:len(paths)-1], ", ") + " and " + paths[len(paths)-1]
	}
	return strings.Join(paths, "")
}
