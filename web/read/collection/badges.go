package collection

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/fights"
)

// badge finds what is known of a row's object.
type badge func(table.Row) (components.Badge, bool)

// badgesOf are the badges of rows, each with what it is made from, in their order. What a row's own metadata says is the grid's.
var badgesOf = []func(Model) badge{Model.fightBadge}

// badges finds the badges of a row.
func (m Model) badges() func(table.Row) []components.Badge {
	var finds []badge
	for _, of := range badgesOf {
		if find := of(m); find != nil {
			finds = append(finds, find)
		}
	}
	return func(r table.Row) (all []components.Badge) {
		for _, find := range finds {
			if b, is := find(r); is {
				all = append(all, b)
			}
		}
		return all
	}
}

// fightBadge marks an object with the worst known fight over it.
func (m Model) fightBadge() badge {
	found := m.fought()
	if len(found) == 0 {
		return nil
	}
	return func(r table.Row) (components.Badge, bool) {
		k, is := found[r.Namespace+"/"+r.Name]
		return fights.Badge(m.Shell.Cluster.Slug, k), is
	}
}

// fought are the worst known fights over objects of the collection, by namespace and name.
func (m Model) fought() map[string]report.Known {
	found := map[string]report.Known{}
	for _, k := range m.Shell.Fights {
		p, err := apipath.Parse(k.Object.Path)
		if err != nil || p.Kind != apipath.KindObject || p.Group != m.Shell.Path.Group || p.Resource != m.Shell.Path.Resource {
			continue
		}
		if key := p.Namespace + "/" + p.Name; found[key].Count < k.Count {
			found[key] = k
		}
	}
	return found
}
