package schema

import (
	"slices"
	"strings"
)

// Difference is a field that differs between versions of a kind.
type Difference struct {
	Path string   `json:"path"`
	In   []string `json:"in"` // the field in each version, in words; empty: the version doesn't have the field
}

// maxCompared is the maximum number of fields that are compared, and maxDeep the maximum number of levels.
const (
	maxCompared = 4000
	maxDeep     = 12
)

// Differ compares the fields of one kind in several versions. If a version doesn't have a field, its subfields are skipped, because
// they are missing, too. If there are too many fields to compare, whole is false.
func Differ(versions []Schema) (differences []Difference, whole bool) {
	left := maxCompared
	c := comparison{versions: versions, left: &left}
	c.compare(nil)
	return c.found, left > 0
}

type comparison struct {
	versions []Schema
	left     *int
	found    []Difference
}

// compare compares the subfields of a field that all versions have.
func (c *comparison) compare(at Path) {
	if len(at) > maxDeep {
		return
	}
	fields, paths := map[string][]*Field{}, map[string]Path{}
	for n, s := range c.versions {
		for _, f := range s.Children(at) {
			key := f.Path.String()
			if fields[key] == nil {
				fields[key], paths[key] = make([]*Field, len(c.versions)), f.Path
			}
			fields[key][n] = &f
		}
	}
	for _, key := range sorted(fields) {
		if *c.left--; *c.left <= 0 {
			return
		}
		if key == ".metadata" || key == ".apiVersion" || key == ".kind" {
			continue // they are the same in every object
		}
		if all := fields[key]; c.compareField(key, all) && slices.ContainsFunc(all, func(f *Field) bool { return f.Parent }) {
			c.compare(paths[key])
		}
	}
}

// compareField notes a field that differs, and tells whether all versions have it.
func (c *comparison) compareField(key string, fields []*Field) (everywhere bool) {
	d := Difference{Path: key}
	same, everywhere := true, true
	for _, f := range fields {
		is := ""
		if f != nil {
			is = f.form()
		}
		same = same && (len(d.In) == 0 || d.In[0] == is)
		everywhere = everywhere && f != nil
		d.In = append(d.In, is)
	}
	if !same {
		c.found = append(c.found, d)
	}
	return everywhere
}

// form says in words which values the field allows.
func (f Field) form() string {
	words := []string{f.Type}
	if f.Type == "" {
		words[0] = "anything"
	}
	if f.Required {
		words = append(words, "required")
	}
	if f.Default != "" {
		words = append(words, "default "+f.Default)
	}
	if len(f.Enum) > 0 {
		words = append(words, "one of "+strings.Join(f.Enum, ", "))
	}
	if f.Deprecated {
		words = append(words, "deprecated")
	}
	return strings.Join(words, ", ")
}
