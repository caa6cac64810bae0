package census

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/report"
)

// Report returns the sums so far.
func (c *Census) Report(now time.Time) report.Report {
	r := report.Report{APIVersion: report.APIVersion, Kind: report.Kind, Folded: len(c.folded), Unkept: c.unkept}
	for _, p := range c.parts {
		r.Types = append(r.Types, p.Type)
	}
	place := c.reportManagers(&r)
	for t, p := range c.parts {
		for who, its := range p.cells {
			r.Cells = append(r.Cells, its.report(c, place[who], t))
		}
	}
	slices.SortFunc(r.Cells, func(a, b report.Cell) int { return cmp.Or(a.Manager-b.Manager, a.Type-b.Type) })
	c.reportMeetings(&r, place)
	c.reportFindings(&r, now)
	return r
}

// reportManagers adds the managers, and returns the place of each.
func (c *Census) reportManagers(r *report.Report) (place map[int]int) {
	all := map[int]*report.Manager{}
	for _, p := range c.parts {
		for who, its := range p.cells {
			m := all[who]
			if m == nil {
				m = &report.Manager{Others: who == others, Writer: c.kind(who)}
				if who != others {
					m.Name = c.names[who]
				}
				all[who] = m
			}
			m.Objects += its.objects
			m.Fields += its.fields
			m.Alone += its.alone
			m.Last = later(m.Last, its.last)
		}
	}
	order := slices.SortedFunc(maps.Keys(all), func(a, b int) int {
		if all[a].Others != all[b].Others {
			return b - a // that of the others is negative
		}
		return cmp.Or(all[b].Fields-all[a].Fields, all[b].Objects-all[a].Objects, strings.Compare(all[a].Name, all[b].Name))
	})
	place = map[int]int{}
	for i, who := range order {
		place[who] = i
		r.Managers = append(r.Managers, *all[who])
	}
	return place
}

func (its *cell) report(c *Census, who, typ int) report.Cell {
	shown := report.Cell{Manager: who, Type: typ, Objects: its.objects, Fields: its.fields, Shared: its.shared, Last: its.last}
	for h, t := range its.entries {
		shown.Entries = append(shown.Entries, report.Entry{
			Operation: h.operation, Subresource: h.subresource, APIVersion: h.apiVersion,
			Unserved: h.apiVersion != "" && !c.served(h.apiVersion), Objects: t.objects, Fields: t.fields, Last: t.last,
		})
	}
	slices.SortFunc(shown.Entries, func(a, b report.Entry) int {
		return cmp.Or(b.Objects-a.Objects, strings.Compare(a.Operation, b.Operation), strings.Compare(a.Subresource, b.Subresource), strings.Compare(a.APIVersion, b.APIVersion))
	})
	return shown
}

// reportMeetings adds to each manager whom it meets.
func (c *Census) reportMeetings(r *report.Report, place map[int]int) {
	met := map[[2]int]pair{}
	for _, p := range c.parts {
		for both, n := range p.pairs {
			sum := met[both]
			met[both] = pair{sum.objects + n.objects, sum.fields + n.fields}
		}
	}
	with := make([][]report.With, len(r.Managers))
	for both, n := range met {
		a, b := place[both[0]], place[both[1]]
		with[a] = append(with[a], report.With{Name: r.Managers[b].Name, Objects: n.objects, Fields: n.fields})
		with[b] = append(with[b], report.With{Name: r.Managers[a].Name, Objects: n.objects, Fields: n.fields})
	}
	for i, all := range with {
		slices.SortFunc(all, func(a, b report.With) int {
			return cmp.Or(b.Objects-a.Objects, b.Fields-a.Fields, strings.Compare(a.Name, b.Name))
		})
		r.Managers[i].With = slices.Clone(all[:min(len(all), report.MostWith)])
	}
}
