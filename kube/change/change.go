// Package change compares an object before and after a write: the value and the owners of each field, and who makes the change. The
// state after the write can be a dry run's response. The package knows nothing else of the server.
package change

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Input is what is compared. Objects are decoded JSON, with numbers as json.Number and with their managedFields.
type Input struct {
	Live      map[string]any // nil: there is no such object yet
	Predicted map[string]any // the dry run's response
	// Sent is the manifest of an apply, or the body of a PUT or a create. For other patches, it is the live object after the patch.
	Sent map[string]any
	// Manager is the writer.
	Manager ownership.Manager
	// Schema is the schema of the kind. It may be nil.
	Schema *schema.Schema
}

// Cause says who makes a change.
type Cause string

// The causes.
const (
	You       Cause = "you"       // the request has this change
	Server    Cause = "server"    // a default, or admission
	Generated Cause = "generated" // also the server; a real request gets a different value
)

// Claim is what happens to the writer's own claim on a field.
type Claim string

// The claims. The zero value means that the writer owns the field as before, or doesn't as before.
const (
	Kept    Claim = ""
	Gained  Claim = "gained"   // the writer becomes the only owner, and no manager loses the field
	Taken   Claim = "taken"    // the writer becomes an owner, and other managers lose the field
	Shared  Claim = "shared"   // the writer becomes an owner beside others
	GivenUp Claim = "given up" // the writer is no longer an owner
)

// Row is what happens to one field.
type Row struct {
	Path  string   // in structured-merge-diff's notation
	Parts []string // the steps that lead to the field. Names of fields can have dots, so several fields can have one path.
	What  ownership.What
	// Old and New are the values as JSON. Long ones are cut. They are empty if there is no value.
	Old, New      string
	Before, After []ownership.Owner // its owners before and after
	Cause         Cause
	// Why explains a cause other than You: which default, or which rule of the server.
	Why   string
	Claim Claim
	// Lost are the owners, other than the writer, who no longer own the field although it stays.
	Lost []ownership.Owner
	// Vanishes tells that the field is removed, because the writer gives it up and no other manager owns it.
	Vanishes bool
	// Whole tells that the field is a list that is compared and owned as a whole.
	Whole bool
	// Words say what happens, in a sentence or two. Reason is the part of them about the owners and the cause.
	Words, Reason string

	Was, Is *manifest.Node // in Preview.Before and Preview.After; nil if there is none
}

// Counts sum up rows.
type Counts struct {
	Added, Changed, Removed, Owners int // rows by what happens
	You, Server, Generated          int // rows by cause
	Gained, Taken, Shared, GivenUp  int // rows by what happens to the writer's claim
	Vanish                          int
}

// Preview is what a write would do.
type Preview struct {
	New    bool // the object is created
	Rows   []Row
	Counts Counts
	// Managers are all owners before or after, the writer first, then in the order of managedFields.
	Managers []ownership.Owner
	// Before and After are the object as it is and as it would be, without managedFields. Before is empty for a new object.
	Before, After manifest.Document
	// Lines are both side by side.
	Lines []Line
	// Missed are the fields of an apply that don't arrive.
	Missed []Missed
	// Wanted is the live object with the writer's changes, but without the server's. For a new object it is what was sent.
	Wanted map[string]any

	before, after *ownership.Blame
}

// Nothing tells that the write would change no value and no owner.
func (p Preview) Nothing() bool { return len(p.Rows) == 0 }

// content is the object without its record of ownership.
func content(object map[string]any) map[string]any {
	metadata, ok := object["metadata"].(map[string]any)
	if !ok {
		if object == nil {
			return map[string]any{}
		}
		return object
	}
	metadata = maps.Clone(metadata)
	delete(metadata, "managedFields")
	object = maps.Clone(object)
	object["metadata"] = metadata
	return object
}
