// Package objects compares two objects: the values of their fields, and who owns each field. They may be the same object of two clusters, or two objects
// of one cluster.
//
//	left  ─▶ values, owners ─┐                     ┌─ other values, with the owners of both
//	                         ├─▶ field by field ──▶├─ equal values that other managers own
//	right ─▶ values, owners ─┘                     └─ how many always differ: uid, resourceVersion …
//
// Secret values are hidden. A comparison tells that a secret value differs, and not which value it is.
package objects

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/compare"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// Bounds of a comparison: of its fields, and of a value in bytes. A longer value is cut so that it shows where it differs.
const (
	MostFields = 400
	longest    = 240
)

// Field is a field in which two objects differ.
type Field struct {
	Path   string       `json:"path"` // in structured-merge-diff's notation
	What   compare.What `json:"what"` // Only or Changes for values; Same if only the owners differ
	Status bool         `json:"status,omitempty"`
	Left   Side         `json:"left"`
	Right  Side         `json:"right"`
}

// Side is a field in one of the objects. Without a value, the object doesn't have the field.
type Side struct {
	Value  string            `json:"value,omitempty"` // as JSON; empty for a map or a list whose owners differ
	Owners []ownership.Owner `json:"owners,omitempty"`
}

// Pair are two objects, and how they differ.
type Pair struct {
	Names    [2]string            `json:"names"` // kind, namespace and name: "Deployment shop/web"
	Managers [2][]ownership.Owner `json:"managers"`
	Fields   []Field              `json:"fields,omitempty"` // at most MostFields, in the order of the objects
	Values   int                  `json:"values"`           // fields with other values
	Owners   int                  `json:"owners"`           // fields with equal values and other owners
	Varies   int                  `json:"varies"`           // fields that always differ; they aren't in Fields
}

// More is how many fields are left out of Fields.
func (p *Pair) More() int { return p.Values + p.Owners - len(p.Fields) }

// Of compares the objects in two responses; nil if one of them isn't a whole object as JSON.
func Of(left, right compare.Response) *Pair {
	a, ok := read(left)
	b, also := read(right)
	if !ok || !also {
		return nil
	}
	p := &Pair{}
	var blames [2]*ownership.Blame
	shown := [2]object.Object{a.MaskedBeside(b), b.MaskedBeside(a)}
	for i, one := range []object.Object{a, b} {
		record := ownership.Parse(one.Fields)
		p.Names[i] = one.Kind() + " " + strings.TrimPrefix(one.Meta("namespace")+"/"+one.Meta("name"), "/")
		for _, e := range record.Entries {
			p.Managers[i] = append(p.Managers[i], e.Owner)
		}
		blames[i] = record.On(manifest.Tree(shown[i].WithoutManagedFields().Fields), nil)
	}
	found := change.Between(change.Input{Live: shown[0].Fields, Predicted: shown[1].Fields}, blames[0], blames[1], blames[1])
	for _, r := range found.Rows {
		p.add(r)
	}
	return p
}

// read is the object in a response. What comes from the path of Secrets must be a Secret, because only then it is known what to hide.
func read(r compare.Response) (object.Object, bool) {
	if r.Status != 200 || r.Cut {
		return object.Object{}, false
	}
	o, err := object.Parse(r.Body)
	if err != nil || o.Meta("name") == "" || r.Secret && !o.IsSecret() {
		return object.Object{}, false
	}
	return o, true
}

func (p *Pair) add(r change.Row) {
	f := Field{Path: r.Path, Status: len(r.Parts) > 0 && r.Parts[0] == ".status", Left: Side{r.Old, r.Before}, Right: Side{r.New, r.After}}
	switch {
	case r.What == ownership.Passed:
		p.Owners++
		f.Left.Value, _ = plain.Apart(f.Left.Value, "", longest)
		f.Right.Value = f.Left.Value
	case compare.VariesAt(way(r.Parts)):
		p.Varies++
		return
	default:
		p.Values++
		if f.What = compare.Changes; r.What != ownership.Changed {
			f.What = compare.Only
		}
		f.Left.Value, f.Right.Value = plain.Apart(f.Left.Value, f.Right.Value, longest)
	}
	if len(p.Fields) < MostFields {
		p.Fields = append(p.Fields, f)
	}
}

// way is a path as the names of its steps. The name of an item is no matter.
func way(parts []string) []string {
	names := slices.Clone(parts)
	for i, step := range names {
		names[i], _ = strings.CutPrefix(step, ".")
	}
	return names
}
