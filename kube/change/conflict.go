package change

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Conflict is a field that an apply would change, and that another manager owns.
type Conflict struct {
	Path string // in structured-merge-diff's notation, as the server wrote it
	// Yours and Live are the values as JSON. Long ones are cut. They are empty if there is no value.
	Yours, Live string
	// YourValue and LiveValue are the values themselves; Share takes the live one.
	YourValue, LiveValue any
	Sent, Held           bool // whether the request, and the live object, have the field
	Owners               []Holder
}

// Holder is a manager that owns a field in conflict.
type Holder struct {
	ownership.Owner
	Covers string // what it claims: the field, or what is around it
	Likely Likely
	// Known tells that the managedFields of the live object name it. Otherwise only the refusal names it, because the managedFields are
	// older or newer than the refusal.
	Known bool
}

// Likely says whether a manager is probably a program that keeps writing, and why.
type Likely struct {
	Controller bool
	Why        string
}

// Refused is an apply that was refused: its object, its manifest and its manager.
type Refused struct {
	Live, Sent map[string]any
	Manager    ownership.Manager
	Schema     *schema.Schema
	// Writes says how often a manager was seen to write while the object was watched. It is nil if nobody watched.
	Writes func(ownership.Manager) int
}

// Conflicts reads a server's refusal of an apply: field by field, in the order of the live object. The causes of a Status come in no
// fixed order, and one for each manager. If the Status is another refusal, there are none.
func Conflicts(s status.Status, in Refused) []Conflict {
	var known ownership.Schema
	if in.Schema != nil {
		known = in.Schema.Knowledge()
	}
	record := ownership.Parse(in.Live)
	live := record.On(manifest.Tree(content(in.Live)), known)
	sent := record.On(manifest.Tree(content(in.Sent)), known)
	byPath := map[string]*Conflict{}
	for _, cause := range s.Causes {
		if cause.Reason != status.FieldManagerConflict {
			continue
		}
		c := byPath[cause.Field]
		if c == nil {
			c = &Conflict{Path: cause.Field}
			c.LiveValue, c.Live, c.Held = valueAt(live, c.Path)
			c.YourValue, c.Yours, c.Sent = valueAt(sent, c.Path)
			byPath[c.Path] = c
		}
		c.hold(live, in, cause)
	}
	all := make([]Conflict, 0, len(byPath))
	for _, c := range byPath {
		slices.SortFunc(c.Owners, func(a, b Holder) int {
			return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.APIVersion, b.APIVersion))
		})
		all = append(all, *c)
	}
	slices.SortFunc(all, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(place(live, a.Path), place(live, b.Path)), strings.Compare(a.Path, b.Path))
	})
	return all
}

// place is the position of a path in the object; the end of the object if it doesn't have the path.
func place(live *ownership.Blame, path string) int {
	for _, n := range live.Find(path) {
		return n.ID
	}
	return live.Root.End
}

func valueAt(b *ownership.Blame, path string) (value any, text string, found bool) {
	for _, n := range b.Find(path) {
		return n.Value, written(n.Value), true
	}
	return nil, "", false
}

// hold adds the manager of a cause to the owners, with its entry in managedFields if it has one.
func (c *Conflict) hold(live *ownership.Blame, in Refused, cause status.Cause) {
	named, ok := cause.Owner()
	if !ok {
		named.Name = cause.Message
	}
	h := Holder{Owner: named, Covers: c.Path}
	for _, claim := range live.Claimed(c.Path) {
		if claim.Name == named.Name && claim.Operation == named.Operation && claim.Subresource == named.Subresource &&
			(named.APIVersion == "" || named.APIVersion == claim.APIVersion) {
			h = Holder{Owner: claim.Owner, Covers: claim.Path, Known: true}
			break
		}
	}
	if slices.ContainsFunc(c.Owners, func(other Holder) bool { return other.Same(h.Manager) }) {
		return
	}
	writes := 0
	if in.Writes != nil {
		writes = in.Writes(h.Manager)
	}
	h.Likely = LikelyController(h.Manager, live.Record, writes)
	c.Owners = append(c.Owners, h)
}

// Names of managers: known controllers, names that controllers usually have, and tools of people, which are never controllers.
var (
	controllers = regexp.MustCompile(`^(kube-controller-manager|cloud-controller-manager|kube-scheduler|kubelet|kube-apiserver|kube-proxy|cluster-autoscaler|argocd-(application-)?controller|flux|kustomize-controller|helm-controller|source-controller|keda-operator|istiod|pilot-discovery|karpenter|crossplane|cert-manager-.*|vpa-(recommender|updater)|gke-.*|eks|aks.*)$`)
	named       = regexp.MustCompile(`(?i)(controller|operator|autoscaler|reconciler|scheduler)`)
	tools       = regexp.MustCompile(`(?i)^(kubectl.*|k9s|lens|helm|terraform.*|pulumi.*|curl|node-fetch|mozilla|fieldmark.*|headlamp.*|openshift-console|dashboard)$`)
)

const manyWrites = 3

// LikelyController judges whether a manager is a program that will write again. It uses the manager's name, its operation, and how
// often it was seen to write.
func LikelyController(m ownership.Manager, record ownership.Record, writes int) Likely {
	switch {
	case writes >= manyWrites:
		return Likely{true, m.Words() + " wrote " + strconv.Itoa(writes) + " times while this object was watched."}
	case controllers.MatchString(m.Name):
		return Likely{true, m.Name + " is the name of a known controller."}
	case tools.MatchString(m.Name) || m.History():
		return Likely{}
	case named.MatchString(m.Name):
		return Likely{true, m.Name + " looks like the name of a controller."}
	case m.Operation == ownership.Update && m.Subresource != "":
		return Likely{true, m.Name + " writes to the subresource " + m.Subresource + ", as controllers do."}
	}
	for _, e := range record.Entries {
		if e.Name == m.Name && e.Operation == ownership.Update && e.Subresource == "status" {
			return Likely{true, m.Name + " also writes the object's status, as controllers do."}
		}
	}
	return Likely{}
}
