package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/schema"
)

// Choice is the manager that a manifest is judged for if the user names none.
type Choice struct {
	Manager string
	// Owns is how many of the values that the manifest has the manager owns, and Of how many of them have owners.
	Owns, Of int
}

// Words say which manager it is, and why.
func (c Choice) Words() string {
	if c.Of == 0 {
		return c.Manager + ": nobody owns anything of what the manifest has, and this is the manager of kubectl apply --server-side."
	}
	return fmt.Sprintf("%s: it owns %d of the %d values that the manifest has and that have owners.", c.Manager, c.Owns, c.Of)
}

// Choose finds the manager that owns most of what a manifest has. Entries of client-side apply count for kubectl, and several entries of one
// name count once. Controllers that write through subresources, and what the server keeps as history, don't count.
func Choose(live, stated map[string]any, known *schema.Schema) Choice {
	var knowledge ownership.Schema
	if known != nil {
		knowledge = known.Knowledge()
	}
	record := ownership.Parse(live)
	on := func(o map[string]any) *ownership.Blame {
		return record.On(manifest.Tree(object.Object{Fields: o}.WithoutManagedFields().Fields), knowledge)
	}
	v := vote{live: on(live), stated: on(stated), votes: map[string]int{}}
	v.count(v.live.Root, v.stated.Root)
	best := Choice{Manager: kubectl, Of: v.of}
	for _, o := range record.Managers() { // those who apply come first, and win a draw
		if name := toolName(o); v.votes[name] > best.Owns {
			best.Manager, best.Owns = name, v.votes[name]
		}
	}
	return best
}

// vote counts who owns what a manifest has.
type vote struct {
	live, stated *ownership.Blame
	votes        map[string]int
	of           int
}

func (v *vote) count(was, sent *manifest.Node) {
	for _, pair := range ownership.Counterparts(v.live, v.stated, was, sent) {
		switch {
		case pair.Old == nil || pair.New == nil || housekept(v.live.Path(pair.Old)):
		case len(pair.Old.Children) > 0 && !whole(v.live, pair.Old):
			v.count(pair.Old, pair.New)
		default:
			v.add(v.live.Owners(pair.Old))
		}
	}
}

func (v *vote) add(owners []ownership.Owner) {
	var names []string
	for _, o := range owners {
		if name := toolName(o); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
			v.votes[name]++
		}
	}
	if len(names) > 0 {
		v.of++
	}
}

// toolName is the manager as which the tool would apply that has an entry; empty: none would.
func toolName(o ownership.Owner) string {
	switch {
	case o.Subresource != "", o.History(), o.Name == beforeFirst:
		return ""
	case o.Operation == ownership.Update && strings.HasPrefix(o.Name, kubectlIs):
		return kubectl
	}
	return o.Name
}
