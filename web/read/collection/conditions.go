package collection

import (
	"net/url"
	"slices"

	"github.com/fieldmark/fieldmark/kube/condition"
	"github.com/fieldmark/fieldmark/kube/table"
)

// Whole is a request for a Table whose rows have whole objects, from which table.Judged reads conditions.
func Whole(query url.Values) url.Values {
	query.Set("includeObject", "Object")
	return query
}

// request is the query of the page's request to the API.
func (m Model) request(q Query) url.Values {
	if m.Judged {
		return Whole(q.Request())
	}
	return q.Request()
}

// ofConditions is the index of the first of the two columns of table.Judged; -1: there are none.
func ofConditions(columns []table.Column) int {
	return slices.IndexFunc(columns, func(c table.Column) bool {
		_, is := condition.OfFormat(c.Format)
		return is
	})
}

// tells whether any row has a condition.
func tells(columns []table.Column, rows []table.Row) bool {
	i := ofConditions(columns)
	return i >= 0 && slices.ContainsFunc(rows, func(r table.Row) bool { return r.Cell(i) != "" })
}

// shownColumns leaves out the two columns of conditions, the last of the server's, if no object has told any.
func shownColumns(columns []table.Column, told bool) []table.Column {
	if i := ofConditions(columns); i >= 0 && !told {
		return slices.Delete(slices.Clone(columns), i, i+2)
	}
	return columns
}
