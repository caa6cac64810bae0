package collection

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/column"
	"github.com/fieldmark/fieldmark/kube/table"
)

// Bounds of a chunk, in objects.
const (
	DefaultLimit = 500 // the same as kubectl's
	maxLimit     = 5000
)

// Query is the part of the page's state that is in the address, so that it can be shared. Parameters that the API has keep their names.
type Query struct {
	LabelSelector string      `json:"labelSelector,omitempty"`
	FieldSelector string      `json:"fieldSelector,omitempty"`
	Limit         int         `json:"limit,omitempty"`
	Continue      string      `json:"continue,omitempty"`
	Sort          table.Order `json:"sort"`
	Filter        string      `json:"filter,omitempty"`
	Wide          bool        `json:"wide,omitempty"`
	Choosing      bool        `json:"choosing,omitempty"` // rows have boxes
	Columns       []string    `json:"columns,omitempty"`  // that the reader has added, as package column writes them
}

// mostColumns bounds the columns of an address, those included that the page refuses.
const mostColumns = 2 * column.Most

// ParseQuery reads a page's query. An invalid limit becomes the default.
func ParseQuery(v url.Values) Query {
	q := Query{
		LabelSelector: v.Get("labelSelector"),
		FieldSelector: v.Get("fieldSelector"),
		Limit:         DefaultLimit,
		Continue:      v.Get("continue"),
		Sort:          table.ParseOrder(v.Get("sort")),
		Filter:        v.Get("filter"),
		Wide:          v.Get("wide") == "1",
		Choosing:      v.Get(chooseField) == "1",
	}
	if n, err := strconv.Atoi(v.Get("limit")); err == nil && n > 0 && n <= maxLimit {
		q.Limit = n
	}
	for _, text := range v[columnName] {
		q = q.withColumn(text)
	}
	return q
}

// withColumn adds a column, which may be one that the page refuses.
func (q Query) withColumn(text string) Query {
	if c, err := column.Parse(text); err == nil {
		text = c.String()
	}
	if text = strings.TrimSpace(text); text != "" && !slices.Contains(q.Columns, text) && len(q.Columns) < mostColumns {
		q.Columns = append(slices.Clip(q.Columns), text)
	}
	return q
}

func (q Query) withoutColumn(text string) Query {
	q = q.withoutSort(text)
	q.Columns = slices.DeleteFunc(slices.Clone(q.Columns), func(c string) bool { return c == text })
	return q
}

// readQuery reads an encoded query. Parts that can't be read are left out.
func readQuery(encoded string) Query {
	values, err := url.ParseQuery(encoded)
	if err != nil {
		return ParseQuery(nil)
	}
	return ParseQuery(values)
}

// Values is the inverse of ParseQuery. It leaves out defaults.
func (q Query) Values() url.Values {
	v := q.Request()
	if q.Limit == DefaultLimit {
		v.Del("limit")
	}
	set(v, "sort", q.Sort.String())
	set(v, "filter", q.Filter)
	if q.Wide {
		v.Set("wide", "1")
	}
	if q.Choosing {
		v.Set(chooseField, "1")
	}
	if len(q.Columns) > 0 {
		v[columnName] = q.Columns
	}
	return v
}

// Request is the query of the API request behind the page.
func (q Query) Request() url.Values {
	v := url.Values{}
	set(v, "labelSelector", q.LabelSelector)
	set(v, "fieldSelector", q.FieldSelector)
	set(v, "continue", q.Continue)
	if q.Limit > 0 {
		v.Set("limit", strconv.Itoa(q.Limit))
	}
	return v
}

func set(v url.Values, key, value string) {
	if value != "" {
		v.Set(key, value)
	}
}

// Selects tells whether the query has a label or field selector.
func (q Query) Selects() bool { return q.LabelSelector != "" || q.FieldSelector != "" }

func (q Query) withoutSelectors() Query {
	q.LabelSelector, q.FieldSelector, q.Continue = "", "", ""
	return q
}

func (q Query) withoutFilter() Query { q.Filter = ""; return q }

func (q Query) first() Query { q.Continue = ""; return q }

func (q Query) withContinueToken(token string) Query { q.Continue = token; return q }

func (q Query) inChunksOf(rows int) Query { q.Limit, q.Continue = rows, ""; return q }

func (q Query) toggleWide() Query { q.Wide = !q.Wide; return q }

func (q Query) toggleChoosing() Query { q.Choosing = !q.Choosing; return q }
