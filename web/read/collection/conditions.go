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

// ofConditions is the index of the first of the two columns of table.Judged, and the API group of the objects; -1: there are none.
func ofConditions(columns []table.Column) (at int, group string) {
	at = slices.IndexFunc(columns, func(c table.Column) (is bool) {
		group, is = condition.OfFormat(c.Format)
		return is
	})
	return at, group
}

// tells whether a condition of any row is worth the columns.
func tells(columns []table.Column, rows []table.Row) bool {
	i, group := ofConditions(columns)
	return i >= 0 && slices.ContainsFunc(rows, func(r table.Row) bool { return condition.Telling(group, r.Cell(i)) })
}

// shownColumns leaves out the two columns of conditions, the last of the server's, if no object has told any.
func shownColumns(columns []table.Column, told bool) []table.Column {
	if i, _ := ofConditions(columns); i >= 0 && !told {
		return slices.Delete(slices.Clone(columns), i, i+2)
	}
	return columns
}
