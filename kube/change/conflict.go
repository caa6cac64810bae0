package change

import (
	"cmp"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/status"
)

// Conflict is a field that an apply would change, and that another manager owns.
type Conflict struct {
	Path string // in structured-merge-diff's notation, as the server wrote it
	// Claimed is the path that the server wrote if the owners claim the field in another API version, where it has another name.
	Claimed string
	// Yours and Live are the values as JSON. Long ones are cut. They are empty if there is no value.
	Yours, Live string
	// YourValue and LiveValue are the values themselves; Share takes the live one.
	YourValue, LiveValue any
	Sent, Held           bool // whether the request, and the live object, have the field
	Owners               []Holder
	// Node is the field in the manifest; nil if it isn't there.
	Node *manifest.Node `json:"-"`
	// Ambiguous tells that other fields of the object have the same path as text, because names of fields may have dots.
	Ambiguous bool

	// Parts are the steps that lead to the field; nil if neither version has it.
	Parts []string
}

// mostApart is the number of characters of a value in a conflict that is shown.
const mostApart = 200

// Apart are both values as JSON. Long ones are cut so that they show the first difference.
func (c Conflict) Apart() (live, yours string) {
	was, err := json.Marshal(c.LiveValue)
	is, wrong := json.Marshal(c.YourValue)
	if !c.Held || !c.Sent || err != nil || wrong != nil {
		return c.Live, c.Yours
	}
	return plain.Apart(string(was), string(is), mostApart)
}

// Alike says that both values mean the same, or look the same, although they conflict; empty if neither is so.
func (c Conflict) Alike() string {
	if !c.Sent || !c.Held {
		return ""
	}
	return Alike(c.YourValue, c.LiveValue)
}

// Alike says that two different values mean the same or look the same. Servers compare how values are written.
func Alike(sent, live any) string {
	_, number := sent.(json.Number)
	_, also := live.(json.Number)
	same := SameAmount(sent, live)
	switch {
	case equal(sent, live), shape(sent) != 0, shape(live) != 0:
		return ""
	case number != also && bare(sent) == bare(live) && number:
		return "Both look the same, but you send a number, and the live value is a text. The API server tells them apart."
	case number != also && bare(sent) == bare(live):
		return "Both look the same, but you send a text, and the live value is a number. The API server tells them apart."
	case same:
		return "If the values are quantities, " + short(sent) + " and " + short(live) + " are the same amount. The API server compares how they are written."
	}
	return ""
}

// bare is a scalar without quotes.
func bare(v any) string {
	if text, is := v.(string); is {
		return text
	}
	return written(v)
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
	var all []*Conflict
	for _, cause := range s.Causes {
		if cause.Reason != status.FieldManagerConflict {
			continue
		}
		for _, parts := range meant(live, sent, cause) {
			i := slices.IndexFunc(all, func(c *Conflict) bool {
				return (c.Path == cause.Field || c.Claimed == cause.Field) && slices.Equal(c.Parts, parts)
			})
			if i < 0 {
				i, all = len(all), append(all, newConflict(live, sent, cause.Field, parts))
			}
			all[i].hold(live, in, cause)
		}
	}
	return sorted(all, live)
}

// newConflict is a conflict about the field at a place; parts are nil if neither version has it.
func newConflict(live, sent *ownership.Blame, path string, parts []string) *Conflict {
	c := &Conflict{Path: path, Parts: parts}
	if parts == nil {
		return c
	}
	if len(live.Readings(path))+len(sent.Readings(path)) == 0 {
		c.Claimed, c.Path = path, strings.Join(parts, "")
	}
	if was := live.At(parts); was != nil {
		c.LiveValue, c.Live, c.Held = was.Value, written(was.Value), true
	}
	if c.Node = sent.At(parts); c.Node != nil {
		c.YourValue, c.Yours, c.Sent = c.Node.Value, written(c.Node.Value), true
	}
	c.Ambiguous = max(len(live.Readings(path)), len(sent.Readings(path))) > 1
	return c
}

// sorted sorts the owners of each conflict, and the conflicts in the order of the live object.
func sorted(conflicts []*Conflict, live *ownership.Blame) []Conflict {
	place := func(c Conflict) int {
		if n := live.At(c.Parts); c.Parts != nil && n != nil {
			return n.ID
		}
		return live.Root.End
	}
	all := make([]Conflict, 0, len(conflicts))
	for _, c := range conflicts {
		slices.SortFunc(c.Owners, func(a, b Holder) int {
			return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.APIVersion, b.APIVersion))
		})
		all = append(all, *c)
	}
	slices.SortStableFunc(all, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), strings.Compare(a.Path, b.Path))
	})
	return all
}

// meant are the fields that a cause is about, each by its parts. The server's text doesn't quote names of fields, so it can be that of several
// fields. Then those are meant that the manager owns and that the apply changes. If neither version has the field, there is one, without parts.
func meant(live, sent *ownership.Blame, cause status.Cause) [][]string {
	all := sent.Readings(cause.Field)
	for _, parts := range live.Readings(cause.Field) {
		if !slices.ContainsFunc(all, func(other []string) bool { return slices.Equal(other, parts) }) {
			all = append(all, parts)
		}
	}
	owner, _ := cause.Owner()
	if len(all) == 0 {
		return [][]string{renamed(live, sent, cause.Field, owner)}
	}
	changed := slices.DeleteFunc(slices.Clone(all), func(parts []string) bool {
		was, is := live.At(parts), sent.At(parts)
		return is == nil || was != nil && reflect.DeepEqual(was.Value, is.Value) ||
			!slices.ContainsFunc(live.ClaimedAt(parts), func(c ownership.Claim) bool { return c.Name == owner.Name && c.Operation == owner.Operation })
	})
	if len(changed) == 0 {
		return all[:1]
	}
	return changed
}

// renamed is the field that another manager claims in another API version, by its parts: the only one that may be meant and that the apply changes.
// Nil: it is unknown.
func renamed(live, sent *ownership.Blame, path string, owner ownership.Owner) []string {
	var found [][]string
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		parts := live.Parts(n)
		is := sent.At(parts)
		if is == nil {
			return
		}
		if slices.ContainsFunc(live.Unplaced(n), func(c ownership.Claim) bool {
			return c.Path == path && c.Name == owner.Name && c.Operation == owner.Operation
		}) {
			if !reflect.DeepEqual(n.Value, is.Value) {
				found = append(found, parts)
			}
			return
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(live.Root)
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// hold adds the manager of a cause to the owners, with its entry in managedFields if it has one.
func (c *Conflict) hold(live *ownership.Blame, in Refused, cause status.Cause) {
	named, ok := cause.Owner()
	if !ok {
		named.Name = cause.Message
	}
	h := Holder{Owner: named, Covers: c.Path}
	claims := live.Claimed(c.Path)
	if c.Parts != nil {
		claims = append(live.ClaimedAt(c.Parts), live.Unplaced(live.At(c.Parts))...)
	}
	for _, claim := range claims {
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
