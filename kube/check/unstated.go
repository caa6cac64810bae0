package check

import (
	"slices"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/request"
)

// unstated judges the fields that the object has and the manifest doesn't have.
func (j *judgement) unstated() {
	shown := j.predicted
	if shown == nil {
		shown = j.live
	}
	u := walk{judgement: j, applied: j.appliedBefore()}
	if len(u.tool.folds) > 0 {
		u.later = ownership.Parse(u.tool.fold(shown)).On(j.after.Root, j.known())
	}
	u.fields(j.after.Root, j.sent.Root)
}

// known is what the schema says about ownership. It remembers what it was asked.
func (j *judgement) known() ownership.Schema {
	if j.Schema == nil {
		return nil
	}
	if j.knowledge == nil {
		j.knowledge = j.Schema.Knowledge()
	}
	return j.knowledge
}

// appliedBefore is the manifest that client-side apply keeps in an annotation, with owners as in the object; nil if there is none.
func (j *judgement) appliedBefore() *ownership.Blame {
	annotations := below(below(j.Live.Object["metadata"])["annotations"])
	text, _ := annotations[assist.LastApplied].(string)
	o, err := object.Parse([]byte(text))
	if err != nil {
		return nil
	}
	return j.after.Record.On(manifest.Tree(o.Fields), j.known())
}

// walk visits the fields of an object, and compares them with the manifest.
type walk struct {
	*judgement
	later   *ownership.Blame // after the tool has folded in its older entries; nil: the tool doesn't
	applied *ownership.Blame // the last manifest of client-side apply; nil: unknown
}

func (u walk) fields(is, sent *manifest.Node) {
	for _, pair := range ownership.Counterparts(u.sent, u.after, sent, is) {
		switch {
		case pair.New == nil, housekept(u.after.Path(pair.New)):
		case pair.Old == nil:
			u.missing(pair.New)
		case len(pair.New.Children) > 0 && !whole(u.after, pair.New):
			u.fields(pair.New, pair.Old)
		}
	}
}

func whole(b *ownership.Blame, n *manifest.Node) bool {
	whole, ok := b.Whole(n)
	return ok && whole
}

// missing judges fields that the manifest doesn't have. A list item is judged as a whole if its values have the same owners, or if the apply removes it.
// So is a map in which only defaults are. All else is judged value by value.
func (u walk) missing(n *manifest.Node) {
	path := u.after.Path(n)
	if housekept(path) || u.covered(u.after.Parts(n)) || u.stamped(path) {
		return
	}
	if len(n.Children) == 0 || whole(u.after, n) {
		u.value(n, u.after.Owners(n))
		return
	}
	var owners [][]ownership.Owner
	u.owners(n, &owners)
	own := u.after.Owners(n)
	switch {
	case len(owners) == 0 && !byUpdate(own), n.Index >= 0 && len(owners) > 1 && u.removes(n, own):
		u.value(n, own)
	case n.Index >= 0 && len(owners) == 1:
		u.value(n, owners[0])
	default:
		for _, child := range n.Children {
			u.missing(child)
		}
	}
}

// removes tells whether the apply would remove a list item with everything in it, by the owners of the item itself. They are the manager, or older
// entries that its tool folds in.
func (u walk) removes(n *manifest.Node, owners []ownership.Owner) bool {
	if u.predicted == nil && len(owners) > 0 && len(without(owners, u.me)) == 0 {
		return true
	}
	return u.later != nil && u.tool.all(owners) && len(u.later.Owners(n)) > 0 && len(without(u.later.Owners(n), u.me)) == 0
}

// owners collects the different sets of owners of the values in a node. Values without owners don't count.
func (u walk) owners(n *manifest.Node, all *[][]ownership.Owner) {
	if len(n.Children) > 0 && !whole(u.after, n) {
		for _, child := range n.Children {
			u.owners(child, all)
		}
		return
	}
	owners := u.after.Owners(n)
	if len(owners) == 0 || slices.ContainsFunc(*all, func(some []ownership.Owner) bool { return slices.Equal(some, owners) }) {
		return
	}
	*all = append(*all, owners)
}

// value judges a value, or a list item as a whole, by its owners.
func (u walk) value(n *manifest.Node, owners []ownership.Owner) {
	path := u.after.Path(n)
	if len(owners) == 0 || byUpdate(owners) && usual(u.object, u.Schema, n) || u.elsewhere(n) {
		return
	}
	others, about := without(owners, u.me), field{parts: u.after.Parts(n)}
	switch {
	case len(others) < len(owners) && u.predicted != nil:
		// By the dry run, the manager still owns the field: the server keeps it for the manager.
	case len(others) == 0:
		u.addFinding(Finding{Kind: Pruned, Path: path, field: about, Owners: owners, Why: "According to managedFields, the manager " + u.Manager + " owns the field alone, and the manifest no longer has the field. The apply removes it."})
	case len(others) < len(owners) && !u.tool.all(others):
		u.addFinding(Finding{Kind: Released, Path: path, field: about, Owners: others, Why: released(others)})
	case u.tool.all(others):
		u.older(n, path, others)
	default:
		u.addFinding(Finding{Kind: Extra, Path: path, field: about, Owners: others, Why: names(others) + " added the field, and the manifest doesn't have the field. A diff against the manifest doesn't show it." + constant(others)})
	}
}

// constant is advice for programs that apply under a new name in each run: each name stays an owner, so no run can remove a field.
func constant(owners []ownership.Owner) string {
	var flags []string
	for _, f := range manager.Families(owners) {
		flags = append(flags, "--field-manager="+request.Quote(f.Name))
	}
	if len(flags) == 0 {
		return ""
	}
	flags, more := flags[:min(len(flags), manager.MostNamed)], max(0, len(flags)-manager.MostNamed)
	return " Each run seems to apply as another manager, and all of them stay owners. Use one constant name for all runs: " + manager.Listed(flags, more) + "."
}

// byUpdate tells whether all owners updated the object itself. Only such owners can own defaults.
func byUpdate(owners []ownership.Owner) bool {
	return !slices.ContainsFunc(owners, func(o ownership.Owner) bool { return o.Operation != ownership.Update || o.Subresource != "" })
}

// older judges a value that older entries of the same tool keep.
func (u walk) older(n *manifest.Node, path string, owners []ownership.Owner) {
	about := field{parts: u.after.Parts(n)}
	if u.applied != nil && u.applied.At(about.parts) == nil && slices.ContainsFunc(owners, u.clientSide) {
		return // no manifest of client-side apply had the field: the entry has it from a default
	}
	stays := "The manifest doesn't have the field, but the field stays. " + earlier(owners) + " An apply as " + u.Manager + " doesn't remove it."
	if u.later == nil {
		u.addFinding(Finding{Kind: Stuck, Path: path, field: about, Owners: owners, Why: stays})
		return
	}
	left := u.ownersOf(n)
	others := without(left, u.me)
	switch {
	case len(left) == 0:
		u.addFinding(Finding{Kind: Stuck, Path: path, field: about, Owners: owners, Why: "The manifest doesn't have the field. " + u.tool.how + " The older entry is in another API version, so it is lost. Then nobody owns the field, and no apply removes it."})
	case len(others) == 0:
		u.addFinding(Finding{Kind: Pruned, Path: path, field: about, Owners: owners, Why: "The manifest doesn't have the field. " + u.tool.how + " Then the field is removed. A dry run doesn't show this." + u.tool.unless})
	case u.tool.all(others):
		u.addFinding(Finding{Kind: Stuck, Path: path, field: about, Owners: owners, Why: stays})
	default:
		u.addFinding(Finding{Kind: Released, Path: path, field: about, Owners: others, Why: released(others)})
	}
}

// ownersOf are the owners of a node after the tool has folded in its older entries. For a list item, they are those of its first value that has any.
func (u walk) ownersOf(n *manifest.Node) []ownership.Owner {
	if owners := u.later.Owners(n); len(owners) > 0 || len(n.Children) == 0 {
		return owners
	}
	for _, child := range n.Children {
		if owners := u.ownersOf(child); len(owners) > 0 {
			return owners
		}
	}
	return nil
}

// clientSide tells whether an owner is client-side apply. The entry before-first-apply isn't, because others wrote its fields, too.
func (u walk) clientSide(o ownership.Owner) bool {
	return o.Name != beforeFirst && slices.Contains(assist.ClientSideManagers(u.Live.Object), o.Name)
}

// elsewhere tells whether another document about the same object has a field.
func (j *judgement) elsewhere(n *manifest.Node) bool {
	if j.others == nil {
		j.others = []*ownership.Blame{}
		for _, d := range j.contents.others(j.Document) {
			j.others = append(j.others, j.after.Record.On(manifest.Tree(d.Source.Fields()), j.known()))
		}
	}
	return slices.ContainsFunc(j.others, func(other *ownership.Blame) bool { return other.At(j.after.Parts(n)) != nil })
}

// repeated judges fields that a later document about the same object doesn't have. One manager applies both documents, one after the other.
func (j *judgement) repeated() {
	all := j.contents.documents[j.contents.key(j.Document)]
	if len(all) < 2 || !all[len(all)-1].is(j.Document) {
		return
	}
	for _, d := range all[:len(all)-1] {
		d = d.readSource()
		stated := j.after.Record.On(manifest.Tree(d.Source.Fields()), j.known())
		j.leaves(stated, stated.Root, func(n *manifest.Node) {
			if parts, path := stated.Parts(n), stated.Path(n); j.sent.At(parts) == nil {
				f := Finding{Kind: Pruned, Path: path, field: field{parts: parts}, File: d.File, Line: d.lineOf(Finding{Path: path, field: field{node: n}}), Why: "The document at " + d.At() +
					" has the field, and the later document about the same object at " + j.Document.At() + " doesn't. One manager applies both, so the later apply removes it."}
				f.placeIn(d)
				j.addFinding(f)
			}
		})
	}
}

// leaves visits the values of a document, and list items that the later document doesn't have, as a whole.
func (j *judgement) leaves(b *ownership.Blame, n *manifest.Node, visit func(n *manifest.Node)) {
	goes := n.Index >= 0 && j.sent.At(b.Parts(n)) == nil
	if n.Parent != nil && (len(n.Children) == 0 || whole(b, n) || goes) && !housekept(b.Path(n)) {
		visit(n)
		return
	}
	for _, child := range n.Children {
		j.leaves(b, child, visit)
	}
}
