package redact

// kind of a value.
type kind uint8

const (
	other   kind = iota // a number, true, false, null
	str                 // a text
	mapping             // fields, in their order
	list
)

// node is a value of JSON or YAML, as far as it has come.
type node struct {
	kind kind
	text string  // of a text or a number, as it reads
	key  *node   // of a field: its name, a text
	kids []*node // fields or items
	cut  bool    // its end, or that of something in it, is missing

	changed bool   // clean stands in the place of text
	clean   string // what may be shown of it

	from, to int // where it is in a text of JSON
}

func (n *node) name() string {
	if n.key == nil {
		return ""
	}
	return n.key.text
}

// field gives a field by one of its names; nil: there is none.
func (n *node) field(names ...string) *node {
	for _, name := range names {
		for _, kid := range n.kids {
			if kid.name() == name {
				return kid
			}
		}
	}
	return nil
}

// hide takes all of a value out that could be secret.
func (n *node) hide() {
	switch n.kind {
	case str, other:
		if !saysNothing(n.text) || n.kind == str && n.cut && n.text != "" {
			n.changed, n.clean = true, Mark
		}
	case mapping, list:
		for _, kid := range n.kids {
			kid.hide()
		}
	}
}
