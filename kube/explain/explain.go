// Package explain has the types of an explanation of a refusal: what happened, why, on which objects and fields, who owns them, and the ways
// out. Package inquiry makes explanations. The terminal and the page show them.
package explain

import (
	"encoding/json"

	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// The kinds of the documents that scripts read.
const (
	Kind     = "Explanation"
	ListKind = "ExplanationList"
)

// The ways out of refusals. Conflicts have those of package check.
const (
	WayCorrect  = check.WayCorrect
	WayRetry    = "retry"    // send the request again, at once or later
	WayRecreate = "recreate" // delete the object and create it again
	WayGrant    = "grant"    // get a permission
	WayLook     = "look"     // look at the object, or at what refuses the request
	WayInstall  = "install"  // install what is missing
)

// Explanation explains one refusal. Its JSON is a contract with scripts.
type Explanation struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Reason is the rule by which the server refused, as package refusal names it; empty: nothing was understood.
	Reason string `json:"reason"`
	Code   int    `json:"code,omitempty"` // HTTP status code
	Tool   string `json:"tool,omitempty"` // the program that printed the text
	// Manager is the manager of the refused request; empty: unknown.
	Manager string `json:"manager"`
	// Assumed tells that the text doesn't name the manager, so that Manager is the tool's default.
	Assumed bool        `json:"managerAssumed,omitempty"`
	What    string      `json:"what"`              // what happened
	Why     string      `json:"why"`               // the rule behind it
	Message string      `json:"message,omitempty"` // the server's own words
	Objects []Object    `json:"objects"`           // the object, or possible objects, the most likely first
	Fields  []Field     `json:"fields"`
	Ways    []check.Way `json:"ways"`
	// Notes say what isn't certain, and why the search for the object stopped.
	Notes []string `json:"notes,omitempty"`
	Times int      `json:"times,omitempty"` // how often the text has this refusal, if more than once
}

// Heading is the heading of the objects. It says how sure they are. There must be at least one object.
func (e Explanation) Heading() string {
	switch {
	case len(e.Objects) > 1:
		return "Possible objects, the most likely first"
	case e.Objects[0].Sure:
		return "Object"
	}
	return "Probable object"
}

// Object is an object that a refusal is about, or could be about.
type Object struct {
	check.Object
	Resource string `json:"resource,omitempty"` // as kubectl prints it: deployments.apps
	// Sure tells that the text names the object, or that it is the only one whose managedFields match all fields.
	Sure bool `json:"sure"`
}

// Field is a field that a refusal names.
type Field struct {
	Path   string            `json:"path"` // in structured-merge-diff's notation
	Owners []ownership.Owner `json:"owners"`
	// Live and Stated are the values on the server and in the manifest; nil: there is none, or it is unknown.
	Live   json.RawMessage `json:"live,omitempty"`
	Stated json.RawMessage `json:"stated,omitempty"`
	Why    string          `json:"why,omitempty"`
}

// Name is the field in a sentence or a title.
func (f Field) Name() string {
	if f.Path == "" {
		return "the whole object"
	}
	return f.Path
}

// Answer is the explanation of a whole text.
type Answer struct {
	Explanations []Explanation `json:"explanations,omitempty"`
	// NotUnderstood is the text that belongs to no refusal, in pieces.
	NotUnderstood []string `json:"notUnderstood,omitempty"`
	Notes         []string `json:"notes,omitempty"` // about the whole text
	Partial       bool     `json:"-"`               // a part of the text was not read; a note says why
}

// Understood tells whether the text has a refusal that can be explained.
func (a Answer) Understood() bool { return len(a.Explanations) > 0 }

// Document is the value for JSON and YAML: an Explanation, or an ExplanationList for several refusals. An Explanation without a reason says that nothing
// was understood.
func (a Answer) Document() any {
	type single struct {
		Explanation
		NotUnderstood []string `json:"notUnderstood,omitempty"`
	}
	type list struct {
		APIVersion    string        `json:"apiVersion"`
		Kind          string        `json:"kind"`
		Items         []Explanation `json:"items"`
		NotUnderstood []string      `json:"notUnderstood,omitempty"`
		Notes         []string      `json:"notes,omitempty"`
	}
	items := make([]Explanation, 0, len(a.Explanations))
	for _, e := range a.Explanations {
		items = append(items, e.filled())
	}
	switch len(items) {
	case 0:
		items = append(items, Explanation{What: Nothing}.filled())
		fallthrough
	case 1:
		items[0].Notes = append(items[0].Notes[:len(items[0].Notes):len(items[0].Notes)], a.Notes...)
		return single{items[0], a.NotUnderstood}
	}
	return list{check.APIVersion, ListKind, items, a.NotUnderstood, a.Notes}
}

// Nothing is the message if nothing was understood.
const Nothing = "No refusal in the text was understood."

// filled replaces nil lists by empty ones, so that JSON has [] instead of null.
func (e Explanation) filled() Explanation {
	e.APIVersion, e.Kind = check.APIVersion, Kind
	if e.Objects == nil {
		e.Objects = []Object{}
	}
	if e.Ways == nil {
		e.Ways = []check.Way{}
	}
	fields := make([]Field, 0, len(e.Fields))
	for _, f := range e.Fields {
		if f.Owners == nil {
			f.Owners = []ownership.Owner{}
		}
		fields = append(fields, f)
	}
	e.Fields = fields
	return e
}
