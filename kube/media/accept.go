package media

import (
	"slices"
	"strconv"
	"strings"
)

// Clause is one entry of an Accept list.
type Clause struct {
	Text          string // as it is written
	Type, Subtype string
	As            string // the kind that is asked for in place of the path's own; empty: that
	Q             float64
}

// MostClauses is how many entries of a list are looked at.
const MostClauses = 32

// ParseAccept reads an Accept list as API servers do. In what order they try its entries, tried says: the larger q first; where it is
// equal, a wildcard after the others; else as they are written. Entries that are no media types are left out.
func ParseAccept(list string) (tried []Clause) {
	for i, text := range strings.SplitN(list, ",", MostClauses+1) {
		if c, ok := parseClause(text); ok && i < MostClauses {
			tried = append(tried, c)
		}
	}
	// Whether one goes before the other is not decided by their order alone, so how one sorts counts: each goes up past those that it precedes.
	for i := range tried {
		for j := i; j > 0 && tried[j].precedes(tried[j-1]); j-- {
			tried[j], tried[j-1] = tried[j-1], tried[j]
		}
	}
	return tried
}

func parseClause(text string) (Clause, bool) {
	parts := strings.Split(text, ";")
	c := Clause{Text: strings.TrimSpace(text), Q: 1}
	var slash bool
	c.Type, c.Subtype, slash = strings.Cut(strings.TrimSpace(parts[0]), "/")
	if !slash && c.Type == "*" {
		c.Subtype = "*"
	}
	if c.Type == "" || c.Subtype == "" || strings.Contains(c.Subtype, "/") {
		return c, false
	}
	for _, p := range parts[1:] {
		name, value, _ := strings.Cut(p, "=")
		switch strings.TrimSpace(name) {
		case "q":
			c.Q, _ = strconv.ParseFloat(value, 32)
		case "as":
			c.As = strings.TrimSpace(value)
		}
	}
	return c, true
}

func (c Clause) precedes(other Clause) bool {
	return c.Q > other.Q || c.Type != "*" && other.Type == "*" || c.Subtype != "*" && other.Subtype == "*"
}

// Any tells whether a clause names no type of its own.
func (c Clause) Any() bool { return c.Type == "*" || c.Subtype == "*" }

// fits tells whether an answer may be what a clause asks for.
func (c Clause) fits(mediaType, kind string) bool {
	t, sub, _ := strings.Cut(mediaType, "/")
	return (c.Type == "*" || c.Type == t) && (c.Subtype == "*" || c.Subtype == sub) && (c.As == "" || kind == "" || c.As == kind)
}

// Taken is the place of the clause that an answer of a media type and a kind was given for; -1: none. The kind may not be known. An answer that nothing asked for
// is what a server gives that knows no other form.
func Taken(tried []Clause, mediaType, kind string) int {
	return slices.IndexFunc(tried, func(c Clause) bool { return c.fits(mediaType, kind) })
}
