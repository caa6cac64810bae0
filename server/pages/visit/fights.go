package visit

import (
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// fights are the fights that went on lately in the cluster, as the session's scan and its watched objects saw them. No API request is made
// for them.
func (v *Visit) fights() []report.Known {
	session, slug := v.Session(), v.cluster.Slug()
	var found []report.Known
	if run, ok := v.site.Scans.Show(session, slug); ok {
		for _, f := range run.Report.Fights.Rows {
			found = append(found, report.Known{Fight: f, From: report.FromScan})
		}
	}
	for _, w := range v.site.Watches.List(session, slug) {
		found = append(found, w.Fights...)
	}
	var there []report.Known
	for _, k := range found {
		if !k.Object.Gone {
			there = append(there, k)
		}
	}
	return report.Merge(report.Lately(there, v.Now()))
}

// watching sums up what the session watches in the cluster.
func (v *Visit) watching() shell.Watching {
	return shell.Sum(v.site.Watches.List(v.Session(), v.cluster.Slug()))
}
