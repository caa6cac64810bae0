package managers

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Parameters of the page's address.
const (
	FieldText        = "text"
	FieldKind        = "kind"
	FieldOperation   = "operation"
	FieldSubresource = "subresource"
	FieldWrote       = "wrote"
	FieldSort        = "sort"
	FieldPage        = "page"
	FieldManager     = "manager"
	FieldType        = "type"
)

// mainResource is the value of FieldSubresource besides the names of subresources.
const mainResource = "none"

// AtOnce is how many managers the picture and the table have at a time.
const AtOnce = 40

// Query is the query of the page's address.
type Query struct {
	Text        string `json:"text,omitempty"`
	Kind        string `json:"kind,omitempty"`
	Operation   string `json:"operation,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Wrote       string `json:"wrote,omitempty"`
	Sort        string `json:"sort,omitempty"`
	Page        int    `json:"page,omitempty"` // from 1; 0: the first

	// The cell whose objects are shown, or a manager whose types are.
	Manager string `json:"manager,omitempty"`
	Type    string `json:"type,omitempty"`
	Whole   bool   `json:"whole,omitempty"` // all types of the manager, whose name may be empty
}

// choice is an option of a field of the form.
type choice struct{ value, words string }

// span is a choice of FieldWrote.
type span struct {
	choice

	lasts time.Duration
}

var spans = []span{
	{choice{"hour", "in the last hour"}, time.Hour},
	{choice{"day", "in the last day"}, 24 * time.Hour},
	{choice{"week", "in the last week"}, 7 * 24 * time.Hour},
}

// ParseQuery reads the query of the page's address. It ignores values that are not valid.
func ParseQuery(q url.Values) Query {
	number, _ := strconv.Atoi(q.Get(FieldPage))
	all := Query{
		Text: strings.TrimSpace(q.Get(FieldText)), Kind: q.Get(FieldKind), Operation: q.Get(FieldOperation), Subresource: q.Get(FieldSubresource),
		Wrote: q.Get(FieldWrote), Sort: q.Get(FieldSort), Page: max(number, 0), Manager: q.Get(FieldManager), Type: q.Get(FieldType),
	}
	all.Whole = q.Has(FieldManager) && all.Type == ""
	if all.Operation != manager.Apply && all.Operation != manager.Update {
		all.Operation = ""
	}
	if !slices.ContainsFunc(spans, func(s span) bool { return s.value == all.Wrote }) {
		all.Wrote = ""
	}
	if _, known := orders[strings.TrimPrefix(all.Sort, "-")]; !known {
		all.Sort = ""
	}
	if all.Page == 1 {
		all.Page = 0
	}
	return all
}

// Values is the inverse of ParseQuery.
func (q Query) Values() url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set(FieldText, q.Text)
	set(FieldKind, q.Kind)
	set(FieldOperation, q.Operation)
	set(FieldSubresource, q.Subresource)
	set(FieldWrote, q.Wrote)
	set(FieldSort, q.Sort)
	if q.Page > 1 {
		set(FieldPage, strconv.Itoa(q.Page))
	}
	if q.opens() {
		v.Set(FieldManager, q.Manager) // the name of a manager may be empty
		set(FieldType, q.Type)
	}
	return v
}

// filters tells whether the query leaves something out.
func (q Query) filters() bool {
	return q.Text != "" || q.Kind != "" || q.Operation != "" || q.Subresource != "" || q.Wrote != ""
}

// all is the query without a filter.
func (q Query) all() Query {
	return Query{Sort: q.Sort, Manager: q.Manager, Type: q.Type, Whole: q.Whole}
}

// opens tells whether the query chooses a cell, or a manager.
func (q Query) opens() bool { return q.Type != "" || q.Whole }

// of is the query that chooses a manager's types, or its objects of one type.
func (q Query) of(manager, typ string) Query {
	q.Manager, q.Type, q.Whole = manager, typ, typ == ""
	return q
}

// closed is the query that chooses nothing.
func (q Query) closed() Query {
	q.Manager, q.Type, q.Whole = "", "", false
	return q
}

// since is when entries must have been written at the earliest, in seconds since 1970; 0: at any time.
func (q Query) since(now time.Time) int64 {
	for _, s := range spans {
		if s.value == q.Wrote {
			return now.Add(-s.lasts).Unix()
		}
	}
	return 0
}

// matching is the filter of a sheet's cells.
func (s *Sheet) matching(q Query, now time.Time) func(manager, typ int) func(entry) bool {
	text, since := strings.ToLower(q.Text), q.since(now)
	managers, types := make([]bool, len(s.Managers)), make([]bool, len(s.Types))
	fits := make([]bool, len(s.Managers))
	for i, m := range s.Managers {
		managers[i] = strings.Contains(strings.ToLower(m.Name), text)
		fits[i] = q.Kind == "" || q.Kind == m.Writer.ID()
	}
	for i, t := range s.Types {
		types[i] = strings.Contains(strings.ToLower(t.Name), text)
	}
	passes := func(e entry) bool {
		return (q.Operation == "" || e.Operation == q.Operation) && q.passesSubresource(e.Subresource) && (since == 0 || e.last >= since)
	}
	return func(m, t int) func(entry) bool {
		if !fits[m] || !managers[m] && !types[t] {
			return nil
		}
		return passes
	}
}

func (q Query) passesSubresource(name string) bool {
	switch q.Subresource {
	case "":
		return true
	case mainResource:
		return name == ""
	}
	return name == q.Subresource
}
