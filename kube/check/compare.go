package check

import (
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/change"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// compare judges what the dry run would change.
func (j *judgement) compare() {
	if j.live == nil {
		j.create()
	}
	p, err := change.Compare(change.Input{Live: j.live, Predicted: j.predicted, Sent: j.stated, Manager: j.me, Schema: j.Schema})
	if err != nil {
		j.add(Finding{Kind: Unknown, Why: "The dry run can't be compared with the live object: " + err.Error() + "."})
		return
	}
	for _, r := range p.Rows {
		if !housekept(r.Path) {
			j.row(r)
		}
	}
}

func (j *judgement) create() {
	why := "There is no such object yet. The apply creates it."
	if j.Document.hook() {
		why = "There is no such object at the moment. It is a hook: the tool creates it on its occasion."
	}
	j.add(Finding{Kind: Created, Why: why})
}

// housekept tells whether the server alone writes a field, at every change or once.
func housekept(path string) bool {
	if rest, in := strings.CutPrefix(path, ".metadata"); in && rest != "" {
		if rest == ".annotations."+assist.LastApplied {
			return true // client-side apply keeps it, and for kubectl the server does
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
	stated := len(j.sent.Find(r.Path)) > 0
	switch {
	case j.covered(r.Path) && (r.Cause != change.Server || !stated), r.Cause == change.Server && j.within(r.Path):
		// A finding tells it already.
	case r.Claim == change.GivenUp:
		j.givenUp(r)
	case r.Claim == change.Taken:
		j.add(Finding{Kind: Taken, Path: r.Path, Owners: r.Lost, Why: taken(r.Lost)})
	case r.What == ownership.Passed:
		// An equal value has another owner: nobody loses anything.
	case j.live == nil && (r.Cause == change.You || !stated):
		// A new object has what its manifest has, and defaults.
	case r.Cause == change.You:
		j.add(Finding{Kind: Changed, Path: j.folded(r), Owners: r.Before, Why: r.Words})
	default:
		j.add(Finding{Kind: Server, Path: r.Path, Owners: r.Before, Why: "The server changes the value, and not the manifest. " + r.Why})
	}
}

func taken(lost []ownership.Owner) string {
	return "With force, the value of the manifest replaces the live one. " + names(lost) + verb(lost, " no longer owns", " no longer own") + " the field."
}

// givenUp judges a field that the manager owned and no longer has.
func (j *judgement) givenUp(r change.Row) {
	others := without(r.After, j.me)
	switch {
	case j.Document.hook(), r.What == ownership.Passed && !r.Whole && r.Is != nil && len(r.Is.Children) > 0:
		// What holds more is judged by what it holds.
	case r.What != ownership.Passed:
		why := "The manager " + j.me.Name + " owns the field alone, and the manifest no longer has the field. The apply removes it."
		if r.What == ownership.Changed {
			why = "The manager " + j.me.Name + " owns the field, and the manifest no longer has the field. The apply gives it up, and the server sets it to " + string(written(r.Is.Value)) + "."
		}
		j.add(Finding{Kind: Pruned, Path: j.folded(r), Owners: r.Before, Why: why})
	case len(others) == 0 && usual(j.object, j.Schema, r.Is), len(others) > 0 && j.tool.all(others):
		// It is a default, which stays what it is, or an older entry of the tool keeps it: see unstated.
	case len(others) == 0:
		j.add(Finding{Kind: Released, Path: r.Path, Why: "The manifest no longer has the field. Nobody else owns it, but the server keeps its value."})
	default:
		j.add(Finding{Kind: Released, Path: r.Path, Owners: others, Why: released(others)})
	}
}

func released(others []ownership.Owner) string {
	return "The manifest no longer has the field. It stays, because " + names(others) + verb(others, " owns", " own") + " it too."
}

// folded is the path of a row, or of the outermost list item around it that comes or goes as a whole.
func (j *judgement) folded(r change.Row) string {
	b, other, n := j.after, j.before, r.Is
	switch r.What {
	case ownership.Added:
	case ownership.Removed:
		b, other, n = j.before, j.after, r.Was
	default:
		return r.Path
	}
	path := r.Path
	for at := nodeOf(b, n); at != nil && at.Parent != nil; at = at.Parent {
		if whole := b.Path(at); at.Index >= 0 && len(other.Find(whole)) == 0 {
			path = whole
		}
	}
	return path
}

// nodeOf is a node of another tree of the same object: nodes have the same numbers there.
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

// usual tells whether a value is what the server sets by itself.
func usual(o Object, known *schema.Schema, n *manifest.Node) bool {
	value := string(written(n.Value))
	if value == "{}" || value == "[]" || value == "null" {
		return true
	}
	if known != nil {
		if f, ok := known.Field(schema.PathOf(n)); ok && f.Default != "" && (f.Default == value || `"`+f.Default+`"` == value) {
			return true
		}
	}
	group, _, versioned := strings.Cut(o.APIVersion, "/")
	if versioned && strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io") {
		return false
	}
	return defaults[n.Key+" "+value]
}
