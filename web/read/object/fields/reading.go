package fields

import (
	"net/url"
	"slices"
)

// Reading is what the reader has selected in the Fields tab: a field, and managers whose lines are highlighted.
type Reading struct {
	Field    string   `json:"field,omitempty"`    // its path, in structured-merge-diff's notation
	Managers []string `json:"managers,omitempty"` // names, or ids of managers
	Only     Only     `json:"only,omitempty"`
	Filter   string   `json:"filter,omitempty"` // only lines with this text are shown
}

// Only selects lines by how they are owned.
type Only string

// The choices. The zero value is all lines.
const (
	Shared Only = "shared"
	Nobody Only = "nobody"
	Status Only = "status"
)

// maxChosen is the most managers that an address can select.
const maxChosen = 40

// ParseReading reads a Reading from the query of an address.
func ParseReading(query url.Values) Reading {
	r := Reading{Field: query.Get("field"), Filter: query.Get("filter")}
	if managers := query["manager"]; len(managers) > 0 {
		r.Managers = slices.Clone(managers[:min(len(managers), maxChosen)])
	}
	switch o := Only(query.Get("only")); o {
	case Shared, Nobody, Status:
		r.Only = o
	}
	return r
}

// Query is the inverse of ParseReading.
func (r Reading) Query() url.Values {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("field", r.Field)
	set("only", string(r.Only))
	set("filter", r.Filter)
	for _, m := range r.Managers {
		query.Add("manager", m)
	}
	return query
}

// chooses tells whether some lines are highlighted.
func (r Reading) chooses() bool { return len(r.Managers) > 0 || r.Only != "" }

// toggled adds a manager to the selection, or removes it.
func (r Reading) toggled(mgr manager) Reading {
	kept := slices.DeleteFunc(slices.Clone(r.Managers), mgr.IsCalled)
	if len(kept) == len(r.Managers) {
		kept = append(kept, mgr.ID)
	}
	r.Managers = kept
	return r
}

func (r Reading) on(field string) Reading {
	r.Field = field
	return r
}

// only selects lines by how they are owned, or all lines if o was selected already.
func (r Reading) only(o Only) Reading {
	if r.Only == o {
		o = ""
	}
	r.Only = o
	return r
}
