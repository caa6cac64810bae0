package upgrade

import (
	"strconv"

	"github.com/fieldmark/fieldmark/kube/census/report"
)

// Rows are the report as a table: a header, and a row for each finding.
func (r Report) Rows() [][]string {
	rows := [][]string{{"context", "finding", "type", "name", "apiVersion", "removed", "manager", "operation", "subresource", "objects", "last", "why"}}
	for _, c := range r.Clusters {
		if c.Problem != "" {
			rows = append(rows, []string{c.Context, string(Unread), "", "", "", "", "", "", "", "", "", c.Problem})
		}
		for _, f := range c.Findings {
			rows = append(rows, []string{
				c.Context, string(f.Kind), f.Type, f.Name, f.APIVersion, f.Removed, f.Manager.Name, f.Manager.Operation, f.Manager.Subresource,
				strconv.Itoa(f.Objects), report.Time(f.Last), f.Why,
			})
		}
	}
	return rows
}

// Rows are the report as a table: a header, and a row for each entry that blocks an object.
func (r BlockedReport) Rows() [][]string {
	rows := [][]string{{"context", "type", "namespace", "name", "apiVersion", "manager", "operation", "subresource", "last", "path"}}
	for _, c := range r.Clusters {
		for _, o := range c.Objects {
			for _, m := range o.Managers {
				rows = append(rows, []string{c.Context, o.Type, o.Namespace, o.Name, m.APIVersion, m.Name, m.Operation, m.Subresource, m.Time, o.Path})
			}
		}
	}
	return rows
}
