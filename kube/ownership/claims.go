package ownership

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v4/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v4/value"
)

// claim is a node in the tree of an entry's claims: a key, and the claims below it.
type claim struct {
	id       int    // within its entry
	key      string // as written in managedFields
	known           // the parsed key
	parent   *claim
	member   bool // the value itself is claimed, not only something in it
	hollow   bool // something below it can't be read
	children []*claim
}

// childless tells whether a claim names a value and nothing in the value.
func (c *claim) childless() bool { return len(c.children) == 0 && !c.hollow }

// keys are the keys from the root to the claim, as written in managedFields.
func (c *claim) keys() []string {
	var all []string
	for ; c.parent != nil; c = c.parent {
		all = append(all, c.key)
	}
	slices.Reverse(all)
	return all
}

func (c *claim) path() string {
	var steps []string
	for ; c.parent != nil; c = c.parent {
		steps = append(steps, c.step)
	}
	return spell(steps)
}

// maxDepth is how deep claims may be nested. Objects are not nested deeper.
const maxDepth = 200

// parser reads the claims of one entry after the other. It remembers parsed keys, because entries have many of the same keys.
type parser struct {
	keys  map[string]known
	owner Owner
	index int
	size  int
	lost  *[]Lost
}

// known is a parsed key.
type known struct {
	element fieldpath.PathElement
	step    string // in structured-merge-diff's notation
	rounded bool   // it has a number that may have lost its last digits
	err     error
}

func (p *parser) readClaims(set map[string]any) *claim {
	root := &claim{}
	p.children(root, set, 1)
	return root
}

func (p *parser) children(parent *claim, set map[string]any, depth int) {
	parent.children = make([]*claim, 0, len(set))
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if key == "." {
			parent.member = true
		} else if c := p.child(parent, key, set[key], depth); c != nil {
			parent.children = append(parent.children, c)
		}
	}
}

// child reads one key and the claims below it. Null means that there are none, as it does for the server.
func (p *parser) child(parent *claim, key string, v any, depth int) *claim {
	c := &claim{key: key, known: p.element(key), parent: parent}
	set, ok := v.(map[string]any)
	switch {
	case c.err != nil:
		return p.refuse(c, c.err)
	case !ok && v != nil:
		return p.refuse(c, errors.New("the claims below this key are not an object"))
	case depth > maxDepth:
		return p.refuse(c, fmt.Errorf("the key is nested more than %d levels deep", maxDepth))
	}
	p.size++
	c.id = p.size
	p.children(c, set, depth+1)
	if len(c.children) == 0 && !c.hollow {
		c.member = true
	}
	return c
}

// refuse lists a key that can't be read. A manager that claims something below a node doesn't claim the node as a whole.
func (p *parser) refuse(c *claim, err error) *claim {
	c.parent.hollow = true
	reason := Unreadable
	if errors.Is(err, fieldpath.ErrUnknownPathElementType) {
		reason = Unknown
	}
	*p.lost = append(*p.lost, Lost{
		Owner: p.owner, Entry: p.index, Path: c.parent.path(), Keys: c.keys(), Reason: reason, Detail: err.Error(),
	})
	return nil
}

func (p *parser) element(key string) known {
	if k, ok := p.keys[key]; ok {
		return k
	}
	var k known
	k.element, k.rounded, k.err = readElement(key)
	if k.err == nil {
		k.step = cutText(k.element.String())
	}
	p.keys[key] = k
	return k
}

// readElement reads a key like structured-merge-diff, with one exception. There, numbers are floating point, and large ones lose their last
// digits. Here, they don't.
func readElement(key string) (e fieldpath.PathElement, rounded bool, err error) {
	kind, content, _ := strings.Cut(key, ":")
	switch kind {
	case "k":
		return readKey(content)
	case "v":
		return readValue(content)
	default:
		e, err = fieldpath.DeserializePathElement(key)
		if err != nil && !errors.Is(err, fieldpath.ErrUnknownPathElementType) {
			err = fmt.Errorf("the key can't be read: %w", err)
		}
		return e, false, err
	}
}

func readKey(content string) (e fieldpath.PathElement, rounded bool, err error) {
	decoded, err := decode(content)
	if err != nil {
		return e, false, err
	}
	fields, ok := decoded.(map[string]any)
	if !ok || len(fields) == 0 {
		return e, false, errors.New("the key of a list item is not an object, or is empty")
	}
	list := make(value.FieldList, 0, len(fields))
	for name, v := range fields {
		s, ok := scalarOf(v)
		if !ok {
			return e, false, fmt.Errorf("the field %q in the key of a list item is not a plain value", name)
		}
		list = append(list, value.Field{Name: name, Value: value.NewValueInterface(s)})
		rounded = rounded || mayBeRounded(s)
	}
	list.Sort()
	return fieldpath.PathElement{Key: &list}, rounded, nil
}

func readValue(content string) (e fieldpath.PathElement, rounded bool, err error) {
	decoded, err := decode(content)
	if err != nil {
		return e, false, err
	}
	s, ok := scalarOf(decoded)
	if !ok {
		return e, false, errors.New("the item of a set is not a plain value")
	}
	v := value.NewValueInterface(s)
	return fieldpath.PathElement{Value: &v}, mayBeRounded(s), nil
}

func decode(content string) (any, error) {
	d := json.NewDecoder(bytes.NewReader([]byte(content)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the key can't be read: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("the key can't be read: it has extra text at its end")
	}
	return v, nil
}
