package census

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/census/report"
)

// Merge adds what another census counted of the same types. Objects that both have seen count twice.
func (c *Census) Merge(other *Census) {
	at := map[int]int{others: others, nobody: nobody}
	for i, name := range other.names {
		at[i] = c.manager(name)
	}
	for sum := range other.folded {
		if len(c.folded) < mostFolded {
			c.folded[sum] = true
		}
	}
	for k, p := range other.parts {
		c.parts[k].count(p)
		c.unkept += p.unkept
		for who, its := range p.cells {
			c.cell(c.parts[k], at[who]).merge(its)
		}
		for both, n := range p.pairs {
			if a, b := at[both[0]], at[both[1]]; a != b {
				if met := c.pair(c.parts[k], a, b); met != nil {
					met.objects += n.objects
					met.fields += n.fields
				}
			}
		}
		for id, f := range p.findings {
			id.manager, id.other = at[id.manager], at[id.other]
			c.mergeFinding(c.parts[k], id, f)
		}
	}
}

// count adds the numbers of a type.
func (p *part) count(other *part) {
	p.Objects += other.Objects
	p.Unreadable += other.Unreadable
	p.Unrecorded += other.Unrecorded
	p.Bytes += other.Bytes
	p.Managed += other.Managed
	p.Left += other.Left
	p.unkept += other.unkept
	if other.State != report.Waiting {
		p.State, p.Code, p.Reason, p.Why = other.State, other.Code, other.Reason, other.Why
	}
}

func (its *cell) merge(other *cell) {
	its.objects += other.objects
	its.fields += other.fields
	its.shared += other.shared
	its.alone += other.alone
	its.last = later(its.last, other.last)
	for h, t := range other.entries {
		if its.entries[h] == nil && len(its.entries) >= mostEntries {
			h = how{}
		}
		if its.entries[h] == nil {
			its.entries[h] = &tally{}
		}
		sum := its.entries[h]
		sum.objects += t.objects
		sum.fields += t.fields
		sum.last = later(sum.last, t.last)
	}
}

func (c *Census) mergeFinding(p *part, id key, other *finding) {
	f := p.findings[id]
	if f == nil {
		if c.findings >= c.bounds.Findings {
			c.unkept++
			p.unkept++
			return
		}
		c.findings++
		f = &finding{}
		p.findings[id] = f
	}
	f.objects += other.objects
	f.fields += other.fields
	f.merged += other.merged
	f.last = later(f.last, other.last)
	f.samples = append(slices.Clone(f.samples), other.samples...)
	slices.SortStableFunc(f.samples, func(a, b sample) int { return strings.Compare(a.Path, b.Path) })
	f.samples = f.samples[:min(len(f.samples), report.MostSamples)]
}
