// Package column has the columns that a reader adds to a table of objects. Each shows a label, an annotation, a field or the age of the objects.
//
//	age                               the row has it
//	label:app                         the row has it
//	annotation:example.com/team       needs the object's metadata
//	.metadata.generation              the same
//	.spec.containers[*].image         needs the whole object
//	.status.conditions[type="Ready"].status
package column

import (
	"errors"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Bounds of the columns of a table.
const (
	Most     = 8
	mostText = 300 // bytes of a column's notation
)

// The notation of columns that are no fields.
const (
	AgeText          = "age"
	LabelPrefix      = "label:"
	AnnotationPrefix = "annotation:"
)

// Source is where the value of a column comes from. A later source is more expensive.
type Source int

// The sources.
const (
	Row      Source = iota // each row has the value
	Metadata               // the metadata of the object
	Whole                  // the whole object
)

// Column is one column. The zero value is none.
type Column struct {
	text  string
	label string
	steps []typed.Step // from the object to the value; nil: the row has the value
}

// The reasons why a text is no column. A page shows them.
var (
	ErrEmpty  = errors.New("type a label, an annotation or the path of a field")
	ErrLong   = errors.New("the text is too long")
	ErrPath   = errors.New("the path isn’t valid. Write it like .spec.containers[*].image")
	ErrSecret = errors.New("the data of a Secret can’t be a column. Only labels, annotations, metadata and the age can")
)

// Parse reads the notation of a column. Different texts of the same column give the same column.
func Parse(text string) (Column, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\ufffd"))
	switch label, isLabel := strings.CutPrefix(text, LabelPrefix); {
	case text == "":
		return Column{}, ErrEmpty
	case len(text) > mostText:
		return Column{}, ErrLong
	case strings.EqualFold(text, AgeText):
		return Column{text: AgeText}, nil
	case isLabel:
		return labeled(strings.TrimSpace(label))
	}
	if key, is := strings.CutPrefix(text, AnnotationPrefix); is {
		return annotated(strings.TrimSpace(key))
	}
	steps, err := typed.Steps(text)
	if err != nil || len(steps) == 0 {
		return Column{}, ErrPath
	}
	return ofSteps(steps)
}

func labeled(key string) (Column, error) {
	if key == "" {
		return Column{}, ErrEmpty
	}
	return Column{text: LabelPrefix + key, label: key}, nil
}

func annotated(key string) (Column, error) {
	if key == "" {
		return Column{}, ErrEmpty
	}
	return Column{text: AnnotationPrefix + key, steps: []typed.Step{{Name: "metadata"}, {Name: "annotations"}, {Name: key}}}, nil
}

// ofSteps is the column of a path. A label or an annotation has its own notation.
func ofSteps(steps []typed.Step) (Column, error) {
	if len(steps) == 3 && steps[0].Name == "metadata" && !steps[2].Item {
		switch steps[1].Name {
		case "labels":
			return labeled(steps[2].Name)
		case "annotations":
			return annotated(steps[2].Name)
		}
	}
	var b strings.Builder
	for _, s := range steps {
		if s.Item {
			b.WriteString(s.String())
		} else {
			b.WriteString(schema.Path{s.Name}.String())
		}
	}
	if b.Len() > mostText {
		return Column{}, ErrLong
	}
	return Column{text: b.String(), steps: steps}, nil
}

// String is the notation that Parse reads.
func (c Column) String() string { return c.text }

// Label is the key of the label that the column shows; empty: it shows no label.
func (c Column) Label() string { return c.label }

// Age tells whether the column shows the age.
func (c Column) Age() bool { return c.text == AgeText }

// Source is where the values come from.
func (c Column) Source() Source {
	switch {
	case len(c.steps) == 0:
		return Row
	case c.steps[0].Name == "metadata":
		return Metadata
	}
	return Whole
}

// FitsSecrets returns an error if the column could show the data of a Secret. Only metadata can be a column, and of annotations not the one
// that has a copy of the manifest.
func (c Column) FitsSecrets() error {
	if c.Source() == Whole {
		return ErrSecret
	}
	if len(c.steps) > 2 && c.steps[1].Name == "annotations" && object.Doubt.Below("annotations").Below(c.steps[2].Name).Whole() {
		return ErrSecret
	}
	return nil
}

// quantities are the names of fields whose values are quantities.
var quantities = []string{"requests", "limits", "capacity", "allocatable", "hard", "used", "cpu", "memory", "storage"}

// Quantity tells whether the values are quantities, so that 500m is less than 1. Elsewhere, 5m is a time.
func (c Column) Quantity() bool {
	for _, s := range c.steps {
		for _, name := range quantities {
			if s.Name == name {
				return true
			}
		}
	}
	return false
}
