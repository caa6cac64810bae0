package act

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/discovery"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Manager is the name under which acts write if the reader chose no other.
const Manager = "fieldmark"

// Subject is the object of an act, as it was read.
type Subject struct {
	Type    discovery.Type
	Path    apipath.Path  // of the object
	Object  object.Object // with its managedFields
	Manager string        // the name to write under; empty: Manager
	Now     time.Time     // when the reader acts
	// Schema is the schema of the type; nil: not known. Without it, owners of list items are still found, as managedFields name them.
	Schema *schema.Schema
	// Several tells that the act is on several objects. Then each request has the resource version, whatever the options are: nobody reads hundreds of
	// objects again before they send.
	Several bool
}

// Read is a GET that a plan needs.
type Read struct {
	Name     string // the key of its result in Found
	What     string // what is read, in words: "the autoscalers of the namespace"
	Path     apipath.Path
	Query    url.Values
	Required bool // without the result, there is no plan; otherwise the plan has a note
}

// Target is the path of the request, with its query.
func (r Read) Target() string {
	if len(r.Query) == 0 {
		return r.Path.String()
	}
	return r.Path.String() + "?" + r.Query.Encode()
}

// Found are the results of Reads, by name.
type Found map[string]Result

// Result is what a Read found.
type Result struct {
	Objects []object.Object `json:"objects,omitempty"` // the object, or the items of the list
	More    bool            `json:"more,omitempty"`    // the list goes on after these items
	No      *status.Status  `json:"no,omitempty"`      // the refusal; nil: there is none
}

// ReadResult reads the body of a response to a Read: an object or a list, as JSON.
func ReadResult(body []byte) (Result, error) {
	o, err := object.Parse(body)
	if err != nil {
		return Result{}, err
	}
	items, is := o.Fields["items"].([]any)
	if !is {
		return Result{Objects: []object.Object{o}}, nil
	}
	r := Result{More: stringField(fields(o.Fields, "metadata"), "continue") != ""}
	for _, item := range items {
		if fields, is := item.(map[string]any); is {
			r.Objects = append(r.Objects, object.Object{Fields: fields})
		}
	}
	return r, nil
}

// bodies are the decoded objects.
func (r Result) bodies() []map[string]any {
	all := make([]map[string]any, 0, len(r.Objects))
	for _, o := range r.Objects {
		all = append(all, o.Fields)
	}
	return all
}

// fields is an object in an object; nil if there is none.
func fields(o map[string]any, path ...string) map[string]any {
	for _, name := range path {
		o, _ = o[name].(map[string]any)
	}
	return o
}

// stringField is a string of an object; empty if there is none.
func stringField(o map[string]any, name string) string {
	s, _ := o[name].(string)
	return s
}

// number is an integer of an object; ok is false if there is none.
func number(o map[string]any, name string) (n int64, ok bool) {
	v, is := o[name].(json.Number)
	if !is {
		return 0, false
	}
	n, err := v.Int64()
	return n, err == nil
}

// yes tells whether a field of an object is true.
func yes(o map[string]any, name string) bool {
	b, _ := o[name].(bool)
	return b
}

// jsonNumber is a number as a decoded object has it.
func jsonNumber(n int64) json.Number { return json.Number(strconv.FormatInt(n, 10)) }
