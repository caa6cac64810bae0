package pages

import (
	"github.com/fieldmark/fieldmark/kube/contention/report"
)

// fights are the fights that went on lately in the cluster, as the session's scan and its watched objects saw them. No API request is made
// for them.
func (v *visit) fights() []report.Known {
	session, slug := v.pages.Session(v.request), v.cluster.Slug()
	var found []report.Known
	if run, ok := v.pages.Scans.Show(session, slug); ok {
		for _, f := range run.Report.Fights.Rows {
			found = append(found, report.Known{Fight: f, From: report.FromScan})
		}
	}
	for _, w := range v.pages.Watches.List(session, slug) {
		found = append(found, w.Fights...)
	}
	var there []report.Known
	for _, k := range found {
		if !k.Object.Gone {
			there = append(there, k)
		}
	}
	return report.Merge(report.Lately(there, v.pages.Now()))
}
