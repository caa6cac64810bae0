package change

import (
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
)

func (c *comparison) added(is, sent *manifest.Node) {
	r := Row{Path: c.after.Path(is), Parts: c.after.Parts(is), What: ownership.Added, New: written(is.Value), After: c.after.Owners(is), Is: is}
	r.Whole = len(is.Children) > 0
	c.blame(&r, sent)
	c.addRow(r)
}

func (c *comparison) removed(was, sent *manifest.Node) {
	r := Row{Path: c.before.Path(was), Parts: c.before.Parts(was), What: ownership.Removed, Old: written(was.Value), Before: c.before.OwnersWithin(was), Was: was}
	r.Whole, r.Cause = len(was.Children) > 0, Server
	switch apply := c.Manager.Operation == ownership.Apply; {
	case apply && c.mine(r.Before):
		r.Cause, r.Vanishes = You, true
	case !apply && sent == nil:
		r.Cause = You
	default:
		r.Why = "The request doesn't remove the field, but the server or admission does."
	}
	c.addRow(r)
}

func (c *comparison) changed(was, is, sent *manifest.Node, whole bool) {
	r := Row{
		Path: c.after.Path(is), Parts: c.after.Parts(is), What: ownership.Changed, Old: written(was.Value), New: written(is.Value), Whole: whole,
		Before: c.former(was), After: c.after.Owners(is), Was: was, Is: is,
	}
	c.blame(&r, sent)
	c.addRow(r)
}

// former are the owners of a value before. If it has none, they are those who own it in another API version, and no longer do afterwards.
func (c *comparison) former(was *manifest.Node) []ownership.Owner {
	if owners := c.before.Owners(was); len(owners) > 0 {
		return owners
	}
	return c.before.Lapsed(was, c.after)
}

// passed adds a row if the value stays and its owners change.
func (c *comparison) passed(was, is *manifest.Node, whole bool) {
	before, after := c.former(was), c.after.Owners(is)
	if len(without(after, before)) == 0 && len(without(before, after)) == 0 {
		return
	}
	value := ""
	if len(is.Children) == 0 || whole {
		value = written(is.Value)
	}
	r := Row{
		Path: c.after.Path(is), Parts: c.after.Parts(is), What: ownership.Passed, Old: value, New: value, Cause: You, Whole: whole,
		Before: before, After: after, Was: was, Is: is,
	}
	if c.mine(before) == c.mine(after) {
		r.Cause, r.Why = Server, "The server maintains managedFields. It merges the oldest updates, and drops claims in versions that it no longer serves."
	}
	c.addRow(r)
}

// blame sets who causes a new value: the writer if the request has this value, otherwise the server.
func (c *comparison) blame(r *Row, sent *manifest.Node) {
	if sent != nil && c.difference(sent, r.Is) == nil && (sent.Value != nil || r.Is.Value == nil) {
		r.Cause = You
		if shape(sent.Value) == 0 && !equal(sent.Value, r.Is.Value) {
			r.Why = "You sent " + short(sent.Value) + ". The server writes it as " + short(r.Is.Value) + "."
		}
		return
	}
	r.Cause = Server
	if why, is := c.generated.why(r); is {
		r.Cause, r.Why = Generated, why
		return
	}
	r.Why = c.whyServer(r, sent)
}

func (c *comparison) whyServer(r *Row, sent *manifest.Node) string {
	if sent != nil {
		from, to := plain.Apart(written(sent.Value), written(r.Is.Value), maxBrief)
		return "You sent " + from + ", and the server or admission changed the value to " + to + "."
	}
	if r.Path == ".metadata.generation" {
		return "The server counts the changes of the desired state here."
	}
	if c.Schema != nil {
		if f, ok := c.Schema.Field(pathOf(r.Is)); ok && f.IsDefault(r.Is.Value) {
			return "The value is the default in the schema."
		}
	}
	return "The request doesn't have the field. The value is a default, or admission added it."
}

func (c *comparison) mine(owners []ownership.Owner) bool {
	return slices.ContainsFunc(owners, func(o ownership.Owner) bool { return o.Same(c.Manager) })
}

// addRow completes a row with what happens to claims, and adds it.
func (c *comparison) addRow(r Row) {
	before, after := c.mine(r.Before), c.mine(r.After)
	others := func(o ownership.Owner) bool { return o.Same(c.Manager) }
	if r.What != ownership.Removed {
		r.Lost = slices.DeleteFunc(without(r.Before, r.After), others)
	}
	switch {
	case before && !after:
		r.Claim = GivenUp
	case after && len(r.Lost) > 0:
		r.Claim = Taken
	case after && !before && len(r.After) > 1:
		r.Claim = Shared
	case after && !before:
		r.Claim = Gained
	}
	r.Vanishes = r.Vanishes && r.Claim == GivenUp
	r.Words, r.Reason = c.rowWords(r)
	c.Rows = append(c.Rows, r)
}

func (n *Counts) countRow(r Row) {
	for _, count := range []struct {
		to  *int
		one bool
	}{
		{&n.Added, r.What == ownership.Added},
		{&n.Changed, r.What == ownership.Changed},
		{&n.Removed, r.What == ownership.Removed},
		{&n.Owners, r.What == ownership.Passed},
		{&n.You, r.Cause == You},
		{&n.Server, r.Cause == Server},
		{&n.Generated, r.Cause == Generated},
		{&n.Gained, r.Claim == Gained},
		{&n.Taken, r.Claim == Taken},
		{&n.Shared, r.Claim == Shared},
		{&n.GivenUp, r.Claim == GivenUp},
		{&n.Vanish, r.Vanishes},
	} {
		if count.one {
			*count.to++
		}
	}
}

// without returns the owners that are not among the others.
func without(all, others []ownership.Owner) []ownership.Owner {
	var rest []ownership.Owner
	for _, o := range all {
		if !slices.ContainsFunc(others, func(other ownership.Owner) bool { return other.Same(o.Manager) }) {
			rest = append(rest, o)
		}
	}
	return rest
}

// equal compares values. Numbers are equal if they are the same number, however they are written.
func equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for key, v := range x {
			if other, has := y[key]; !has || !equal(v, other) {
				return false
			}
		}
		return true
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equal)
	case json.Number:
		y, ok := b.(json.Number)
		return ok && (x == y || sameNumber(x, y))
	}
	return shape(b) == 0 && a == b
}

func sameNumber(x, y json.Number) bool {
	i, err := x.Int64()
	j, wrong := y.Int64()
	if err == nil && wrong == nil {
		return i == j
	}
	f, err := x.Float64()
	g, wrong := y.Float64()
	return err == nil && wrong == nil && f == g
}
