package fields

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// explained is what there is to say about the field in focus.
type explained struct {
	path    string
	holds   bool     // the object holds the field
	claims  []claim  // that cover it
	items   []claim  // on the list items that begin in its line, and not in it
	words   []string // on the field itself, where no claim says it all
	effects []effect
	parts   []part // who owns what is in it
	panel   *components.FieldPanel
	clear   string
}

// claim is a claim in words.
type claim struct {
	manager manager
	why     string
	keys    []string
	version string // where it is another than the object's
	wrote   string
}

// effect is what a write would do.
type effect struct{ write, words string }

// part is what one manager has of what is in a field.
type part struct {
	manager manager
	nobody  bool
	values  int
}

// explain says all there is to say about the field in focus.
func (v *fieldsView) explain() explained {
	e := explained{path: v.m.Reading.Field, clear: v.m.look(v.m.Reading.on(""))}
	if v.node == nil {
		v.explainAbsent(&e)
		return e
	}
	e.holds = true
	for _, c := range v.Blame.Claims(v.node) {
		e.claims = append(e.claims, v.claim(c))
	}
	r := v.Rows[v.row]
	for _, n := range r.Items {
		for _, c := range v.Blame.Claims(n) {
			if c.Why == ownership.Direct && n != v.node {
				e.items = append(e.items, v.claim(c))
			}
		}
	}
	whole := len(v.node.Children) == 0
	if !whole {
		e.parts = v.parts()
		whole = len(v.Blame.Claims(v.node.Children[0])) > 0 && len(e.claims) > 0 && v.Blame.Claims(v.node.Children[0])[0].Why == ownership.Atomic
	}
	e.words = v.ownerless(e)
	if whole && !theServers(e.path) {
		e.effects = v.effects()
	}
	e.panel = v.m.Outline.Panel(v.m.About.About, schema.PathOf(v.node))
	return e
}

// explainAbsent tells of a path at which the object holds nothing; somebody may claim it all the same.
func (v *fieldsView) explainAbsent(e *explained) {
	for _, l := range v.Blame.Lost() {
		if l.Path == e.path {
			c := ownership.Claim{Owner: l.Owner, Path: l.Path, Keys: l.Keys, OtherVersion: l.Reason == ownership.OtherVersion}
			told := v.claim(c)
			told.why = "claims it; " + l.Detail
			e.claims = append(e.claims, told)
		}
	}
	if len(e.claims) == 0 {
		e.words = append(e.words, "The object holds no such field, and nobody claims one.")
	} else {
		e.words = append(e.words, "The object holds no such field.")
	}
}

func (v *fieldsView) claim(c ownership.Claim) claim {
	told := claim{keys: c.Keys, wrote: v.m.wrote(c.Owner)}
	if i := slices.IndexFunc(v.Managers, func(m manager) bool { return m.Owner == c.Owner }); i >= 0 {
		told.manager = v.Managers[i]
	}
	switch c.Why {
	case ownership.Atomic:
		told.why = "claims " + c.Path + ", which is owned as a whole, and so all that is in it"
	case ownership.Item:
		told.why = "claims the list item " + c.Path + " without a word about what is in it, and so all of it"
	default:
		told.why = "claims it itself"
	}
	if c.OtherVersion {
		told.version = c.APIVersion
	}
	return told
}

// identity are the fields that make an object the one it is; the server keeps them out of managedFields, as it does those
// that it sets itself.
var identity = []string{".apiVersion", ".kind", ".metadata.name", ".metadata.namespace"}

var serverSet = []string{".metadata.uid", ".metadata.resourceVersion", ".metadata.creationTimestamp", ".metadata.generation", ".metadata.selfLink", ".metadata.deletionTimestamp", ".metadata.deletionGracePeriodSeconds"}

// theServers tells whether a field is one that no manager can own.
func theServers(path string) bool {
	return slices.Contains(identity, path) || slices.Contains(serverSet, path)
}

// ownerless says why nobody owns the field, as far as that can be told.
func (v *fieldsView) ownerless(e explained) []string {
	switch {
	case len(e.claims) > 0:
		return nil
	case len(v.node.Children) > 0:
		return []string{"Nobody claims it for itself: it holds what others own, so it is nobody’s and everybody’s. It goes away with the last field in it."}
	case slices.Contains(identity, e.path):
		return []string{"Nobody owns it: it is part of what makes this object the one it is, and no manager can claim it."}
	case slices.Contains(serverSet, e.path):
		return []string{"Nobody owns it: the server sets it itself, and no manager can claim it."}
	case len(v.Blame.Record.Entries) == 0:
		return []string{"Nobody owns it: the object has no managed fields at all."}
	case v.isDefault():
		return []string{"Nobody owns it: it has the default that the schema names, which the server filled in after the write."}
	default:
		words := "Nobody owns it: no entry claims it. Such values are defaults that the server filled in after a write, what admission added after it was recorded, or what a manager gave up."
		_, scales, lost := v.m.through()
		if len(lost) > 0 {
			words += " Or they came through " + owners.And(lost) + ", which ownership does not follow."
		}
		if len(scales) > 0 && e.path == ".spec.replicas" {
			words += " Or it came through " + owners.And(scales) + ", which is noted only where somebody owns the number already."
		}
		return []string{words}
	}
}

// isDefault tells whether the field has the value that the schema names as its default.
func (v *fieldsView) isDefault() bool {
	if v.m.Outline == nil {
		return false
	}
	f, found := v.m.Outline.Schema.Field(schema.PathOf(v.node))
	text, err := manifest.YAML(v.node.Value)
	return found && err == nil && f.Default != "" && f.Default == strings.Trim(strings.TrimSpace(string(text)), `"`)
}

// other is a manager that no object knows: subresources have no spaces in their names.
var other = ownership.Manager{Name: "another manager", Operation: ownership.Apply, Subresource: "of no object"}

func (v *fieldsView) effects() []effect {
	path := v.Blame.Path(v.node)
	apply := v.Blame.Effect(path, ownership.Write{By: other, Change: ownership.Set})
	updating := other
	updating.Operation = ownership.Update
	update := v.Blame.Effect(path, ownership.Write{By: updating, Change: ownership.Set})
	same := v.Blame.Effect(path, ownership.Write{By: other, Change: ownership.Equal})
	if len(apply.Conflicts) == 0 {
		return []effect{
			{"applies another value", "gets it, and owns the field then: nobody is in the way."},
			{"applies the same value", "owns the field from then on, alone."},
			{"updates it (PUT, patch, kubectl edit)", "owns the field then."},
		}
	}
	return []effect{
		{"applies another value", "is refused (409): a conflict with " + v.who(apply.Conflicts) + ". Forced, the apply takes the field from " + them(apply.Conflicts) + "." + v.passing(path)},
		{"applies the same value", "owns the field together with " + v.who(same.Shares) + "."},
		{"updates it (PUT, patch, kubectl edit)", "takes it from " + v.who(update.Takes) + ", without being asked."},
	}
}

// passing tells of the one manager that the server lets pass.
func (v *fieldsView) passing(path string) string {
	kubectl := ownership.Manager{Name: "kubectl", Operation: ownership.Apply}
	if !v.Blame.Effect(path, ownership.Write{By: kubectl, Change: ownership.Set}).MayPass {
		return ""
	}
	return " kubectl alone needs no force: the field still has the value that client-side apply left in an annotation, and kubectl may take over what it applied so."
}

func them(claims []ownership.Claim) string {
	if len(claims) == 1 {
		return "it"
	}
	return "them"
}

// who are the managers of claims, each once.
func (v *fieldsView) who(claims []ownership.Claim) string {
	var names []string
	for _, c := range claims {
		name := c.Words()
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return owners.And(names)
}

// parts are who owns how many of the values in the field.
func (v *fieldsView) parts() []part {
	counts := make([]int, len(v.Managers)+1)
	for i := v.row; i < len(v.Rows) && v.Rows[i].Node.ID < v.node.End; i++ {
		r := v.Rows[i]
		if r.Kind != ownership.Leaf || r.Node.ID < v.node.ID {
			continue
		}
		for _, c := range r.Columns {
			counts[c]++
		}
		if len(r.Columns) == 0 {
			counts[len(v.Managers)]++
		}
	}
	var all []part
	for i, n := range counts {
		switch {
		case n == 0:
		case i == len(v.Managers):
			all = append(all, part{nobody: true, values: n})
		default:
			all = append(all, part{manager: v.Managers[i], values: n})
		}
	}
	return all
}

// lost is something that managers claim and the page can't show on the object.
type lost struct {
	who    string
	path   string
	keys   string
	reason string
}

func (v *fieldsView) lost() []lost {
	var all []lost
	for _, l := range v.Blame.Lost() {
		who := "managedFields"
		if l.Owner.Name != "" || l.Owner.Operation != "" {
			who = l.Owner.Words()
		}
		all = append(all, lost{who: who, path: l.Path, keys: strings.Join(l.Keys, " › "), reason: l.Detail})
	}
	return all
}

// untracked says that there is no record of owners at all, and why that may be; nil: there is one.
func (v *fieldsView) untracked() *components.Notice {
	if len(v.Blame.Record.Entries) > 0 || len(v.Blame.Record.Unreadable) > 0 {
		return nil
	}
	n := &components.Notice{
		Title:  "No managed fields",
		Why:    &why.Clearing,
		Words:  "The server keeps no record of who owns what of this object, so every line is nobody’s.",
		Advice: "The record was cleared, or there was nothing to own when the object was made, or it comes from a server that keeps no such records. Updates begin none; the first apply does, and counts all that is there as owned by before-first-apply.",
	}
	if v.m.Path.Subresource != "" {
		n.Words = "What this subresource answers with carries no record of owners. That of the object itself does, and tells of writes through the subresource as well."
		n.Advice, n.Why = "", &why.Untracked
	}
	return n
}
