package contention

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/finding"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

// Report tells what is known, the worst first.
func (s *Scan) Report(now time.Time) finding.Report {
	r := finding.Report{Types: s.Types(), Rate: s.pulse.rate(now), Followed: s.followed.Len(), Dropped: s.dropped}
	for _, k := range r.Types {
		r.Objects += k.Objects
		r.Events += k.Events
		r.Bytes += k.Bytes
		r.Managed += k.Managed
	}
	foreign := map[*ownership.Manager]*finding.Foreign{}
	for _, e := range s.objects {
		s.tell(&r, e)
		for _, m := range e.foreign {
			s.count(foreign, m, e)
		}
	}
	for _, f := range foreign {
		r.Foreign.Rows = append(r.Foreign.Rows, *f)
	}
	rank(&r)
	return r
}

// Types are how the types are doing, in the order of the scan.
func (s *Scan) Types() []finding.Type {
	var all []finding.Type
	for _, k := range s.kinds {
		all = append(all, k.Type)
	}
	return all
}

// tell adds what was found about one object.
func (s *Scan) tell(r *finding.Report, e *entry) {
	if e.rewrites == 0 && e.pursuit == nil && e.updates < finding.Near && !e.ancient {
		return
	}
	o := s.object(e)
	if e.rewrites > 0 {
		w := finding.Rewrite{Object: o, Count: e.rewrites}
		if e.writer != nil {
			w.Writer = finding.Manager(*e.writer)
		}
		r.Rewrites.Rows = append(r.Rewrites.Rows, w)
	}
	if e.updates >= finding.Near || e.ancient {
		r.Crowded.Rows = append(r.Crowded.Rows, finding.Crowded{Object: o, Updates: e.updates, Ancient: e.ancient, Managed: e.share})
	}
	if e.pursuit == nil {
		return
	}
	for _, f := range e.pursuit.fights() {
		r.Fights.Rows = append(r.Fights.Rows, fight(o, f, secret(s.kinds[e.kind].of)))
	}
	for _, t := range e.pursuit.takings {
		r.Takings.Rows = append(r.Takings.Rows, finding.Taking{
			Object: o, By: finding.Manager(t.by), Count: t.count, Paths: slices.Clone(t.paths), More: t.more, From: told(t.from),
		})
	}
}

func told(managers []ownership.Manager) []finding.Manager {
	all := make([]finding.Manager, 0, len(managers))
	for _, m := range managers {
		all = append(all, finding.Manager(m))
	}
	return all
}

func fight(o finding.Object, f timeline.Flip, secret bool) finding.Fight {
	all := finding.Fight{Object: o, Path: f.Path, Count: f.Count, Period: f.Period, Managers: told(f.Managers), Values: f.Values}
	if secret {
		all.Values = [2]string{}
	}
	return all
}

func (s *Scan) object(e *entry) finding.Object {
	t := s.kinds[e.kind].of
	return finding.Object{
		Path: apipath.Object(t.Group, t.Version, e.namespace, t.Resource, e.name).String(),
		Kind: t.Kind, Namespace: e.namespace, Name: e.name, Gone: e.gone,
	}
}

func (s *Scan) count(foreign map[*ownership.Manager]*finding.Foreign, m *ownership.Manager, e *entry) {
	f := foreign[m]
	if f == nil {
		f = &finding.Foreign{Manager: finding.Manager(*m), Example: s.object(e)}
		foreign[m] = f
	}
	if o := s.object(e); o.Path < f.Example.Path {
		f.Example = o
	}
	f.Objects++
}

func rank(r *finding.Report) {
	cut(&r.Fights, finding.MostFights, func(a, b finding.Fight) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Period, b.Period), cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.Path, b.Path))
	})
	cut(&r.Rewrites, finding.Most, func(a, b finding.Rewrite) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path))
	})
	cut(&r.Takings, finding.Most, func(a, b finding.Taking) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.By.Name, b.By.Name))
	})
	cut(&r.Foreign, finding.Most, func(a, b finding.Foreign) int {
		return cmp.Or(b.Objects-a.Objects, cmp.Compare(a.Manager.APIVersion, b.Manager.APIVersion), cmp.Compare(a.Manager.Name, b.Manager.Name))
	})
	cut(&r.Crowded, finding.Most, func(a, b finding.Crowded) int {
		return cmp.Or(fullness(b)-fullness(a), b.Managed-a.Managed, cmp.Compare(a.Object.Path, b.Object.Path))
	})
}

// fullness puts those first from whose record something is lost already.
func fullness(c finding.Crowded) int {
	if c.Ancient {
		return finding.Cap + 1
	}
	return c.Updates
}

// cut keeps the first rows of an order.
func cut[T any](p *finding.Part[T], most int, order func(a, b T) int) {
	p.All = len(p.Rows)
	slices.SortFunc(p.Rows, order)
	p.Rows = slices.Clone(p.Rows[:min(len(p.Rows), most)])
}
