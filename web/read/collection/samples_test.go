package collection

import (
	"slices"
	"testing"

	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/schema"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/pagetest"
)

func TestSamples(t *testing.T) { pagetest.Run(t, samples) }

// samples are the states of the page.
func samples(s pagetest.Text) map[string]page.Page {
	notice := s.Notice()
	pages := map[string]page.Page{}
	add := func(name string, change func(*Model)) {
		m := collection(s)
		change(&m)
		pages["in a collection"+name] = m
	}
	add("", func(*Model) {})
	add(", all asked for", func(m *Model) {
		m.Query = Query{
			LabelSelector: s.String(), FieldSelector: s.String(), Limit: 7, Continue: s.String(), Wide: true,
			Sort: table.Order{Column: s.String(), Descending: true},
		}
	})
	add(", of one namespace", func(m *Model) { m.Shell.Path = m.Shell.Path.In(s.String()) })
	add(", unprinted", func(m *Model) { m.Table.Printed = false })
	add(", forbidden", func(m *Model) { m.Problem = &notice })
	add(", filtered away", func(m *Model) { m.Query.Filter = "nothing holds this" + s.String() })
	add(", of an odd type", func(m *Model) { m.Type = s.OddType() })
	add(", of custom resources", func(m *Model) {
		j := table.Judged{Group: "cert-manager.io"}
		m.Shell.Path.Group, m.Judged, m.Table.Columns = j.Group, true, j.Columns(m.Table.Columns)
		base := m.Table.Rows[0]
		m.Table.Rows = nil
		for _, state := range []string{"Ready False", "Ready Unknown", "Ready True", s.String() + " True"} {
			row, why := base, s.String()+": "+s.String()
			row.UID += state
			row.Cells = append(slices.Clip(row.Cells), table.Cell(state), table.Cell(why))
			m.Table.Rows = append(m.Table.Rows, row)
		}
	})
	add(", with columns of the reader's", func(m *Model) {
		m.Query = m.Query.withColumn(schema.Path{"spec", s.String()}.String()).withColumn("label:" + s.String()).withColumn("annotation:" + s.String()).withColumn("age")
		m.At, m.Cost = pagetest.Now, Cost{Requests: 1, Bytes: 2100, Objects: 1}
		m.Values = []column.Read{{UID: m.Table.Rows[0].UID, Version: s.String(), Texts: []string{s.String(), "2026-11-20T12:00:00Z"}}}
	})
	add(", sorted by a column of the reader's", func(m *Model) {
		m.Query = m.Query.withColumn(".spec").withColumn(" [")
		m.Query.Sort, m.Query.Filter = table.Order{Column: ".spec"}, s.String()
		m.Table.Continue, m.Unread = "", s.String()
	})
	add(", of Secrets with their data as a column", func(m *Model) {
		m.Shell.Path, m.Query = apipath.Collection("", "v1", "", "secrets"), m.Query.withColumn(schema.Path{"data", s.String()}.String())
	})
	add(", empty", func(m *Model) { m.Table.Rows = nil })
	add(", of no namespace", func(m *Model) {
		m.Shell.Path, m.Table.Rows, m.NoNamespace = m.Shell.Path.In(s.String()), nil, true
	})
	return pages
}

func collection(s pagetest.Text) Model {
	row := table.Row{
		UID: s.String(), Namespace: s.String(), Name: s.String(), ResourceVersion: s.String(), Created: pagetest.Now, Labels: table.LabelsOf(map[string]string{s.String(): s.String()}), Deleting: true,
		Cells: []table.Cell{table.Cell(s), table.Cell(s), table.Cell(s), "Running"},
	}
	other := row
	other.UID += " too"
	remaining := int64(12000)
	return Model{
		Frame: page.Frame{Kind: Kind, Shell: s.Shell(apipath.Collection("", "v1", "", "pods"))}, Type: s.PodType(), Query: Query{Limit: DefaultLimit},
		Table: table.Table{
			Columns: []table.Column{
				{Name: s.String(), Type: "string", Format: "name", Description: s.String()},
				{Name: "Ready", Type: "integer"},
				{Name: "Wide", Type: "string", Priority: 1},
				{Name: "Status", Type: "string"},
			},
			Rows: []table.Row{row, other}, ResourceVersion: s.String(), Continue: s.String(), Remaining: &remaining, Printed: true,
		},
	}
}
