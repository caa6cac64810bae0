package blame

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Written is an object as YAML, masked, each line with its owners.
type Written struct {
	Object object.Object
	Lines  []Line
	// Lost are claims that no line shows.
	Lost []ownership.Lost
}

// Line is a line of it.
type Line struct {
	Number int
	Text   string
	Path   string // in structured-merge-diff's notation; empty: more of the text that began further up
	Owners []ownership.Owner
	// Nobody tells that it is a value that no manager claims. A line without owners that is not nobody's begins something that holds more.
	Nobody  bool
	Default bool // the schema gives it this value by default
	Begins  bool // others own it than what is above
}

// Write lays the record of ownership on an object. Without a schema, what only that knows is left out.
func Write(o object.Object, known *schema.Schema) (Written, error) {
	var knowledge ownership.Schema
	if known != nil {
		knowledge = known.Knowledge()
	}
	o = o.Masked()
	w, err := owners.Write(o, knowledge)
	if err != nil {
		return Written{}, err
	}
	written := Written{Object: o, Lost: w.Blame.Lost()}
	var runs owners.Runs
	byDefault := false
	for i, r := range w.Rows {
		l := Line{Number: i + 1, Text: w.Document.Lines[i].String()}
		if r.Kind != ownership.Text {
			l.Path, l.Nobody = r.Path, r.Nobody()
		}
		for _, c := range r.Columns {
			l.Owners = append(l.Owners, w.Managers[c].Owner)
		}
		l.Default = l.Nobody && known != nil && isDefault(*known, r.Node)
		l.Begins = runs.Begins(r) || l.Path != "" && l.Default != byDefault
		byDefault = l.Default
		written.Lines = append(written.Lines, l)
	}
	return written, nil
}

// isDefault tells whether a value is the one that the schema gives where none is stated.
func isDefault(s schema.Schema, n *manifest.Node) bool {
	f, found := s.Field(schema.PathOf(n))
	if !found || f.Default == "" {
		return false
	}
	value, err := json.Marshal(n.Value)
	return err == nil && string(value) == f.Default
}

// at finds the lines of a field: its own, and those of what is in it.
func (w Written) at(field string) []Line {
	first := slices.IndexFunc(w.Lines, func(l Line) bool { return l.Path == field })
	if first < 0 {
		return nil
	}
	end := first + 1
	for end < len(w.Lines) && (w.Lines[end].Path == "" || within(w.Lines[end].Path, field)) {
		end++
	}
	return w.Lines[first:end]
}

func within(path, field string) bool {
	rest, ok := strings.CutPrefix(path, field)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "["))
}
