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
	mergeEdit.Notes = []string{"Lists are written whole: what somebody else adds to one in the meantime is lost."}
	if !exact {
		mergeEdit.Unfit = "A field is to hold null, and a merge patch takes null for a removal."
	}
	all := []Edit{in.put(), in.edit("JSON Patch", "PATCH", JSONPatchType, operations, ownersOfPatch), mergeEdit, in.strategic()}
	all[1].Notes = []string{"Its test operations make the server refuse it (422) if what it changes, or the item that it means by a number, is no longer what it was."}
	for i := range all {
		if all[i].Request.Body == nil && all[i].Unfit == "" {
			return nil, fmt.Errorf("writing the %s failed", all[i].Name)
		}
	}
	return all, nil
}

const (
	ownersOfPatch = "It is an update: the values that it changes or adds belong to its manager (operation Update) from then on, and to nobody else. " +
		"It never conflicts, whoever owns them. What it writes as it is stays with its owners."
	ownersOfPut = "It is an update: of all that it holds, the values that differ from the live object belong to its manager (operation Update) from then on, and to nobody else. " +
		"It never conflicts over owners, and takes away what it leaves out, whoever owns it."
	ownersOfCreate = "It is an update: the manager (operation Update) owns all that the body states, and the fields around it."
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
	e.Notes = []string{"It goes to the collection, and is refused (409 AlreadyExists) if there is an object of that name."}
	if e.Request.Body == nil {
		return e, fmt.Errorf("writing the object failed")
	}
	return e, nil
}

// put is the whole object with the change in it. The record of ownership is left out: the server keeps it then.
func (in Input) put() Edit {
	body := maps.Clone(in.Wanted)
	if metadata, is := body["metadata"].(map[string]any); is {
		metadata = maps.Clone(metadata)
		delete(metadata, "managedFields")
		body["metadata"] = metadata
	}
	e := in.edit("PUT", "PUT", PlainJSON, body, ownersOfPut)
	e.Notes = []string{"It holds the resourceVersion that it was made of, and is refused (409) once the object has been written again."}
	return e
}

func (in Input) strategic() Edit {
	e := Edit{Name: "strategic merge patch", Owners: ownersOfPatch}
	switch {
	case in.Custom:
		e.Unfit = "Servers know no strategic merge patch for custom resources (415): it takes merge keys that are compiled into them."
		return e
	case in.Schema == nil:
		e.Unfit = "The kind's schema is not known, and with it the keys by which lists are merged."
		return e
	}
	body, exact := Strategic(in.Live, in.Wanted, *in.Schema)
	e = in.edit(e.Name, "PATCH", StrategicType, body, e.Owners)
	e.Notes = []string{"Items of lists that have a merge key are told apart by it; what others add to these lists stays."}
	if !exact {
		e.Unfit = "A field is to hold null, or a list that is merged by value is to hold one twice, which such a patch can't say."
	}
	return e
}

// Owner is the manager of these edits, as managedFields names it.
func (in Input) Owner() ownership.Manager {
	version, _ := in.Wanted["apiVersion"].(string)
	return ownership.Manager{Name: in.Manager, Operation: ownership.Update, Subresource: in.Subresource, APIVersion: version}
}
