package check

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// compare judges what the apply would change, by the difference of the live object and the dry run.
func (j *judgement) compare() {
	if j.live == nil {
		j.create()
	}
	p := change.Between(change.Input{Live: j.live, Predicted: j.predicted, Sent: j.stated, Manager: j.me, Schema: j.Schema}, j.before, j.after, j.sent)
	rows := slices.DeleteFunc(slices.Clone(p.Rows), func(r change.Row) bool { return housekept(r.Path) || j.stamped(r.Path) })
	// Changes that the server makes come last, because many of them follow from the others.
	slices.SortStableFunc(rows, func(a, b change.Row) int { return cmp.Compare(byServer(a), byServer(b)) })
	first := slices.IndexFunc(append(rows, change.Row{Cause: change.Server}), func(r change.Row) bool { return r.Cause == change.Server })
	for _, r := range rows[:first] {
		j.row(r)
	}
	for _, m := range p.Missed {
		j.missed(m)
	}
	for _, r := range rows[first:] {
		j.row(r)
	}
}

func byServer(r change.Row) int {
	if r.Cause == change.Server {
		return 1
	}
	return 0
}

func (j *judgement) create() {
	if all := j.contents.documents[j.object]; len(all) > 0 && !all[0].is(j.Document) {
		j.addFinding(Finding{Kind: Changed, Why: "There is no such object yet. The document at " + all[0].At() + " creates it, and this one changes it."})
		return
	}
	why := "There is no such object yet. The apply creates it."
	if j.Document.hook() {
		why = "There is no such object at the moment. The document is a hook: its tool creates the object only for certain actions."
	}
	j.addFinding(Finding{Kind: Created, Why: why})
}

// missed judges a value of the manifest that doesn't arrive.
func (j *judgement) missed(m change.Missed) {
	if j.sent.At(m.Parts) == nil || j.covered(m.Parts) || j.stamped(m.Path) {
		return
	}
	f := Finding{Kind: Server, Path: m.Path, Why: "The value of the manifest won't arrive. " + m.Words, field: field{parts: m.Parts, ambiguous: len(j.sent.Find(m.Path)) > 1}}
	if n := j.after.At(m.Parts); n != nil {
		if m.Null && !m.Stays && usual(j.object, j.Schema, n) {
			f.Why += " That is the default. Without the field, the manifest means the same and doesn't own the field."
		}
	}
	if n := j.before.At(m.Parts); n != nil {
		f.Owners = j.before.Owners(n)
	}
	j.addFinding(f)
}

// housekept tells whether only the server writes a field.
func housekept(path string) bool {
	if rest, in := strings.CutPrefix(path, ".metadata"); in && rest != "" {
		if rest == ".annotations."+assist.LastApplied {
			return true // client-side apply writes the annotation; the server updates it after a server-side apply of kubectl
		}
		for _, part := range []string{".labels", ".annotations", ".finalizers", ".ownerReferences"} {
			if strings.HasPrefix(rest, part) {
				return false
			}
		}
		return true
	}
	return path == ".apiVersion" || path == ".kind" || path == ".status" || strings.HasPrefix(path, ".status.")
}

// row judges what happens to one field.
func (j *judgement) row(r change.Row) {
	sent := j.sent.At(r.Parts)
	stated, about := sent != nil, field{parts: r.Parts}
	switch {
	case j.covered(r.Parts) && (r.Cause != change.Server || !stated), r.Cause == change.Server && (j.within(r.Parts) || j.goesAlong(r)):
		// Another finding has this change.
	case r.What == ownership.Removed && stated && sent.Value == nil:
		j.addFinding(Finding{Kind: Changed, Path: r.Path, field: about, Owners: r.Before, Why: "The manifest has null here. The apply removes the field."})
	case r.Claim == change.GivenUp:
		j.givenUp(r)
	case r.Claim == change.Taken:
		j.addFinding(Finding{Kind: Taken, Path: r.Path, field: about, Owners: r.Lost, Why: taken(r.Lost)})
	case r.What == ownership.Passed:
		// The value stays the same, and nobody loses the field.
	case j.live == nil && (r.Cause == change.You || !stated):
		// A new object has the fields of its manifest, and defaults.
	case r.Cause == change.You:
		path, parts := j.folded(r)
		j.addFinding(Finding{Kind: Changed, Path: path, field: field{parts: parts}, Owners: r.Before, Why: r.Words})
	default:
		j.addFinding(Finding{Kind: Server, Path: r.Path, field: about, Owners: r.Before, Why: "The server changes the value. The manifest doesn't. " + r.Why})
	}
}

func taken(lost []ownership.Owner) string {
	return "With force, the value of the manifest replaces the live one, and the field is taken from " + names(lost) + "."
}

// givenUp judges a field that the manager owned and no longer has.
func (j *judgement) givenUp(r change.Row) {
	others := without(r.After, j.me)
	switch {
	case j.Document.hook(), r.What == ownership.Passed && !r.Whole && r.Is != nil && len(r.Is.Children) > 0:
		// A map or list is judged by the fields in it.
	case r.What != ownership.Passed:
		j.pruned(r)
	case len(others) == 0 && usual(j.object, j.Schema, r.Is), len(others) > 0 && j.tool.all(others):
		// The field is a default, which stays, or an older entry of the tool keeps the field: see unstated.
	case len(others) == 0:
		j.addFinding(Finding{Kind: Released, Path: r.Path, field: field{parts: r.Parts}, Why: "The manifest no longer has the field. Nobody else owns it, but the server keeps its value."})
	default:
		j.addFinding(Finding{Kind: Released, Path: r.Path, field: field{parts: r.Parts}, Owners: others, Why: released(others)})
	}
}

// pruned judges a field that is removed, or that gets the server's value again.
func (j *judgement) pruned(r change.Row) {
	path, parts := j.folded(r)
	var owners []ownership.Owner
	if n := j.before.At(parts); n != nil {
		owners = j.before.OwnersWithin(n)
	}
	why := "The manager " + j.me.Name + " owns the field alone, and the manifest no longer has the field. The apply removes it" + j.goingAlong(path, parts)
	switch lost := without(owners, j.me); {
	case r.What == ownership.Changed:
		why = "The manager " + j.me.Name + " owns the field, and the manifest no longer has the field. The apply gives it up, and the server sets it to " + string(written(r.Is.Value)) + "."
	case len(lost) > 0:
		why = "The manager " + j.me.Name + " owns the field, and the manifest no longer has the field. The apply removes the whole field, also the parts of " + names(lost) + j.goingAlong(path, parts)
	}
	j.addFinding(Finding{Kind: Pruned, Path: path, field: field{parts: parts}, Owners: owners, Why: why})
}

// goingAlong is the end of a sentence about a removed field. It names the outermost field around it that the apply removes, too.
func (j *judgement) goingAlong(path string, parts []string) string {
	outermost := path
	if n := j.before.At(parts); n != nil {
		for at := n.Parent; at != nil && at.Parent != nil && j.after.At(j.before.Parts(at)) == nil; at = at.Parent {
			outermost = j.before.Path(at)
		}
	}
	if outermost == path {
		return "."
	}
	return ", and with it " + outermost + "."
}

func released(others []ownership.Owner) string {
	return "The manifest no longer has the field. The field stays, because it is also owned by " + names(others) + "."
}

// folded is the path of a row, and its parts. If a whole list item around the row is added or removed, it is the path of the outermost such item.
func (j *judgement) folded(r change.Row) (path string, parts []string) {
	b, other, n := j.after, j.before, r.Is
	switch r.What {
	case ownership.Added:
	case ownership.Removed:
		b, other, n = j.before, j.after, r.Was
	default:
		return r.Path, r.Parts
	}
	path, parts = r.Path, r.Parts
	for at := nodeOf(b, n); at != nil && at.Parent != nil; at = at.Parent {
		if whole := b.Parts(at); at.Index >= 0 && other.At(whole) == nil {
			path, parts = b.Path(at), whole
		}
	}
	return path, parts
}

// goesAlong tells whether a default is removed because the field around it is removed, and another finding has that.
func (j *judgement) goesAlong(r change.Row) bool {
	if r.What != ownership.Removed {
		return false
	}
	for at := nodeOf(j.before, r.Was); at != nil && at.Parent != nil; at = at.Parent {
		around := j.before.Parts(at)
		if j.after.At(around) != nil {
			return false
		}
		if j.within(around) {
			return true
		}
	}
	return false
}

// nodeOf finds a node in another tree of the same object, by its number; nil if it isn't there.
func nodeOf(b *ownership.Blame, n *manifest.Node) *manifest.Node {
	at := b.Root
	for at.ID != n.ID {
		next := at
		for _, child := range at.Children {
			if child.ID <= n.ID && n.ID < child.End {
				next = child
			}
		}
		if next == at {
			return nil
		}
		at = next
	}
	return at
}

// usual tells whether a value is one that the server sets if nobody else does.
func usual(o Object, known *schema.Schema, n *manifest.Node) bool {
	value := string(written(n.Value))
	if value == "{}" || value == "[]" || value == "null" {
		return true
	}
	if known != nil {
		if f, ok := known.Field(schema.PathOf(n)); ok && f.IsDefault(n.Value) {
			return true
		}
	}
	group, _, versioned := strings.Cut(o.APIVersion, "/")
	if versioned && strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") {
		return false
	}
	return defaults.Get()[n.Key+" "+value] || derived(o, n)
}
