package change

import (
	"encoding/json"
	"math"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/usage"
)

// Missed is a field of an apply that doesn't arrive: the dry run returned another value, or none.
type Missed struct {
	Path  string   // in structured-merge-diff's notation
	Parts []string // the steps that lead to the field
	// Null tells that null was sent. The server then has a value nevertheless.
	Null bool
	// Stays tells that the field already has the returned value.
	Stays bool
	// Words say in a sentence or two what was sent, and what was returned.
	Words string
}

// missing finds what doesn't arrive. Sent is a part of the request, and is is the same part of the returned object; nil: there is none.
func (c *comparison) missing(sent, is *manifest.Node) {
	path := c.sent.Path(sent)
	d := c.difference(sent, is)
	switch {
	case d == nil || byServerAlone(path):
	case is == nil && sent.Index < 0 && shape(sent.Value) == 1 && len(sent.Children) > 0 && !c.wholeMap(sent) && path != ".status":
		for _, child := range sent.Children {
			c.missing(child, nil)
		}
	case d.sent == sent || oneValue(c.sent, sent) || c.wholeMap(sent) || path == ".status":
		m := Missed{Path: path, Parts: c.sent.Parts(sent), Null: sent.Value == nil, Words: c.missedWords(sent, d)}
		if was := c.before.At(m.Parts); is != nil && was != nil {
			m.Stays = equal(was.Value, is.Value)
		}
		if m.Null {
			m.Words = nullWords(is, m.Stays)
		}
		c.Missed = append(c.Missed, m)
	default:
		for _, pair := range ownership.Counterparts(c.sent, c.after, sent, is) {
			if pair.Old != nil {
				c.missing(pair.Old, pair.New)
			}
		}
	}
}

func (c *comparison) wholeMap(n *manifest.Node) bool {
	whole, ok := c.sent.Whole(n)
	return ok && whole
}

// byServerAlone tells whether the server ignores what a request has in a field, and everybody expects that.
func byServerAlone(path string) bool {
	name, in := strings.CutPrefix(path, ".metadata.")
	if !in {
		return path == ".apiVersion" || path == ".kind"
	}
	name, _, _ = strings.Cut(name, ".")
	name, _, _ = strings.Cut(name, "[")
	return name != "labels" && name != "annotations" && name != "finalizers" && name != "ownerReferences"
}

// differing are the values at the first place where the request and the returned object differ. Is is nil if the object doesn't have the value.
type differing struct{ sent, is *manifest.Node }

// difference finds the first difference of what was sent and what was returned; nil if there is none. Fields that the server adds are no
// difference, and neither is a value that it only writes in another way.
func (c *comparison) difference(sent, is *manifest.Node) *differing {
	switch {
	case is == nil:
		if c.empty(sent) {
			return nil
		}
		return &differing{sent, nil}
	case sent.Value == nil:
		if is.Value == nil || c.empty(is) || c.New && !c.isKey(sent) {
			return nil
		}
		return &differing{sent, is}
	case shape(sent.Value) != shape(is.Value), len(sent.Children) == 0 && shape(sent.Value) == 0:
		if c.means(sent, is) {
			return nil
		}
		return &differing{sent, is}
	case oneValue(c.sent, sent) && len(sent.Children) != len(is.Children):
		return &differing{sent, is}
	}
	for _, pair := range ownership.Counterparts(c.sent, c.after, sent, is) {
		if pair.Old != nil {
			if d := c.difference(pair.Old, pair.New); d != nil {
				return d
			}
		}
	}
	return nil
}

// empty tells whether the server may leave a value out, because it means the same as no value.
func (c *comparison) empty(n *manifest.Node) bool {
	switch v := n.Value.(type) {
	case nil:
		return true
	case string, bool, json.Number:
		return !c.isKey(n) && (v == "" || v == false || equal(v, json.Number("0")))
	}
	for _, child := range n.Children {
		if child.Index >= 0 || !c.empty(child) {
			return false
		}
	}
	return true
}

// isKey tells whether a node's name is data, such as the key of a label, and not the name of a field.
func (c *comparison) isKey(n *manifest.Node) bool {
	if n.Index >= 0 || n.Parent == nil {
		return false
	}
	if c.Schema != nil {
		if f, ok := c.Schema.Field(pathOf(n.Parent)); ok {
			return f.Merge.Map
		}
	}
	switch n.Parent.Key {
	case "labels", "annotations", "data":
		return true
	}
	return false
}

// means tells whether a returned value means the same as the one that was sent.
func (c *comparison) means(sent, is *manifest.Node) bool {
	if equal(sent.Value, is.Value) {
		return true
	}
	kind := "quantity"
	if c.Schema != nil {
		f, _ := c.Schema.Field(pathOf(sent))
		kind = f.Type
	}
	switch kind {
	case "quantity":
		return SameAmount(sent.Value, is.Value)
	case "string (date-time)":
		return sameTime(sent.Value, is.Value)
	}
	return false
}

// SameAmount tells whether two values are the same quantity, such as 2Gi and 2048Mi, or 0.5 and 500m.
func SameAmount(a, b any) bool {
	x, ok := amount(a)
	y, also := amount(b)
	return ok && also && math.Abs(x-y) <= math.Abs(x)*rounding
}

// rounding is how much two equal amounts may differ because they are computed as floating point.
const rounding = 1e-15

func amount(v any) (float64, bool) {
	switch v := v.(type) {
	case string:
		return usage.Quantity(v)
	case json.Number:
		return usage.Quantity(v.String())
	}
	return 0, false
}

func sameTime(a, b any) bool {
	text, _ := a.(string)
	other, _ := b.(string)
	x, err := time.Parse(time.RFC3339, text)
	y, wrong := time.Parse(time.RFC3339, other)
	return err == nil && wrong == nil && x.Truncate(time.Second).Equal(y.Truncate(time.Second))
}

// missedWords say what was sent and what was returned, at the first difference.
func (c *comparison) missedWords(sent *manifest.Node, d *differing) string {
	at := "You"
	if d.sent != sent {
		at = "At " + strings.TrimPrefix(c.sent.Path(d.sent), c.sent.Path(sent)) + ", you"
	}
	if d.is == nil {
		return at + " send " + short(d.sent.Value) + ", but the server or admission removes the value."
	}
	from, to := plain.Apart(written(d.sent.Value), written(d.is.Value), maxBrief)
	return at + " send " + from + ", but the server or admission changes the value to " + to + "."
}

// nullWords say what becomes of a field that was sent as null.
func nullWords(is *manifest.Node, stays bool) string {
	if stays {
		return "You send null, but an apply with null doesn't remove this field. Its value stays " + short(is.Value) + ", and you become an owner."
	}
	return "You send null, but the server doesn't remove this field. It sets the value to " + short(is.Value) + "."
}
