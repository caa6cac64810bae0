// Package dependents shows objects that are tied to another by owner references: what owns it, and what it owns.
package dependents

import (
	"slices"
	"time"
)

// Ref is an object that another one is tied to by ownership.
type Ref struct {
	Kind       string    `json:"kind"`
	APIVersion string    `json:"apiVersion"`
	Namespace  string    `json:"namespace"`
	Name       string    `json:"name"`
	Href       string    `json:"href"` // empty: the type is not served here
	Controller bool      `json:"controller"`
	Blocks     bool      `json:"blocks"`
	Others     int       `json:"others,omitempty"` // owners that it has besides
	Created    time.Time `json:"created"`
	Depth      int       `json:"depth"` // 0: owned by the object itself, 1: by one of those, …
}

// Search says where owned objects were looked for: no server can be asked for them directly.
type Search struct {
	At       time.Time `json:"at"`
	Types    int       `json:"types"`    // types looked through
	Objects  int       `json:"objects"`  // objects looked at
	Where    string    `json:"where"`    // a namespace, or everywhere
	LeftOut  []string  `json:"leftOut"`  // types that could not be looked through, each with the reason
	Finished bool      `json:"finished"` // false: time ran out
}

// Tag is a word on a Ref, and what it means.
type Tag struct{ Text, Hint string }

// Tags that an owner or a dependent may have.
var (
	Blocks = Tag{"blocks deletion", "blockOwnerDeletion: a foreground deletion keeps the owner until this object is deleted."}
	Stays  = Tag{"stays", "This object, or one of its owners, has another owner. So it stays, and loses only the reference to this owner."}
)

// Stay tells which of an object's dependents the garbage collector leaves alone when it goes: those with another owner, and
// what those own in turn. They come in the order in which they are shown, each followed by what it owns.
func Stay(owned []Ref) []bool {
	stay := make([]bool, len(owned))
	kept := -1 // the depth of the one that stays, while what follows is below it
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

// Blocking counts what a foreground deletion waits for directly.
func Blocking(owned []Ref) int {
	n := 0
	for _, r := range owned {
		if r.Depth == 0 && r.Blocks {
			n++
		}
	}
	return n
}

// Direct are those that the object itself owns.
func Direct(owned []Ref) []Ref {
	return slices.DeleteFunc(slices.Clone(owned), func(r Ref) bool { return r.Depth > 0 })
}
