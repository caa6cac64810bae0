// Package patch writes one change of an object as each of the requests that can make it: a PUT, a JSON Patch, a JSON merge patch and a
// strategic merge patch.
package patch

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// The media types of bodies.
const (
	PlainJSON      = "application/json"
	JSONPatchType  = "application/json-patch+json"
	MergeType      = "application/merge-patch+json"
	StrategicType  = "application/strategic-merge-patch+json"
	ServerSideType = "application/apply-patch+yaml"
)

// Request is an API request on an object. Its path is the object's own, followed by the subresource.
type Request struct {
	Method      string
	Subresource string
	Query       url.Values
	ContentType string
	Body        []byte
}

// Edit is a way to make a change.
type Edit struct {
	Name    string // "PUT", "JSON Patch", "merge patch", "strategic merge patch", "POST"
	Request Request
	Owners  string   // what it does to owners, in words
	Notes   []string // what else to know about it
	Unfit   string   // why this change can't be made like this; empty: it can
}

// Input is a change: the object before and after it, as decoded JSON with json.Number.
type Input struct {
	Live, Wanted map[string]any // Live is nil for a new object
	Manager      string         // the name to write under
	Subresource  string
	Schema       *schema.Schema // nil: not known
	Custom       bool           // the kind is defined by a CustomResourceDefinition
}

// Edits are the ways to make a change. There are none where nothing changes.
func Edits(in Input) ([]Edit, error) {
	if in.Live == nil {
		e, err := in.create()
		return []Edit{e}, err
	}
	operations := JSONPatch(in.Live, in.Wanted, in.Schema)
	if len(operations) == 0 {
		return nil, nil
	}
	merge, exact := MergePatch(in.Live, in.Wanted)
	mergeEdit := in.edit("merge patch", "PATCH", MergeType, merge, ownersOfPatch)
	mergeEdit.Notes = []string{"The patch replaces whole lists. If somebody else adds an item at the same time, that item is lost."}
	if !exact {
		mergeEdit.Unfit = "The change sets a field to null, but in a merge patch null removes the field."
	}
	all := []Edit{in.put(), in.edit("JSON Patch", "PATCH", JSONPatchType, operations, ownersOfPatch), mergeEdit, in.strategic()}
	all[1].Notes = []string{"The patch has test operations. The server refuses the patch (422) if a value that it changes, or an item at an index, is different by then."}
	for i := range all {
		if all[i].Request.Body == nil && all[i].Unfit == "" {
			return nil, fmt.Errorf("writing the %s failed", all[i].Name)
		}
	}
	return all, nil
}

const (
	ownersOfPatch = "The request is an update. Its manager (operation Update) becomes the only owner of the values that it changes or adds. " +
		"There is never a conflict, even if the values have other owners. Unchanged values keep their owners."
	ownersOfPut = "The request is an update. Its manager (operation Update) becomes the only owner of the values that differ from the live object. " +
		"There is never a conflict over owners. Fields that are not in the body are removed, even if others own them."
	ownersOfCreate = "The request is an update. Its manager (operation Update) owns all fields in the body, and their parent fields."
)

func (in Input) edit(name, method, contentType string, body any, owners string) Edit {
	e := Edit{Name: name, Owners: owners, Request: Request{
		Method: method, Subresource: in.Subresource, ContentType: contentType, Query: url.Values{"fieldManager": {in.Manager}},
	}}
	text, err := json.Marshal(body)
	if err == nil {
		e.Request.Body = text
	}
	return e
}

func (in Input) create() (Edit, error) {
	e := in.edit("POST", "POST", PlainJSON, in.Wanted, ownersOfCreate)
	e.Notes = []string{"Send the request to the collection. The server refuses it (409 AlreadyExists) if an object has that name."}
	if e.Request.Body == nil {
		return e, fmt.Errorf("writing the object failed")
	}
	return e, nil
}

// put replaces the whole object. It leaves out managedFields, so that the server keeps them.
func (in Input) put() Edit {
	body := maps.Clone(in.Wanted)
	if metadata, is := body["metadata"].(map[string]any); is {
		metadata = maps.Clone(metadata)
		delete(metadata, "managedFields")
		body["metadata"] = metadata
	}
	e := in.edit("PUT", "PUT", PlainJSON, body, ownersOfPut)
	e.Notes = []string{"The body has the resourceVersion of the object that you read. The server refuses the request (409) if the object has changed since."}
	return e
}

func (in Input) strategic() Edit {
	e := Edit{Name: "strategic merge patch", Owners: ownersOfPatch}
	switch {
	case in.Custom:
		e.Unfit = "Servers don't support strategic merge patches for custom resources (415), because such a patch needs merge keys that are compiled into the server."
		return e
	case in.Schema == nil:
		e.Unfit = "The schema of this kind isn't available, so the merge keys of its lists are unknown."
		return e
	}
	body, exact := Strategic(in.Live, in.Wanted, *in.Schema)
	e = in.edit(e.Name, "PATCH", StrategicType, body, e.Owners)
	e.Notes = []string{"Lists with a merge key are merged by that key. Items that others add to these lists stay."}
	if !exact {
		e.Unfit = "The change sets a field to null, or needs the same value twice in a list that is merged by value. Such a patch can't do this."
	}
	return e
}

// Owner is the manager of these edits, as managedFields names it.
func (in Input) Owner() ownership.Manager {
	version, _ := in.Wanted["apiVersion"].(string)
	return ownership.Manager{Name: in.Manager, Operation: ownership.Update, Subresource: in.Subresource, APIVersion: version}
}
