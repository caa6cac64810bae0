package fields

import (
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/typed"
	"github.com/fieldmark/fieldmark/web"
)

// explained is the explanation of the selected field.
type explained struct {
	path    string
	holds   bool     // the object has the field
	claims  []claim  // claims on the field
	items   []claim  // claims on list items that begin in the same line
	words   []string // sentences about the field, besides the claims
	effects []effect
	parts   []part // owners of the values in the field
	panel   *components.FieldPanel
	whoCan  string // address of the page that says who could change the field; empty: only the server does
	clear   string
}

// claim is one manager's claim on a field, in words.
type claim struct {
	manager manager
	why     string
	keys    []string
	version string // if it isn't the object's version
	wrote   string
}

// effect is what a write of another manager would do.
type effect struct{ write, words string }

// part is the number of values in a field that one manager owns.
type part struct {
	manager manager
	nobody  bool
	values  int
}

// explain explains the selected field.
func (v *fieldsView) explain() explained {
	e := explained{path: v.m.Reading.Field, clear: v.m.readingAddress(v.m.Reading.on(""))}
	if !theServers(e.path) {
		e.whoCan = v.m.whoCan(e.path)
	}
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

// whoCan is the address of the page that says who could change a field of the object.
func (m on) whoCan(field string) string {
	at := url.Values{web.WhoCanPath: {m.Path.String()}}
	const status = "status"
	if _, has := m.Type.Subresource(status); has && (field == "."+status || strings.HasPrefix(field, "."+status+".")) {
		at.Set(web.WhoCanPart, status)
	}
	return web.WithQuery(web.Tool(m.Cluster, web.WhoCan), at)
}

// explainAbsent explains a path at which the object has no field. Managers can still claim such a path.
func (v *fieldsView) explainAbsent(e *explained) {
	meant := typed.Path(e.path)
	for _, l := range v.Blame.Lost() {
		if l.Path == e.path || l.Path == meant {
			c := ownership.Claim{Owner: l.Owner, Path: l.Path, Keys: l.Keys, OtherVersion: l.Reason == ownership.OtherVersion}
			told := v.claim(c)
			told.why = "The entry claims this field; " + l.Detail
			e.claims = append(e.claims, told)
		}
	}
	if len(e.claims) == 0 {
		e.words = append(e.words, "The object doesn’t have this field, and nobody claims it.")
	} else {
		e.words = append(e.words, "The object doesn’t have this field.")
	}
	if near := v.Blame.Nearest(e.path); near != "" {
		e.words = append(e.words, "Did you mean "+near+"?")
	}
}

func (v *fieldsView) claim(c ownership.Claim) claim {
	told := claim{keys: c.Keys, wrote: v.m.wrote(c.Owner)}
	if i := slices.IndexFunc(v.Managers, func(m manager) bool { return m.Owner == c.Owner }); i >= 0 {
		told.manager = v.Managers[i]
	}
	switch c.Why {
	case ownership.Atomic:
		told.why = "The entry claims " + c.Path + ", which has one owner as a whole, with everything in it"
	case ownership.Item:
		told.why = "The entry claims the list item " + c.Path + " without its fields, so the manager owns the whole item"
	default:
		told.why = "The entry claims exactly this field"
	}
	if c.OtherVersion {
		told.version = c.APIVersion
	}
	return told
}

// identity are the fields that identify an object. The server never records them in managedFields, and neither those in serverSet.
var identity = []string{".apiVersion", ".kind", ".metadata.name", ".metadata.namespace"}

var serverSet = []string{".metadata.uid", ".metadata.resourceVersion", ".metadata.creationTimestamp", ".metadata.generation", ".metadata.selfLink", ".metadata.deletionTimestamp", ".metadata.deletionGracePeriodSeconds"}

// theServers tells whether a field is one that no manager can own.
func theServers(path string) bool {
	return slices.Contains(identity, path) || slices.Contains(serverSet, path)
}

// ownerless says why nobody owns the field, as far as Fieldmark can know.
func (v *fieldsView) ownerless(e explained) []string {
	switch {
	case len(e.claims) > 0:
		return nil
	case slices.Contains(identity, e.path):
		return []string{"Nobody owns this field. It identifies the object, so no manager can claim it."}
	case slices.Contains(serverSet, e.path):
		return []string{"Nobody owns this field. The server sets it, so no manager can claim it."}
	case len(v.Blame.Unplaced(v.node)) > 0 && !v.isDefault(v.node):
		var all []string
		for _, c := range v.Blame.Unplaced(v.node) {
			all = append(all, components.Visible(c.Words()+" claims "+c.Path+" in "+c.APIVersion)+", which can’t be placed in this version. It may be this field.")
		}
		return all
	case len(v.node.Children) > 0:
		return []string{"Nobody claims this field itself. It only contains fields that others own. The server removes it with the last field in it."}
	case len(v.Blame.Record.Entries) == 0:
		return []string{"Nobody owns this field. The object has no managed fields."}
	case v.isDefault(v.node):
		return []string{"Nobody owns this field. It has the default of the schema, which the server set after the write."}
	default:
		words := "Nobody owns this field. No entry claims it. Such a value is a default, or admission added it after the owners were recorded, or a manager gave it up."
		_, scales, lost := v.m.through()
		if len(lost) > 0 {
			words += " Or the value was written through " + owners.And(lost) + ". Such writes aren’t recorded."
		}
		if len(scales) > 0 && e.path == ".spec.replicas" {
			words += " Or the value was written through " + owners.And(scales) + ". Such writes are recorded only if a manager already owns the number."
		}
		return []string{words}
	}
}

// isDefault tells whether a field has the schema's default value.
func (v *fieldsView) isDefault(n *manifest.Node) bool {
	if v.m.Outline == nil {
		return false
	}
	f, found := v.m.Outline.Schema.Field(schema.PathOf(n))
	return found && f.IsDefault(n.Value)
}

// other is a manager that no object can have, because names of subresources have no spaces.
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
			{"applies another value", "The manager becomes the owner of the field, without a conflict."},
			{"applies the same value", "The manager becomes the only owner of the field."},
			{"updates the field (PUT, patch, kubectl edit)", "The manager becomes the owner of the field."},
		}
	}
	return []effect{
		{"applies another value", "The server refuses the apply (409), because it conflicts with " + v.who(apply.Conflicts) + ". With force, the manager takes the field." + v.passing(path)},
		{"applies the same value", "The manager owns the field together with " + v.who(same.Shares) + "."},
		{"updates the field (PUT, patch, kubectl edit)", "The manager takes the field from " + v.who(update.Takes) + ", without a conflict."},
	}
}

// passing is a sentence about kubectl if it can take the field without force; empty if it can't.
func (v *fieldsView) passing(path string) string {
	kubectl := ownership.Manager{Name: "kubectl", Operation: ownership.Apply}
	if !v.Blame.Effect(path, ownership.Write{By: kubectl, Change: ownership.Set}).MayPass {
		return ""
	}
	return " Only kubectl needs no force. The field still has the value that client-side apply stored in an annotation, so kubectl can take it over."
}

// who lists the managers of claims, each once.
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

// parts are the numbers of values in the field, by owner.
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

// lost is a claim that the page can't show on the object.
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

// untracked says that the object has no managedFields, and why that can be; nil if it has some.
func (v *fieldsView) untracked() *components.Notice {
	if len(v.Blame.Record.Entries) > 0 || len(v.Blame.Record.Unreadable) > 0 {
		return nil
	}
	n := &components.Notice{
		Title:  "No managed fields",
		Why:    &why.Clearing,
		Words:  "The server has no record of who owns the fields of this object, so nobody owns any line.",
		Advice: "The record was cleared, or the object was created without fields to own, or by a server without such records. Updates don’t start a record. The first apply starts one, and records existing fields under before-first-apply.",
	}
	if v.m.Path.Subresource != "" {
		n.Words = "The response of this subresource has no record of owners. The object itself has one, with the writes through the subresource."
		n.Advice, n.Why = "", &why.Untracked
	}
	return n
}
