package fields

import (
	"net/url"
	"slices"
)

// Reading is what the reader looks at in the Fields tab: the field in focus, and whose lines stand out.
type Reading struct {
	Field    string   `json:"field,omitempty"`    // its path, in structured-merge-diff's notation
	Managers []string `json:"managers,omitempty"` // names, or ids of managers
	Only     Only     `json:"only,omitempty"`
	Filter   string   `json:"filter,omitempty"` // text that lines must hold to be shown
}

// Only is a choice of lines by how they are owned.
type Only string

// The choices. The zero value is all lines.
const (
	Shared Only = "shared"
	Nobody Only = "nobody"
	Status Only = "status"
)

// maxChosen bounds how many managers an address chooses.
const maxChosen = 40

// ParseReading reads what an address asks for.
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

// Query is what an address says to come back to it.
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

// chooses tells whether some lines stand out.
func (r Reading) chooses() bool { return len(r.Managers) > 0 || r.Only != "" }

// toggled chooses a manager too, or no longer.
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

// only chooses lines by how they are owned, or all if they were chosen so.
func (r Reading) only(o Only) Reading {
	if r.Only == o {
		o = ""
	}
	r.Only = o
	return r
}
