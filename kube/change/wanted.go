package change

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// wanted is the live object with the writer's part of the change.
func (c *comparison) wanted() map[string]any {
	if c.New {
		return c.Sent
	}
	removed := map[*manifest.Node]bool{}
	for _, r := range c.Rows {
		if r.What == ownership.Removed && r.Cause == You {
			removed[r.Was] = true
		}
	}
	w := wanting{comparison: c, removed: removed}
	wanted, _ := w.value(c.Before.Root, c.After.Root, c.sent.Root).(map[string]any)
	live, _ := c.Live["metadata"].(map[string]any)
	if record, has := live["managedFields"]; has {
		metadata, _ := wanted["metadata"].(map[string]any)
		metadata = maps.Clone(metadata)
		metadata["managedFields"] = record
		wanted["metadata"] = metadata
	}
	return wanted
}

type wanting struct {
	*comparison
	removed map[*manifest.Node]bool
}

// value is the wanted value of a node: the sent one, or the live one if nothing was sent.
func (w wanting) value(was, is, sent *manifest.Node) any {
	switch {
	case shape(was.Value) != shape(is.Value), w.isWhole(was, is), len(was.Children) == 0 && len(is.Children) == 0:
		if sent == nil || equal(was.Value, is.Value) {
			return was.Value
		}
		return sent.Value
	}
	said := w.counterparts(w.after, is, sent)
	pairs := ownership.Counterparts(w.before, w.after, was, is)
	if _, list := was.Value.([]any); list {
		return w.items(pairs, said)
	}
	fields := map[string]any{}
	for _, p := range pairs {
		name := p.New
		if name == nil {
			name = p.Old
		}
		if v, keep := w.part(p, said); keep {
			fields[name.Key] = v
		}
	}
	return fields
}

func (w wanting) items(pairs []ownership.Counterpart, said map[*manifest.Node]*manifest.Node) []any {
	items := []any{}
	for _, p := range pairs {
		if v, keep := w.part(p, said); keep {
			items = append(items, v)
		}
	}
	return items
}

// part is the wanted value of a field or an item. If the writer removes it, keep is false.
func (w wanting) part(p ownership.Counterpart, said map[*manifest.Node]*manifest.Node) (v any, keep bool) {
	switch {
	case p.New == nil:
		return w.rest(p.Old)
	case p.Old == nil && said[p.New] == nil:
		return nil, false // added by the server
	case p.Old == nil:
		return said[p.New].Value, true
	default:
		return w.value(p.Old, p.New, said[p.New]), true
	}
}

// rest is the wanted value of something that the dry run has removed. It stays, unless the writer removes all of it.
func (w wanting) rest(was *manifest.Node) (v any, keep bool) {
	if w.removed[was] {
		return nil, false
	}
	if len(was.Children) == 0 {
		return was.Value, true
	}
	for _, child := range was.Children {
		if _, keep := w.rest(child); keep {
			return was.Value, true
		}
	}
	return nil, false
}
