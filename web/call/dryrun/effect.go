package dryrun

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// Effect is what a request does to an object, or did: which values become others, and which fields pass from whom to whom.
type Effect struct {
	Values []Value // that change, but for what the server writes at every change
	Passed []Passing
	Fields int // that pass
}

// Value is a field whose value becomes another one.
type Value struct {
	Path     string
	Old, New string   // as JSON; empty: there is none
	Owners   []string // of what is there then, or was there
}

// Passing are fields that pass from the same owners to the same others.
type Passing struct {
	Before, After []string
	Paths         []string
}

// Compare tells what became of an object, or would. Nothing of a Secret's values is in it.
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

// words say what happens to it, and whose it is.
func (v Value) words() string {
	switch {
	case v.New == "":
		return "The field is removed. It was owned by " + who(v.Owners) + "."
	case v.Old == "":
		return "The field is new. It is owned by " + who(v.Owners) + "."
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

// Nothing tells that no value and no owner changes.
func (e Effect) Nothing() bool { return len(e.Values) == 0 && e.Fields == 0 }

// who lists owners in words.
func who(owners []string) string {
	if len(owners) == 0 {
		return "nobody"
	}
	return strings.Join(owners, ", ")
}
