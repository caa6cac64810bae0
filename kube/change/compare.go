package change

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Base is a live object, prepared once for many previews of writes.
type Base struct {
	live     map[string]any
	schema   *schema.Schema
	known    ownership.Schema
	document manifest.Document
	blame    *ownership.Blame
}

// Lay prepares a live object. Nil is an object that doesn't exist yet. The schema may be nil.
func Lay(live map[string]any, known *schema.Schema) (*Base, error) {
	b := &Base{live: live, schema: known, document: manifest.Document{Root: manifest.Tree(map[string]any{})}}
	if known != nil {
		b.known = known.Knowledge()
	}
	if live != nil {
		document, err := manifest.YAMLDocument(content(live))
		if err != nil {
			return nil, fmt.Errorf("can't write the live object as YAML: %w", err)
		}
		b.document = document
	}
	b.blame = ownership.Parse(live).On(b.document.Root, b.known)
	return b, nil
}

// Compare tells what a write would do.
func Compare(in Input) (Preview, error) {
	b, err := Lay(in.Live, in.Schema)
	if err != nil {
		return Preview{}, err
	}
	return b.Compare(in.Predicted, in.Sent, in.Manager)
}

// Compare tells what a write to the object would do. Input explains its parameters.
func (b *Base) Compare(predicted, sent map[string]any, m ownership.Manager) (Preview, error) {
	document, err := manifest.YAMLDocument(content(predicted))
	if err != nil {
		return Preview{}, fmt.Errorf("can't write the predicted object as YAML: %w", err)
	}
	after := ownership.Parse(predicted)
	in := Input{Live: b.live, Predicted: predicted, Sent: sent, Manager: m, Schema: b.schema}
	c := compare(in, b.blame, after.On(document.Root, b.known), after.On(manifest.Tree(content(sent)), b.known))
	c.Before, c.After = b.document, document
	c.Lines = c.lines()
	c.Wanted = c.wanted()
	return *c.Preview, nil
}

// Between tells what a write would do to an object whose owners are known before and after it. What was sent has the owners from after the write.
// The preview has no documents, lines and wanted object.
func Between(in Input, before, after, sent *ownership.Blame) Preview {
	return *compare(in, before, after, sent).Preview
}

func compare(in Input, before, after, sent *ownership.Blame) *comparison {
	p := Preview{New: in.Live == nil, before: before, after: after}
	c := &comparison{Input: in, Preview: &p, generated: generatorOf(in), sent: sent}
	c.nodes(before.Root, after.Root, sent.Root)
	if in.Manager.Operation == ownership.Apply {
		c.missing(sent.Root, after.Root)
	}
	p.Managers = c.managers()
	for _, r := range p.Rows {
		p.Counts.countRow(r)
	}
	return c
}

// comparison compares the live object (was), the object after the write (is), and the object that was sent.
type comparison struct {
	Input
	*Preview
	sent      *ownership.Blame
	generated generator
}

// nodes compares a value with its counterpart. If it was not sent, sent is nil.
func (c *comparison) nodes(was, is, sent *manifest.Node) {
	whole := c.isWhole(was, is)
	switch {
	case shape(was.Value) != shape(is.Value), whole && !equal(was.Value, is.Value):
		c.changed(was, is, sent, whole)
	case whole, len(was.Children) == 0 && len(is.Children) == 0:
		if equal(was.Value, is.Value) {
			c.passed(was, is, whole)
			return
		}
		c.changed(was, is, sent, false)
	default:
		c.passed(was, is, false)
		c.children(was, is, sent)
	}
}

func (c *comparison) children(was, is, sent *manifest.Node) {
	said := c.counterparts(c.after, is, sent)
	var kept map[*manifest.Node]*manifest.Node // of an update: the sent children that existed before
	if c.Manager.Operation != ownership.Apply {
		kept = c.counterparts(c.before, was, sent)
	}
	for _, pair := range ownership.Counterparts(c.before, c.after, was, is) {
		switch {
		case pair.New == nil:
			c.leaves(c.before, pair.Old, kept[pair.Old], c.removed)
		case pair.Old == nil:
			c.leaves(c.after, pair.New, said[pair.New], c.added)
		default:
			c.nodes(pair.Old, pair.New, said[pair.New])
		}
	}
}

// counterparts maps the children of a node, in one of the two versions, to what was sent for them.
func (c *comparison) counterparts(b *ownership.Blame, n, sent *manifest.Node) map[*manifest.Node]*manifest.Node {
	if sent == nil || shape(n.Value) != shape(sent.Value) {
		return nil
	}
	all := make(map[*manifest.Node]*manifest.Node, len(sent.Children))
	for _, pair := range ownership.Counterparts(c.sent, b, sent, n) {
		if pair.New != nil && pair.Old != nil {
			all[pair.New] = pair.Old
		}
	}
	return all
}

// leaves visits all values without children, and lists that are compared as one value. Of what an apply removes, it visits the outermost fields
// that the writer claims, because they are removed as a whole.
func (c *comparison) leaves(b *ownership.Blame, n, sent *manifest.Node, visit func(n, sent *manifest.Node)) {
	if len(n.Children) == 0 || oneValue(b, n) || b == c.before && c.Manager.Operation == ownership.Apply && c.mine(b.Owners(n)) {
		visit(n, sent)
		return
	}
	said := c.counterparts(b, n, sent)
	for _, child := range n.Children {
		c.leaves(b, child, said[child], visit)
	}
}

// isWhole tells whether a list is compared as one value. Such a list is owned as a whole, or has plain items without names.
func (c *comparison) isWhole(was, is *manifest.Node) bool {
	return shape(was.Value) == shape(is.Value) && oneValue(c.before, was) && oneValue(c.after, is)
}

func oneValue(b *ownership.Blame, n *manifest.Node) bool {
	if _, list := n.Value.([]any); !list {
		return false
	}
	if whole, ok := b.Whole(n); ok {
		return whole
	}
	return b.ByPlace(n) && !slices.ContainsFunc(n.Children, func(item *manifest.Node) bool { return len(item.Children) > 0 })
}

// shape distinguishes maps (1), lists (2) and other values (0).
func shape(v any) int {
	switch v.(type) {
	case map[string]any:
		return 1
	case []any:
		return 2
	default:
		return 0
	}
}

// maxValue is the number of bytes of a value in a row.
const maxValue = 2000

// written is a value as JSON, cut after maxValue bytes.
func written(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "?" // doesn't happen: decoded values can be encoded
	}
	if len(text) <= maxValue {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:maxValue]), "") + "…"
}
