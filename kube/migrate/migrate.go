// Package migrate says what the first server-side apply of an object would meet: conflicts, fields that it removes, and fields that stay although
// no manifest has them.
//
//	metadata ──▶ OwnerOf: who applies the object today, and with which older entries
//	manifest (annotation, release, file) ──▶ kube/check: dry runs, findings ──┐
//	live object, dry run ──▶ StepOf: csaupgrade and the apply, as one change ─┴─▶ Judge ──▶ Object: safe, decision or breaks, with the step to paste
//
// The words of findings are those of kube/check. The package makes no requests.
package migrate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// Verdict says what the first server-side apply of an object needs.
type Verdict string

// The verdicts, in the order of a plan.
const (
	Safe     Verdict = "safe"     // it can be done now
	Decision Verdict = "decision" // somebody must decide something before
	Breaks   Verdict = "breaks"   // it is refused, or removes fields
)

// Verdicts are all verdicts, in the order of a plan.
func Verdicts() []Verdict { return []Verdict{Safe, Decision, Breaks} }

// Title is the verdict as a title of a part of the plan.
func (v Verdict) Title() string {
	return map[Verdict]string{Safe: "Safe now", Decision: "Needs a decision", Breaks: "Will break"}[v]
}

// Source is where the manifest of an object comes from.
type Source string

// The sources.
const (
	Unknown    Source = ""
	Annotation Source = "last-applied" // the annotation of client-side apply
	Stored     Source = "release"      // the stored release of Helm
	Given      Source = "file"         // a file of the user
)

// Words say where the manifest comes from.
func (s Source) Words() string {
	return map[Source]string{Unknown: "not known", Annotation: "the annotation of client-side apply", Stored: "the stored release", Given: "a file"}[s]
}

// Object is what the first server-side apply of one object would do.
type Object struct {
	Type       string          `json:"type"` // full name: "deployments.apps"
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Namespace  string          `json:"namespace,omitempty"`
	Name       string          `json:"name"`
	Owner      Owner           `json:"owner"`
	Manifest   Source          `json:"manifest"` // where the manifest comes from; empty: unknown
	Verdict    Verdict         `json:"verdict"`
	Why        string          `json:"why"`
	Findings   []check.Finding `json:"findings"`
	Fields     []Field         `json:"fields"` // whose owners change, or that are removed
	Steps      []check.Way     `json:"steps"`  // what to paste, in this order

	// Preview is the dry run of the apply; nil: it was not sent, or the manifest is that of a stored release, which nothing may show.
	Preview *check.Ask `json:"-"`

	file string // of the manifest, if the user named one
}

// Case is what is known about one object.
type Case struct {
	Object
	Meta     map[string]any // the object, or its metadata alone
	File     string         // of the manifest, if the user named one
	Findings []check.Finding
	Step     *Step          // nil: it could not be tried, or there is no manifest
	Refused  bool           // the API server refuses the apply, so Step has only what the tool folds before
	Left     map[string]any // the response to the dry run with Step.Without; nil: none
	Unread   string         // why nothing could be predicted, as a sentence; empty: it was
	Options  Options        // of the object that Owner names
	Rules    []check.Rule
	Now      time.Time
}

// Judge is the object with its verdict and its steps.
func (c Case) Judge() Object {
	o := c.Object
	o.file, o.Findings, o.Fields = c.File, slices.Clone(c.Findings), []Field{}
	if c.Step != nil {
		o.Fields = c.Step.Fields(c.Left)
		if !c.Refused {
			o.Findings = reconciled(o, c.Step.Folded)
		}
	}
	if o.Findings == nil {
		o.Findings = []check.Finding{}
	}
	if o.Manifest != Given {
		inWords(o.Findings)
	}
	if o.Manifest == Stored {
		hide(o.Findings)
	}
	check.Sort(o.Findings)
	check.Expect(o.Findings, c.Rules, c.Now)
	o.Verdict, o.Why = c.verdict(o)
	o.Steps = steps(o, c.Options)
	return o
}

// inWords puts ways that change a file into words, because the user has named none.
func inWords(findings []check.Finding) {
	for i := range findings {
		f := &findings[i]
		f.Ways = slices.Clone(f.Ways)
		for at, w := range f.Ways {
			switch {
			case w.Way == check.WayGiveUp:
				f.Ways[at].Text = "In the manifest: delete " + plain.Text(f.Path) + "\n"
			case w.Way == check.WayShare && strings.HasPrefix(w.Text, "--- "):
				f.Ways[at].Text = "In the manifest: set " + plain.Text(f.Path) + " to " + plain.Text(string(f.Live)) + "\n"
			}
		}
	}
}

// hide removes from findings what a stored release says, because it was a Secret: values of its manifest, and texts that quote them.
func hide(findings []check.Finding) {
	for i := range findings {
		f := &findings[i]
		f.Stated = nil
		f.Ways = slices.DeleteFunc(slices.Clone(f.Ways), func(w check.Way) bool { return w.Way != check.WayOverwrite && w.Way != check.WayRule })
		if f.Kind == check.Changed || f.Kind == check.Server || f.Kind == check.Invalid || f.Kind == check.Unknown {
			f.Why = f.Kind.About().Means
		}
	}
}

// reconciled are the findings of check after the fold: check has to guess which removed fields come back by default, and the dry run knows.
func reconciled(o Object, folded []manager.Manager) []check.Finding {
	var all []check.Finding
	for _, f := range o.Findings {
		switch {
		case f.Kind == check.Pruned && !slices.ContainsFunc(o.Fields, func(g Field) bool { return g.Gone && related(g.Path, f.Path) }):
			continue // it comes back
		case f.Kind == check.Taken && len(f.Owners) > 0 && !slices.ContainsFunc(f.Owners, func(w ownership.Owner) bool { return !slices.ContainsFunc(folded, w.Same) }):
			f.Kind, f.Why = check.Changed, "Only older entries of "+o.Owner.Tool.Words()+" own the field, and they become part of its own entry. So nobody loses the field."
		}
		all = append(all, f)
	}
	for _, g := range o.Fields {
		told := slices.ContainsFunc(all, func(f check.Finding) bool {
			return f.Path != "" && f.Kind != check.Stuck && f.Kind != check.Extra && f.Kind != check.Shared && related(g.Path, f.Path)
		})
		if !g.Gone || told || strings.HasSuffix(g.Path, assist.LastApplied) {
			continue
		}
		all = append(all, check.Finding{
			Kind: check.Pruned, Object: check.Object{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: o.Namespace, Name: o.Name}, Path: g.outer, Owners: ownersOf(g.Before),
			Why: "The manifest doesn’t have the field. Older entries of " + o.Owner.Tool.Words() + " own it, and become part of its own entry. Then the apply removes the field. A dry run doesn’t show this.",
		})
	}
	return all
}

func ownersOf(all []manager.Manager) []ownership.Owner {
	owners := make([]ownership.Owner, 0, len(all))
	for _, m := range all {
		owners = append(owners, ownership.Owner{Manager: m})
	}
	return owners
}

// related tells whether one of two paths leads to the other.
func related(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	rest, below := strings.CutPrefix(b, a)
	return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// verdict says what the object needs, and why, in a sentence or two.
func (c Case) verdict(o Object) (Verdict, string) {
	counts := map[check.Kind]int{}
	items := 0
	for _, f := range o.Findings {
		if f.Expected == nil {
			counts[f.Kind]++
			if f.Kind == check.Extra && strings.HasSuffix(f.Path, "]") {
				items++
			}
		}
	}
	switch {
	case c.Unread != "":
		return Decision, c.Unread
	case counts[check.Conflict] > 0:
		return Breaks, "The API server refuses the apply, because other entries own fields with other values." + kept(o)
	case counts[check.Invalid] > 0:
		return Breaks, "The API server refuses the apply." + kept(o)
	case counts[check.Pruned] > 0:
		return Breaks, "The apply removes " + words.Count(int64(counts[check.Pruned]), "field", "fields") + "."
	case o.Manifest == Unknown:
		return Decision, "No manifest of the object is known, so conflicts can’t be predicted. " + others(c.Meta, o.Owner)
	case counts[check.Unknown]+counts[check.Unserved] > 0:
		return Decision, "The apply could not be tried."
	case counts[check.Taken] > 0:
		return Decision, o.Owner.Tool.Words() + " applies with force, and takes fields from other managers. They can take them back."
	case counts[check.Stuck] > 0:
		return Decision, "Fields stay although no manifest has them."
	case items > 0:
		return Decision, "Other managers own " + words.Count(int64(items), "list item", "list items") + " that the manifest doesn’t have. The apply leaves such items alone."
	}
	return Safe, "The apply conflicts with nobody, and removes nothing."
}

// kept says what a refused apply changes.
func kept(o Object) string {
	if len(o.Fields) > 0 {
		return " Before that, " + o.Owner.Tool.Words() + " has folded its older entries, so owners change, and no value does."
	}
	return " Nothing changes then."
}

// others names the other managers that own fields of an object.
func others(fields map[string]any, of Owner) string {
	var all []ownership.Owner
	for _, m := range ownership.Parse(fields).Managers() {
		if m.Subresource != "status" && !m.Same(applier(of.Manager)) && !slices.ContainsFunc(of.Older, m.Same) {
			all = append(all, m)
		}
	}
	if len(all) == 0 {
		return "Nobody else owns fields of the object."
	}
	return "These managers own fields of it, too: " + manager.Names(all) + "."
}

// Sort sorts objects in the order of a plan.
func Sort(all []Object) {
	slices.SortStableFunc(all, func(a, b Object) int {
		return cmp.Or(cmp.Compare(slices.Index(Verdicts(), a.Verdict), slices.Index(Verdicts(), b.Verdict)), cmp.Compare(a.Owner.Tool, b.Owner.Tool),
			cmp.Compare(a.Owner.Key(), b.Owner.Key()), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
}

// APIVersion and ReportKind begin a report.
const (
	APIVersion = "fieldmark.dev/v1"
	ReportKind = "Migration"
)

// Report is the plan for one or several clusters. Its JSON is a contract with scripts.
type Report struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Clusters   []Cluster `json:"clusters"`
}

// Cluster is the plan for one cluster.
type Cluster struct {
	Context string             `json:"context"`
	Objects []Object           `json:"objects"`
	Counts  map[Verdict]int    `json:"counts"`
	Kinds   map[check.Kind]int `json:"findings"` // how many findings of each kind there are that no rule expects
	// Done is how many objects are applied server-side and have no older entries. More is how many others there are than Objects has.
	Done int `json:"done"`
	More int `json:"more,omitempty"`
	// Missing says what could not be read, in sentences.
	Missing []string `json:"missing"`
	Problem string   `json:"problem,omitempty"` // why nothing could be found out
}

// Counted is the cluster with its counts.
func (c Cluster) Counted() Cluster {
	c.Counts, c.Kinds = map[Verdict]int{}, map[check.Kind]int{}
	if c.Objects == nil {
		c.Objects = []Object{}
	}
	if c.Missing == nil {
		c.Missing = []string{}
	}
	Sort(c.Objects)
	for _, o := range c.Objects {
		c.Counts[o.Verdict]++
		for _, f := range o.Findings {
			if f.Expected == nil {
				c.Kinds[f.Kind]++
			}
		}
	}
	return c
}

// Fails tells whether there is a finding of one of these kinds that no rule expects.
func (r Report) Fails(on []check.Kind) bool {
	return slices.ContainsFunc(r.Clusters, func(c Cluster) bool {
		return slices.ContainsFunc(on, func(k check.Kind) bool { return c.Kinds[k] > 0 })
	})
}

// Tally says how many objects have which verdict: "3 safe, 1 breaks".
func (c Cluster) Tally() string {
	var all []string
	for _, v := range Verdicts() {
		if n := c.Counts[v]; n > 0 {
			all = append(all, fmt.Sprintf("%d %s", n, v))
		}
	}
	return strings.Join(all, ", ")
}
