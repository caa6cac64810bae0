// Package dependents shows the owners and the dependents of an object, with their states: objects connected by owner references.
package dependents

import (
	"slices"
	"time"
)

// Ref is an owner or a dependent of an object.
type Ref struct {
	Kind       string    `json:"kind"`
	APIVersion string    `json:"apiVersion"`
	Namespace  string    `json:"namespace"`
	Name       string    `json:"name"`
	Href       string    `json:"href"` // empty: the cluster doesn't serve the type
	Controller bool      `json:"controller"`
	Blocks     bool      `json:"blocks"`
	Others     int       `json:"others,omitempty"` // the number of its other owners
	Created    time.Time `json:"created"`
	Depth      int       `json:"depth"` // 0: owned by the object itself, 1: owned by one of its dependents, and so on
	State      State     `json:"state,omitzero"`
	Current    bool      `json:"current,omitempty"` // it is the object that the page shows
	Missing    string    `json:"missing,omitempty"` // says why there is no such object; empty: there is one, or Fieldmark doesn't know
}

// Search says where dependents were searched, because no API request lists them.
type Search struct {
	At       time.Time `json:"at"`
	Types    int       `json:"types"`    // the number of searched types
	Objects  int       `json:"objects"`  // the number of searched objects
	Where    string    `json:"where"`    // a namespace, or everywhere
	LeftOut  []string  `json:"leftOut"`  // types that couldn't be searched, each with the reason
	Finished bool      `json:"finished"` // false: time ran out
}

// Tag is a word on a Ref, and what it means.
type Tag struct{ Text, Hint string }

// Tags that an owner or a dependent may have.
var (
	Blocks = Tag{"blocks deletion", "blockOwnerDeletion: a foreground deletion keeps the owner until this object is deleted."}
	Stays  = Tag{"stays", "This object, or one of its owners, has another owner. So it stays, and loses only the reference to this owner."}
)

// Stay tells which dependents the garbage collector doesn't delete with the object: those that have another owner, and their own
// dependents. The dependents must be in the order in which they are shown, each followed by its own dependents.
func Stay(owned []Ref) []bool {
	stay := make([]bool, len(owned))
	kept := -1 // the depth of the last dependent that stays, while its own dependents follow
	for i, r := range owned {
		if kept >= 0 && r.Depth <= kept {
			kept = -1
		}
		if kept < 0 && r.Others > 0 {
			kept = r.Depth
		}
		stay[i] = kept >= 0
	}
	return stay
}

// Blocking counts the dependents that a foreground deletion of the object waits for.
func Blocking(owned []Ref) int {
	n := 0
	for _, r := range owned {
		if r.Depth == 0 && r.Blocks {
			n++
		}
	}
	return n
}

// Direct returns the dependents that the object itself owns.
func Direct(owned []Ref) []Ref {
	return slices.DeleteFunc(slices.Clone(owned), func(r Ref) bool { return r.Depth > 0 })
}
