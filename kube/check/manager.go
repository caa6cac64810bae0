package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Choice is the manager for which manifests are judged if the user names none.
type Choice struct {
	Manager string
	// Owns is how many values of the manifests the manager owns. Of is how many values of the manifests have owners.
	Owns, Of int
}

// Words is a sentence that says which manager was chosen, and why.
func (c Choice) Words() string {
	if c.Of == 0 {
		return fmt.Sprintf("Checked as the manager %s, because the fields of the manifests have no owners. It is the manager of kubectl apply --server-side.", c.Manager)
	}
	return fmt.Sprintf("Checked as the manager %s. It owns %d of the %d values in the manifests that have owners.", c.Manager, c.Owns, c.Of)
}

// Votes counts the owners of the values in manifests, to find the manager that applies them. Entries of client-side apply count for kubectl. Several
// entries with the same name count once. Controllers that write through subresources, and entries into which the server merges older ones, don't
// count. The zero value has no votes.
type Votes struct {
	owns    map[string]int
	applies map[string]bool
	of      int
}

// Count counts the owners of one manifest's values. Live is its object on the server; nil if there is none.
func (v *Votes) Count(live, stated map[string]any, known *schema.Schema) {
	var knowledge ownership.Schema
	if known != nil {
		knowledge = known.Knowledge()
	}
	record := ownership.Parse(live)
	on := func(o map[string]any) *ownership.Blame {
		return record.On(manifest.Tree(object.Object{Fields: o}.WithoutManagedFields().Fields), knowledge)
	}
	if v.owns == nil {
		v.owns, v.applies = map[string]int{}, map[string]bool{}
	}
	for _, o := range record.Managers() {
		if o.Operation == ownership.Apply {
			v.applies[toolName(o)] = true
		}
	}
	one := ballot{live: on(live), stated: on(stated), votes: v}
	one.countVotes(one.live.Root, one.stated.Root)
}

// Choice is the manager that owns the most values. Of several that own the same number, it prefers managers that apply, and then the alphabetical order.
func (v *Votes) Choice() Choice {
	best := Choice{Manager: kubectl, Of: v.of}
	for _, name := range slices.Sorted(maps.Keys(v.owns)) {
		if n := v.owns[name]; n > best.Owns || n == best.Owns && v.applies[name] && !v.applies[best.Manager] {
			best.Manager, best.Owns = name, n
		}
	}
	return best
}

// Choose is the choice for one manifest.
func Choose(live, stated map[string]any, known *schema.Schema) Choice {
	var v Votes
	v.Count(live, stated, known)
	return v.Choice()
}

// ballot counts one manifest, compared with its object.
type ballot struct {
	live, stated *ownership.Blame
	votes        *Votes
}

func (b ballot) countVotes(was, sent *manifest.Node) {
	for _, pair := range ownership.Counterparts(b.live, b.stated, was, sent) {
		switch {
		case pair.Old == nil || pair.New == nil || housekept(b.live.Path(pair.Old)):
		case len(pair.Old.Children) > 0 && !whole(b.live, pair.Old):
			b.countVotes(pair.Old, pair.New)
		default:
			b.votes.addVote(b.live.Owners(pair.Old))
		}
	}
}

func (v *Votes) addVote(owners []ownership.Owner) {
	var names []string
	for _, o := range owners {
		if name := toolName(o); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
			v.owns[name]++
		}
	}
	if len(names) > 0 {
		v.of++
	}
}

// toolName is the name that the tool of an entry uses to apply; empty if there is no such tool.
func toolName(o ownership.Owner) string {
	switch {
	case o.Subresource != "", o.History(), o.Name == beforeFirst:
		return ""
	case o.Operation == ownership.Update && strings.HasPrefix(o.Name, kubectlIs):
		return kubectl
	}
	return o.Name
}
