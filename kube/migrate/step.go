package migrate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// lastApplier is the manager as which kubectl keeps the annotation of client-side apply.
const lastApplier = "kubectl-last-applied"

// Step is the first server-side apply of an object together with the fold of older entries:
//
//	live ──▶ dry run of the apply ──▶ would ──▶ fold ──▶ what the older entries owned and the manifest lacks, goes ──▶ Without
//	                                                                                                                     │ dry run
//	                                  the record without the older entries ──▶ Fields ◀── what comes back by default ◀───┘
type Step struct {
	// Folded are the entries that the tool folds into its own.
	Folded []manager.Manager
	// Without is the object after the step, except what the server sets again. It has no managedFields.
	Without map[string]any
	// Removes tells that the fold removes something. Then a dry run of a PUT with Without says what the server sets again.
	Removes bool

	live   map[string]any
	record map[string]any // an object with the managedFields after the step
	known  ownership.Schema
}

// StepOf computes the step of a manager. Would is the response to the dry run of the apply, with managedFields. Known may be nil.
func StepOf(name string, live, would map[string]any, known *schema.Schema) Step {
	s := Step{live: live}
	if known != nil {
		s.known = known.Knowledge()
	}
	if name == string(Kubectl) {
		would = keepingAnnotation(would)
	}
	found, recorded := live, live
	if len(entries(live)) == 0 { // the server writes a record at the first apply
		recorded = would
	}
	habit := check.HabitOf(name, recorded)
	if habit.Later {
		found = would
	}
	folded := habit.Fold(found)
	s.Folded = missingIn(found, folded)
	last := only(folded, would, func(m manager.Manager) bool { return m.Same(applier(name)) })
	s.record = withEntries(would, slices.DeleteFunc(entries(would), func(e map[string]any) bool {
		m := managerOf(e)
		return slices.ContainsFunc(s.Folded, m.Same) && !m.Same(applier(name))
	}))
	root := manifest.Tree(content(would))
	p := pruning{last: ownership.Parse(last).On(root, s.known), rest: ownership.Parse(s.record).On(root, s.known)}
	without, _ := p.value(root).(map[string]any)
	s.Without, s.Removes = without, p.removes
	return s
}

// FoldOf is what remains of the step if the API server refuses the apply: some tools have folded their older entries before.
func FoldOf(name string, live map[string]any, known *schema.Schema) Step {
	s := Step{live: live, record: live, Without: content(live)}
	if known != nil {
		s.known = known.Knowledge()
	}
	if habit := check.HabitOf(name, live); !habit.Later {
		s.record = habit.Fold(live)
		s.Folded = missingIn(live, s.record)
	}
	return s
}

// keepingAnnotation is what kubectl does after its first apply: it applies the annotation of client-side apply as a manager of its own.
func keepingAnnotation(would map[string]any) map[string]any {
	metadata, _ := would["metadata"].(map[string]any)
	annotations, _ := metadata["annotations"].(map[string]any)
	apiVersion, _ := would["apiVersion"].(string)
	all := entries(would)
	owned := slices.ContainsFunc(all, func(e map[string]any) bool {
		m := managerOf(e)
		return m.Operation == manager.Apply && len(assist.AnnotationOwners(withEntries(would, []map[string]any{updating(e)}))) > 0
	})
	if annotations[assist.LastApplied] == nil || owned {
		return would
	}
	return withEntries(would, append(all, map[string]any{
		"manager": lastApplier, "operation": manager.Apply, "apiVersion": apiVersion, "fieldsType": "FieldsV1",
		"fieldsV1": map[string]any{"f:metadata": map[string]any{"f:annotations": map[string]any{"f:" + assist.LastApplied: map[string]any{}}}},
	}))
}

// updating is an entry as one of an update.
func updating(e map[string]any) map[string]any {
	e = maps.Clone(e)
	e["operation"] = manager.Update
	return e
}

// missingIn are the managers of a record that have no entry in another one.
func missingIn(found, folded map[string]any) []manager.Manager {
	var all []manager.Manager
	after := ownership.Parse(folded).Managers()
	for _, o := range ownership.Parse(found).Managers() {
		if !slices.ContainsFunc(after, func(other ownership.Owner) bool { return other.Same(o.Manager) }) {
			all = append(all, o.Manager)
		}
	}
	return all
}

// only is an object with some entries of another one.
func only(from, of map[string]any, which func(manager.Manager) bool) map[string]any {
	return withEntries(of, slices.DeleteFunc(entries(from), func(e map[string]any) bool { return !which(managerOf(e)) }))
}

func content(o map[string]any) map[string]any {
	return object.Object{Fields: o}.WithoutManagedFields().Fields
}

// entries are a new list of an object's entries in managedFields.
func entries(o map[string]any) []map[string]any {
	metadata, _ := o["metadata"].(map[string]any)
	list, _ := metadata["managedFields"].([]any)
	all := make([]map[string]any, 0, len(list))
	for _, v := range list {
		if e, is := v.(map[string]any); is {
			all = append(all, e)
		}
	}
	return all
}

func managerOf(e map[string]any) manager.Manager {
	text := func(name string) string { s, _ := e[name].(string); return s }
	return manager.Manager{Name: text("manager"), Operation: text("operation"), Subresource: text("subresource"), APIVersion: text("apiVersion")}
}

func withEntries(o map[string]any, all []map[string]any) map[string]any {
	o = maps.Clone(o)
	metadata, _ := o["metadata"].(map[string]any)
	metadata = maps.Clone(metadata)
	record := make([]any, 0, len(all))
	for _, e := range all {
		record = append(record, e)
	}
	metadata["managedFields"] = record
	o["metadata"] = metadata
	return o
}

// pruning removes what the last entry of a manager owns and no other entry does. It does what structured-merge-diff does at an apply.
type pruning struct {
	last, rest *ownership.Blame // of the same nodes: the manager's entry before the apply, and all entries after it
	removes    bool
}

// gone means that nothing is left of a value.
type gone struct{}

// value is what is left of a node.
func (p *pruning) value(n *manifest.Node) any {
	if p.goes(n) {
		p.removes = true
		return gone{}
	}
	if len(n.Children) == 0 || whole(p.rest, n) {
		return n.Value
	}
	if _, list := n.Value.([]any); list {
		items := []any{}
		for _, child := range n.Children {
			if v := p.value(child); v != (gone{}) {
				items = append(items, v)
			}
		}
		return leftOr(items, len(items))
	}
	keys := p.keys(n)
	fields := map[string]any{}
	for _, child := range n.Children {
		v := child.Value
		if !slices.Contains(keys, child.Key) {
			v = p.value(child)
		}
		if v != (gone{}) {
			fields[child.Key] = v
		}
	}
	return leftOr(fields, len(fields))
}

func leftOr(v any, left int) any {
	if left == 0 {
		return gone{}
	}
	return v
}

// keys are the fields that name a list item that stays. They stay, too.
func (p *pruning) keys(n *manifest.Node) []string {
	if n.Index < 0 {
		return nil
	}
	return append(p.rest.KeysOf(n), p.last.KeysOf(n)...)
}

// goes tells whether the last entry owns a node itself, and no other entry owns it or a part of it.
func (p *pruning) goes(n *manifest.Node) bool {
	return slices.ContainsFunc(p.last.Claims(n), func(c ownership.Claim) bool { return c.Why == ownership.Direct || c.Why == ownership.Renamed }) &&
		len(p.rest.OwnersWithin(n)) == 0
}

func whole(b *ownership.Blame, n *manifest.Node) bool {
	whole, ok := b.Whole(n)
	return ok && whole
}

// Field is a field with other owners after the step, or one that the step removes.
type Field struct {
	Path   string            `json:"path"`
	Before []manager.Manager `json:"before"`
	After  []manager.Manager `json:"after"`
	Gone   bool              `json:"gone,omitempty"`

	outer string // the outermost field around it that is gone, too
}

// Fields are the fields whose owners change. Left is the response to the dry run with Without; nil: it was not made, or isn't needed.
func (s Step) Fields(left map[string]any) []Field {
	if left == nil {
		left = s.Without
	}
	before := ownership.Parse(s.live).On(manifest.Tree(content(s.live)), s.known)
	after := ownership.Parse(s.record).On(manifest.Tree(content(left)), s.known)
	all := []Field{}
	seen := map[string]bool{}
	leaves(before, before.Root, func(n *manifest.Node) {
		parts := before.Parts(n)
		seen[key(parts)] = true
		f := Field{Path: before.Path(n), Before: managersOf(before, n), After: []manager.Manager{}}
		is := after.At(parts)
		switch {
		case is == nil:
			f.Gone, f.outer = true, outermost(before, after, n)
		default:
			f.After = managersOf(after, is)
		}
		if f.Gone || !slices.Equal(f.Before, f.After) {
			all = append(all, f)
		}
	})
	leaves(after, after.Root, func(n *manifest.Node) {
		if owners := managersOf(after, n); !seen[key(after.Parts(n))] && len(owners) > 0 {
			all = append(all, Field{Path: after.Path(n), Before: []manager.Manager{}, After: owners})
		}
	})
	return all
}

// leaves visits the values of an object, and what can only be owned as a whole.
func leaves(b *ownership.Blame, n *manifest.Node, visit func(n *manifest.Node)) {
	if n.Parent != nil && (len(n.Children) == 0 || whole(b, n)) {
		visit(n)
		return
	}
	for _, child := range n.Children {
		leaves(b, child, visit)
	}
}

// managersOf are the owners of a node, sorted. For an Apply entry, the API version doesn't matter.
func managersOf(b *ownership.Blame, n *manifest.Node) []manager.Manager {
	all := []manager.Manager{}
	for _, o := range b.Owners(n) {
		all = append(all, o.Identity())
	}
	slices.SortFunc(all, func(x, y manager.Manager) int { return strings.Compare(x.Key(), y.Key()) })
	return slices.Compact(all)
}

// outermost is the path of the outermost node around another one that is gone with it.
func outermost(before, after *ownership.Blame, n *manifest.Node) string {
	for n.Parent.Parent != nil && after.At(before.Parts(n.Parent)) == nil {
		n = n.Parent
	}
	return before.Path(n)
}

func key(parts []string) string { return fmt.Sprintf("%q", parts) }
