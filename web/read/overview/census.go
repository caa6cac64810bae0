package overview

import (
	"strconv"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/words"
)

// Census is the session's census of the cluster in short. The page of managers has all of it.
type Census struct {
	Reading  bool      `json:"reading,omitempty"` // it still reads, so all numbers grow
	Began    time.Time `json:"began"`
	Objects  int       `json:"objects"`
	Types    int       `json:"types"`
	Managers int       `json:"managers"`
	Kinds    []Writers `json:"kinds,omitempty"` // in the order of the page of managers
	Findings int       `json:"findings,omitempty"`
	Worst    string    `json:"worst,omitempty"` // the worst finding, in a sentence
}

// Writers are the managers of one kind.
type Writers struct {
	Look   string   `json:"look"`  // the class that gives the kind its color
	Kind   string   `json:"kind"`  // in words
	Names  []string `json:"names"` // of those that own the most fields
	More   int      `json:"more,omitempty"`
	Fields int      `json:"fields"`
	Share  int      `json:"share"` // of all fields, in percent
}

// told says what a census has counted.
func (c Census) told(ago string) string {
	counted := words.Count(int64(c.Managers), "manager owns", "managers own") + " fields of " + words.Count(int64(c.Objects), "object", "objects") + " of " +
		words.Count(int64(c.Types), "type", "types")
	if c.Reading {
		return "A census is reading the cluster. So far, " + counted + "."
	}
	return "The last census began " + ago + ": " + counted + "."
}

// findings say how many findings a census has.
func (c Census) findings() string { return words.Count(int64(c.Findings), "finding", "findings") }

// share is the kind's share of all fields.
func (w Writers) share() string {
	if w.Share == 0 && w.Fields > 0 {
		return "< 1 %"
	}
	return strconv.Itoa(w.Share) + " %"
}

// names are the managers of a kind.
func (w Writers) names() (all []string) {
	for _, n := range w.Names {
		all = append(all, components.Visible(n))
	}
	return all
}

func (m Model) runners() string { return web.Tool(m.Shell.Cluster.Slug, web.Managers) }
