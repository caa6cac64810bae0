package blame

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Written is an object as YAML, with the owners of each line. Values of Secrets are masked.
type Written struct {
	Object object.Object
	Lines  []Line
	// Lost are the fields of managedFields that no line shows.
	Lost []ownership.Lost

	blame *ownership.Blame
}

// Line is one line of the YAML.
type Line struct {
	Number int
	Text   string
	Path   string // in structured-merge-diff's notation; empty: the line continues the text above
	Owners []ownership.Owner
	// Nobody tells that the line has a value that no manager owns. A line without owners and without Nobody begins a map or a list.
	Nobody  bool
	Default bool // the value is the schema's default
	// Elsewhere are the owners of fields of other API versions that may be this value, which has no owner in this version.
	Elsewhere []ownership.Owner
	Begins    bool // its owners differ from those of the line above
}

// Write finds the owners of each line of an object. Without a schema, it knows no defaults, and not which lists and maps are atomic.
func Write(o object.Object, known *schema.Schema) (Written, error) {
	o = o.Masked()
	w, err := owners.Write(o, knowledge(known))
	if err != nil {
		return Written{}, err
	}
	written := Written{Object: o, Lost: w.Blame.Lost(), blame: w.Blame}
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
		if !l.Default && l.Path != "" {
			l.Elsewhere = r.Elsewhere
		}
		l.Begins = runs.Begins(r) || l.Path != "" && l.Default != byDefault
		byDefault = l.Default
		written.Lines = append(written.Lines, l)
	}
	return written, nil
}

// WriteValue finds the owners of one value. Lines has one line, without a number and a text. If the path isn't that of one value, or nobody owns the
// value, ok is false, and Write can tell more.
func WriteValue(o object.Object, known *schema.Schema, path string) (w Written, ok bool) {
	b := ownership.Parse(o.Fields).On(manifest.Tree(along(o.WithoutManagedFields().Fields, ".apiVersion", ".kind", path, typed.Path(path))), knowledge(known))
	found := b.Meant(path)
	if len(found) != 1 || len(found[0].Children) > 0 || len(b.Owners(found[0])) == 0 {
		return Written{}, false
	}
	holders := b.Owners(found[0])
	l := Line{Path: b.Path(found[0]), Begins: true}
	for _, m := range owners.Of(b.Record.Managers()) {
		if slices.Contains(holders, m.Owner) {
			l.Owners = append(l.Owners, m.Owner)
		}
	}
	return Written{Object: o, Lines: []Line{l}, blame: b}, true
}

// along is a value with only those fields to which one of the paths can lead. Lists keep their items, because only owners and the schema name them.
func along(value any, paths ...string) any {
	fields, is := value.(map[string]any)
	if !is {
		return value
	}
	some := map[string]any{}
	for key, v := range fields {
		var rest []string
		for _, path := range paths {
			if after, is := strings.CutPrefix(path, "."+key); is && (after == "" || after[0] == '.' || after[0] == '[') {
				rest = append(rest, after)
			}
		}
		switch {
		case slices.Contains(rest, ""):
			some[key] = v
		case len(rest) > 0:
			some[key] = along(v, rest...)
		}
	}
	return some
}

func knowledge(known *schema.Schema) ownership.Schema {
	if known == nil {
		return nil
	}
	return known.Knowledge()
}

// isDefault tells whether a value is the schema's default.
func isDefault(s schema.Schema, n *manifest.Node) bool {
	f, found := s.Field(schema.PathOf(n))
	return found && f.IsDefault(n.Value)
}

// At finds the lines of a field and of everything in the field. The field's path may be written as people type it.
func (w Written) At(field string) ([]Line, error) {
	meant := w.blame.MeantPath(field)
	first := slices.IndexFunc(w.Lines, func(l Line) bool { return l.Path == meant })
	if first < 0 {
		near := w.blame.Nearest(field)
		if near != "" {
			near = ". Did you mean " + near + "?"
		}
		return nil, fmt.Errorf("%s has no field %s%s", name(w.Object), meant, near)
	}
	field = meant
	end := first + 1
	for end < len(w.Lines) && (w.Lines[end].Path == "" || within(w.Lines[end].Path, field)) {
		end++
	}
	return w.Lines[first:end], nil
}

func within(path, field string) bool {
	rest, ok := strings.CutPrefix(path, field)
	return ok && (strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "["))
}

// FieldOwners are the owners of a field, and its path in structured-merge-diff's notation. A field that has no owner as a whole has those of its parts.
func FieldOwners(o object.Object, known *schema.Schema, field string) (path string, all []ownership.Owner, err error) {
	w, ok := WriteValue(o, known, field)
	lines := w.Lines
	if !ok {
		if w, err = Write(o, known); err == nil {
			lines, err = w.At(field)
		}
		if err != nil {
			return "", nil, err
		}
	}
	var found distinct
	for i, l := range lines {
		if i == 0 || len(lines[0].Owners) == 0 && l.Path != "" {
			found.addOwners(l.Owners)
		}
	}
	return lines[0].Path, found.all, nil
}
