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
	Predicted map[string]any // what the dry run answered
	// Sent is what was sent: the manifest of an apply, the body of a PUT or a create. For other patches, it is what the
	// patch makes of the live object.
	Sent map[string]any
	// Manager is who writes.
	Manager ownership.Manager
	// Schema is what is known about the kind; nil: nothing.
	Schema *schema.Schema
}

// Cause is whose doing a change is.
type Cause string

// The causes.
const (
	You       Cause = "you"       // what was sent says so
	Server    Cause = "server"    // a default, or a step of admission
	Generated Cause = "generated" // the server's too, and it will be another value in a real run
)

// Claim is what becomes of the writer's own claim on a field.
type Claim string

// The claims. The zero value means that the writer owns the field as before, or doesn't as before.
const (
	Kept    Claim = ""
	Gained  Claim = "gained" // the writer owns it from now on, and nobody loses it
	Taken   Claim = "taken"  // … and somebody else no longer does
	Shared  Claim = "shared" // … beside others, who keep it
	GivenUp Claim = "given up"
)

// Row is what happens to one field.
type Row struct {
	Path string // in structured-merge-diff's notation
	What ownership.What
	// Old and New are the values as JSON, broken off where they are long; empty where there is none.
	Old, New      string
	Before, After []ownership.Owner // who owns it, and who would
	Cause         Cause
	// Why says how the cause is known where it is not You: which default, which rule of the server.
	Why   string
	Claim Claim
	// Lost are the owners, other than the writer, who no longer own the field although it stays.
	Lost []ownership.Owner
	// Vanishes tells that the field goes away because the writer gives it up and nobody else holds it.
	Vanishes bool
	// Whole tells that it is a list that is compared, and owned, as a whole.
	Whole bool
	// Words say in a sentence or two what happens.
	Words string

	Was, Is *manifest.Node // in Preview.Before and Preview.After; nil where there is none
}

// Counts sum up rows.
type Counts struct {
	Added, Changed, Removed, Owners int // rows by what happens
	You, Server, Generated          int // rows by cause
	Gained, Taken, Shared, GivenUp  int // rows by what becomes of the writer's claim
	Vanish                          int
}

// Preview is what a write would do.
type Preview struct {
	New    bool // the object comes to be
	Rows   []Row
	Counts Counts
	// Managers are who owns anything before or after, the writer first, then as the records have them.
	Managers []ownership.Owner
	// Before and After are the object as it is and as it would be, without managedFields. Before is empty for a new object.
	Before, After manifest.Document
	// Lines are both side by side.
	Lines []Line
	// Wanted is the live object with the writer's part of the change, and nothing that is the server's doing. For a new
	// object it is what was sent.
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
