package act

import (
	"encoding/json"
	"net/url"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/patch"
)

// onlyIf is the option for a condition on the object.
const onlyIf = "only-if"

// The conditions.
const (
	unchanged  = "version" // the object is as the reader saw it
	sameObject = "uid"     // the object is the same; it may have changed
)

// conditionOption lets the reader choose a condition. The default is the version: an act that replaces a value which the reader has seen would
// otherwise overwrite what somebody else wrote in between. An act that gives the same result for any version, such as a restart, has no such option, and
// only needs the object. Of several objects, each request has the version, and nobody can choose (Subject.Several).
func conditionOption() Option {
	return Option{
		Name: onlyIf, Label: "Only if", Shape: Choice, Default: unchanged,
		Hint: "Otherwise the API server refuses the request (409).",
		Choices: []Value{
			{Value: unchanged, Label: "the object is unchanged (resourceVersion)"},
			{Value: sameObject, Label: "the object is the same (uid)"},
		},
	}
}

// pinned tells whether requests have the resource version of the object as it was read. If it has changed since, they are refused.
func (p *planner) pinned() bool { return p.Several || p.chose(onlyIf) == unchanged }

// preconditions are the part of DeleteOptions that makes the API server refuse a deletion or an eviction (409) if it is about another version.
func preconditions(o object.Object) map[string]any {
	return map[string]any{"uid": o.Meta("uid"), "resourceVersion": o.Meta("resourceVersion")}
}

// condition is the part of a patch's metadata that makes the API server refuse the patch (409) if the condition doesn't hold.
func (p *planner) condition() map[string]any {
	uid := map[string]any{"uid": p.Object.Meta("uid")}
	if p.pinned() {
		uid["resourceVersion"] = p.Object.Meta("resourceVersion")
	}
	return uid
}

// patches is a request that changes a part of the object, under the condition that the reader chose.
func (p *planner) patches(contentType, subresource string, body map[string]any) patch.Request {
	merged := map[string]any{}
	for k, v := range body {
		merged[k] = v
	}
	metadata := p.condition()
	for k, v := range fields(body, "metadata") {
		metadata[k] = v
	}
	merged["metadata"] = metadata
	return p.sends("PATCH", subresource, contentType, merged)
}

// sends is a request with a body, under the name of the planner's manager.
func (p *planner) sends(method, subresource, contentType string, body any) patch.Request {
	r := patch.Request{Method: method, Subresource: subresource, ContentType: contentType, Query: url.Values{"fieldManager": {p.manager("").Name}}}
	if data, err := json.Marshal(body); err == nil { // decoded values always encode
		r.Body = data
	}
	return r
}

// edits is a JSON Patch of the object. It replaces the uid by the same uid: for another object, the API server refuses that (409). If pinned, the same
// holds for the resource version.
func (p *planner) edits(pinned bool, operations ...patch.Operation) patch.Request {
	same := []patch.Operation{{Op: "replace", Path: "/metadata/uid", Value: value(p.Object.Meta("uid"))}}
	if pinned {
		same = append(same, p.sameVersion())
	}
	return p.sends("PATCH", "", patch.JSONPatchType, append(same, operations...))
}

// sameVersion replaces the resource version by the same one.
func (p *planner) sameVersion() patch.Operation {
	return patch.Operation{Op: "replace", Path: "/metadata/resourceVersion", Value: value(p.Object.Meta("resourceVersion"))}
}
