package act

import "strings"

// Shape is how an option is entered.
type Shape string

// The shapes.
const (
	Number Shape = "number" // a whole number
	Text   Shape = "text"   // one line
	Choice Shape = "choice" // one of Choices
	Flag   Shape = "flag"   // Yes, or empty
	Pairs  Shape = "pairs"  // a line each: key=value sets, key- removes
)

// Yes is the value of a Flag that is set.
const Yes = "yes"

// Option is something that the reader chooses.
type Option struct {
	Name    string // in addresses, and in Chosen
	Label   string
	Hint    string // a sentence; may be empty
	Shape   Shape
	Choices []Value // of a Choice
	Default string  // for this object
}

// Value is a value of a Choice.
type Value struct {
	Value string // in addresses
	Label string
	Hint  string // may be empty
}

// Words are the label and the hint, in one line.
func (v Value) Words() string {
	if v.Hint == "" {
		return v.Label
	}
	return v.Label + " · " + v.Hint
}

// Chosen is what the reader chose, by the names of options. A Flag that isn't set is an empty text; an option without an entry has its
// default.
type Chosen map[string]string

// chose is the value of an option: what the reader chose, or the default.
func (p *planner) chose(name string) string {
	for _, o := range p.options {
		if o.Name != name {
			continue
		}
		if v, ok := p.chosen[name]; ok {
			return strings.TrimSpace(v)
		}
		return o.Default
	}
	return ""
}
