package media

import (
	"slices"
	"strconv"
	"strings"
)

// Clause is one entry of an Accept header.
type Clause struct {
	Text          string // as it was sent
	Type, Subtype string
	As            string // the requested kind, such as Table; empty: the kind of the path
	Q             float64
}

// MostClauses is the maximum number of entries that are read.
const MostClauses = 32

// ParseAccept reads an Accept header like API servers do. It returns the entries in the order in which a server tries them: by the largest
// q, then wildcards after others, then in the order of the header. Entries that aren't media types are left out.
func ParseAccept(list string) (tried []Clause) {
	for i, text := range strings.SplitN(list, ",", MostClauses+1) {
		if c, ok := parseClause(text); ok && i < MostClauses {
			tried = append(tried, c)
		}
	}
	// Precedence of two entries is not a total order, so the algorithm matters: each entry moves up past those that it precedes.
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

// Any tells whether the clause has a wildcard.
func (c Clause) Any() bool { return c.Type == "*" || c.Subtype == "*" }

// fits tells whether a response can match a clause.
func (c Clause) fits(mediaType, kind string) bool {
	t, sub, _ := strings.Cut(mediaType, "/")
	return (c.Type == "*" || c.Type == t) && (c.Subtype == "*" || c.Subtype == sub) && (c.As == "" || kind == "" || c.As == kind)
}

// Taken is the index of the clause that a response with this media type and kind matches; -1: none. The kind may be unknown (empty). If no
// clause matches, the server supports no requested format.
func Taken(tried []Clause, mediaType, kind string) int {
	return slices.IndexFunc(tried, func(c Clause) bool { return c.fits(mediaType, kind) })
}
