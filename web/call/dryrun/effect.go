package dryrun

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Effect is what a request does to an object, or did: values that change, and fields that only get other owners.
type Effect struct {
	Values []Value // without fields that the server writes at every change
	Passed []Passing
	Fields int // number of fields in Passed
}

// Value is a field whose value changes.
type Value struct {
	Path     string
	Old, New string   // as JSON; empty if there is no value
	Owners   []string // after the change; of a removed field, before it
}

// Passing are fields whose owners change from the same managers to the same managers.
type Passing struct {
	Before, After []string
	Paths         []string
}

// Compare returns the effect between two versions of an object. It contains no values of Secrets.
func Compare(before, after object.Object) (Effect, error) {
	before, after = before.Masked(), after.MaskedBeside(before)
	p, err := change.Compare(change.Input{Live: before.Fields, Predicted: after.Fields})
	if err != nil {
		return Effect{}, err
	}
	var e Effect
	for _, r := range p.Rows {
		if r.What != ownership.Passed {
			if r.Cause != change.Generated && !housekept(r.Path) {
				e.Values = append(e.Values, valueOf(r))
			}
			continue
		}
		e.pass(names(r.Before), names(r.After), r.Path)
	}
	return e, nil
}

func valueOf(r change.Row) Value {
	v := Value{Path: r.Path, Old: r.Old, New: r.New, Owners: names(r.After)}
	if r.What == ownership.Removed {
		v.Owners = names(r.Before)
	}
	return v
}

// ownershipText says what happens to the field, and who owns it.
func (v Value) ownershipText() string {
	switch {
	case v.New == "":
		return "The removed field was owned by " + who(v.Owners) + "."
	case v.Old == "":
		return "The new field is owned by " + who(v.Owners) + "."
	}
	return "The field is owned by " + who(v.Owners) + "."
}

// housekept tells whether the server writes a field at every change.
func housekept(path string) bool {
	return path == ".metadata.resourceVersion" || path == ".metadata.generation"
}

func (e *Effect) pass(before, after []string, path string) {
	e.Fields++
	for i, p := range e.Passed {
		if slices.Equal(p.Before, before) && slices.Equal(p.After, after) {
			e.Passed[i].Paths = append(e.Passed[i].Paths, path)
			return
		}
	}
	e.Passed = append(e.Passed, Passing{Before: before, After: after, Paths: []string{path}})
}

func names(owners []ownership.Owner) []string {
	all := make([]string, 0, len(owners))
	for _, o := range owners {
		if name := o.Words(); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// Nothing tells whether no value and no owner changes.
func (e Effect) Nothing() bool { return len(e.Values) == 0 && e.Fields == 0 }

// who lists owners, or says that there is none.
func who(owners []string) string {
	if len(owners) == 0 {
		return "nobody"
	}
	return strings.Join(owners, ", ")
}
