package contention

import (
	"cmp"
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/timeline"
)

// Report returns the findings so far, the worst first.
func (s *Scan) Report(now time.Time) report.Report {
	r := report.Report{Types: s.Types(), Rate: s.pulse.rate(now), Followed: s.followed.Len(), Dropped: s.dropped}
	for _, k := range r.Types {
		r.Objects += k.Objects
		r.Events += k.Events
		r.Bytes += k.Bytes
		r.Managed += k.Managed
	}
	foreign := map[*ownership.Manager]*report.Foreign{}
	for _, e := range s.objects {
		s.reportObject(&r, e)
		for _, m := range e.foreign {
			s.countForeign(foreign, m, e)
		}
	}
	for _, f := range foreign {
		r.Foreign.Rows = append(r.Foreign.Rows, *f)
	}
	rank(&r)
	return r
}

// Types returns the state of each type, in the order of the scan.
func (s *Scan) Types() []report.Type {
	var all []report.Type
	for _, k := range s.kinds {
		all = append(all, k.Type)
	}
	return all
}

// reportObject adds the findings about one object.
func (s *Scan) reportObject(r *report.Report, e *entry) {
	if e.rewrites == 0 && e.pursuit == nil && e.updates < report.Near && !e.ancient {
		return
	}
	o := s.object(e)
	if e.rewrites > 0 {
		w := report.Rewrite{Object: o, Count: e.rewrites}
		if e.writer != nil {
			w.Writer = *e.writer
		}
		r.Rewrites.Rows = append(r.Rewrites.Rows, w)
	}
	if e.updates >= report.Near || e.ancient {
		r.Crowded.Rows = append(r.Crowded.Rows, report.Crowded{Object: o, Updates: e.updates, Ancient: e.ancient, Managed: e.share})
	}
	if e.pursuit == nil {
		return
	}
	of := s.kinds[e.kind].of
	for _, f := range e.pursuit.fights() {
		r.Fights.Rows = append(r.Fights.Rows, fight(o, f, object.Holds(of.GroupVersion(), of.Kind)))
	}
	for _, t := range e.pursuit.takings {
		r.Takings.Rows = append(r.Takings.Rows, report.Taking{
			Object: o, By: t.by, Count: t.count, Paths: slices.Clone(t.paths), More: t.more, From: slices.Clone(t.from),
		})
	}
}

func fight(o report.Object, f timeline.Flip, secret bool) report.Fight {
	all := report.Fight{Object: o, Path: f.Path, Field: f.Field, Count: f.Count, Period: f.Period, Last: f.Last, Managers: slices.Clone(f.Managers), Values: f.Values}
	if secret {
		all.Values = [2]string{}
	}
	return all
}

func (s *Scan) object(e *entry) report.Object {
	t := s.kinds[e.kind].of
	return report.Object{
		Path: apipath.Object(t.Group, t.Version, e.namespace, t.Resource, e.name).String(),
		Kind: t.Kind, Namespace: e.namespace, Name: e.name, Gone: e.gone,
	}
}

func (s *Scan) countForeign(foreign map[*ownership.Manager]*report.Foreign, m *ownership.Manager, e *entry) {
	f := foreign[m]
	if f == nil {
		f = &report.Foreign{Manager: *m, Example: s.object(e)}
		foreign[m] = f
	}
	if o := s.object(e); o.Path < f.Example.Path {
		f.Example = o
	}
	f.Objects++
}

func rank(r *report.Report) {
	keepFirstRows(&r.Fights, report.MostFights, func(a, b report.Fight) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Period, b.Period), cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.Path, b.Path))
	})
	keepFirstRows(&r.Rewrites, report.Most, func(a, b report.Rewrite) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path))
	})
	keepFirstRows(&r.Takings, report.Most, func(a, b report.Taking) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Object.Path, b.Object.Path), cmp.Compare(a.By.Name, b.By.Name))
	})
	keepFirstRows(&r.Foreign, report.Most, func(a, b report.Foreign) int {
		return cmp.Or(b.Objects-a.Objects, cmp.Compare(a.Manager.APIVersion, b.Manager.APIVersion), cmp.Compare(a.Manager.Name, b.Manager.Name))
	})
	keepFirstRows(&r.Crowded, report.Most, func(a, b report.Crowded) int {
		return cmp.Or(fullness(b)-fullness(a), b.Managed-a.Managed, cmp.Compare(a.Object.Path, b.Object.Path))
	})
}

// fullness is the number of Update entries. An object with merged entries has one more than the cap, so that it comes first.
func fullness(c report.Crowded) int {
	if c.Ancient {
		return report.Cap + 1
	}
	return c.Updates
}

// keepFirstRows sorts the rows, and keeps the first ones.
func keepFirstRows[T any](p *report.Part[T], most int, order func(a, b T) int) {
	p.All = len(p.Rows)
	slices.SortFunc(p.Rows, order)
	p.Rows = slices.Clone(p.Rows[:min(len(p.Rows), most)])
}
