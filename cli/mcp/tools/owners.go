package tools

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
)

// owning is the arguments of owners_of.
type owning struct {
	target
	Fields  []string `json:"field_list"`
	Manager string   `json:"manager"`
	Cursor  string   `json:"cursor"`
}

// share is a manager with how much of the object it owns.
type share struct {
	owned
	Values int            `json:"values"` // that it owns
	Alone  int            `json:"alone"`  // of these, owned by no other manager
	Below  map[string]int `json:"below,omitempty"`
}

// shared is a field with several owners.
type shared struct {
	Path     string   `json:"path"`
	Managers []string `json:"managers"`
}

// fieldOwners is a field that a call asks about.
type fieldOwners struct {
	Path      string   `json:"path"`
	Owners    []owned  `json:"owners"`
	Conflicts []string `json:"change_conflicts_with"`
	Unknown   bool     `json:"not_in_object,omitempty"`
}

// maxOwners bounds the answer about the owners of an object, in bytes.
const maxOwners = 4000

// mostShared is how many fields with several owners one answer has at first.
const mostShared = 20

func (d *desk) ownersOf(ctx context.Context, in owning) (a Answer, err error) {
	p, err := d.read(ctx, in.target)
	if err != nil {
		return a, err
	}
	b := blamed(p)
	s := b.Summarize()
	all := sharedFields(b)
	a.Says = count(s.Leaves, "value", "values") + ": " + count(len(s.Managers), "manager owns", "managers own") + " some of them, " +
		count(s.Shared, "value has", "values have") + " several owners, and " + count(s.Nobody, "value has", "values have") + " none."
	asked := d.asked(b, in.Fields, in.Manager)
	for limit := mostShared; ; limit /= 2 {
		some, err := page(all, in.Cursor, limit, &a)
		if err != nil {
			return a, err
		}
		data := map[string]any{"object": p.reference(), "managers": shares(s, max(limit, 1)), "shared": some}
		if len(in.Fields) > 0 {
			data["fields"] = asked
		}
		a.Data = data
		if text, err := json.Marshal(a); err != nil || limit == 0 || len(text) < maxOwners {
			return a, err
		}
	}
}

// blamed is an object with the owners of its fields.
func blamed(p place) *ownership.Blame {
	var known ownership.Schema
	if p.schema != nil {
		known = p.schema.Knowledge()
	}
	return ownership.Parse(p.object.Fields).On(manifest.Tree(p.object.WithoutManagedFields().Fields), known)
}

// shares are the managers of an object, those with the most values first.
func shares(s ownership.Summary, most int) []share {
	all := make([]share, 0, len(s.Managers))
	for _, m := range s.Managers {
		one := share{owned: ownedBy(m.Owner), Values: m.Leaves, Alone: m.Alone, Below: map[string]int{}}
		for i, n := range m.Fields {
			if n > 0 && i < len(s.Fields) && len(one.Below) < 4 {
				one.Below[cut(s.Fields[i], 40)] = n
			}
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b share) int { return b.Values - a.Values })
	return all[:min(len(all), most)]
}

// sharedFields are the values with several owners, in the order of the document.
func sharedFields(b *ownership.Blame) []shared {
	all := []shared{}
	var visit func(n *manifest.Node)
	visit = func(n *manifest.Node) {
		if len(n.Children) == 0 {
			if owners := b.Owners(n); len(owners) > 1 {
				all = append(all, shared{cut(b.Path(n), 200), ownerWords(owners)})
			}
		}
		for _, child := range n.Children {
			visit(child)
		}
	}
	visit(b.Root)
	return all
}

// ownerWords name owners: "hpa (Update, scale)".
func ownerWords(owners []ownership.Owner) []string {
	all := []string{}
	for _, o := range owners {
		if words := cut(o.Words(), 160); len(all) < 10 && !slices.Contains(all, words) {
			all = append(all, words)
		}
	}
	return all
}

// asked are the fields that a call names, with what an apply of another value would conflict with.
func (d *desk) asked(b *ownership.Blame, fields []string, by string) []fieldOwners {
	all := []fieldOwners{}
	for _, field := range fields {
		found := b.Meant(field)
		one := fieldOwners{Path: cut(b.MeantPath(field), 200), Owners: []owned{}, Conflicts: []string{}, Unknown: len(found) == 0}
		for _, n := range found {
			for _, o := range b.OwnersWithin(n) {
				one.Owners = append(one.Owners, ownedBy(o))
			}
		}
		effect := b.Effect(b.MeantPath(field), ownership.Write{By: manager.Manager{Name: by, Operation: manager.Apply}, Change: ownership.Set})
		var with []ownership.Owner
		for _, c := range effect.Conflicts {
			with = append(with, c.Owner)
		}
		one.Conflicts = ownerWords(with)
		all = append(all, one)
	}
	return all
}
