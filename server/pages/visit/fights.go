package visit

import (
	"net/http"

	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// fights are the fights that went on lately in the cluster. No API request is made for them.
func (v *Visit) fights() []report.Known { return v.site.Fights(v.request, v.cluster.Slug()) }

// Fights are the fights that went on lately in a cluster, as the session's scan and its watched objects saw them.
func (p *Site) Fights(r *http.Request, slug string) []report.Known {
	session := p.Session(r)
	var found []report.Known
	if run, ok := p.Scans.Show(session, slug); ok {
		for _, f := range run.Report.Fights.Rows {
			found = append(found, report.Known{Fight: f, From: report.FromScan})
		}
	}
	for _, w := range p.Watches.List(session, slug) {
		found = append(found, w.Fights...)
	}
	var there []report.Known
	for _, k := range found {
		if !k.Object.Gone {
			there = append(there, k)
		}
	}
	return report.Merge(report.Lately(there, p.Now()))
}

// Scanned tells whether the session has scanned a cluster for fights.
func (p *Site) Scanned(r *http.Request, slug string) bool {
	run, ok := p.Scans.Show(p.Session(r), slug)
	return ok && !run.Runs()
}

// Managers is how many managers the session has counted in a cluster; 0: it hasn't.
func (p *Site) Managers(r *http.Request, slug string) int {
	found, _ := p.Censuses.Show(p.Session(r), slug)
	return len(found.Managers)
}

// watching sums up what the session watches in the cluster.
func (v *Visit) watching() shell.Watching {
	return shell.Sum(v.site.Watches.List(v.Session(), v.cluster.Slug()))
}
