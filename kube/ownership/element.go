package ownership

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// element is one key of managedFields, read: a step of a path. One of its four parts is given.
type element struct {
	field *string // f: the name of a field
	key   []part  // k: a list item, by the fields that name it, sorted
	value *any    // v: an item of a set, by its value
	index *int    // i: a list item, by its place
}

// part is a field that names a list item.
type part struct {
	name  string
	value any // a scalar
}

// errUnknownElement is a key of a kind that is not known.
var errUnknownElement = errors.New("unknown path element type")

// plainElement reads a key of the kinds f and i.
func plainElement(key string) (element, error) {
	kind, content, found := strings.Cut(key, ":")
	switch {
	case !found || len(kind) != 1:
		return element{}, fmt.Errorf("the key can't be read: missing colon: %s", key)
	case kind == "f":
		return element{field: &content}, nil
	case kind == "i":
		i, err := strconv.Atoi(content)
		if err != nil {
			return element{}, fmt.Errorf("the key can't be read: %w", err)
		}
		return element{index: &i}, nil
	default:
		return element{}, errUnknownElement
	}
}

func keyed(parts []part) element {
	slices.SortFunc(parts, func(a, b part) int { return cmp.Compare(a.name, b.name) })
	return element{key: parts}
}

// String writes the step in structured-merge-diff's notation.
func (e element) String() string {
	switch {
	case e.field != nil:
		return "." + *e.field
	case e.value != nil:
		return "[=" + written(*e.value) + "]"
	case e.index != nil:
		return "[" + strconv.Itoa(*e.index) + "]"
	}
	all := make([]string, len(e.key))
	for i, p := range e.key {
		all[i] = p.name + "=" + written(p.value)
	}
	return "[" + strings.Join(all, ",") + "]"
}

// written is a scalar as the notation has it.
func written(scalar any) string {
	switch v := scalar.(type) {
	case nil:
		return "null"
	case string:
		return strconv.Quote(v)
	default:
		return fmt.Sprint(v)
	}
}
