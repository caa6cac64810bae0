package manager

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// MostNamed is how many managers a text names. Lists for programs have all of them.
const MostNamed = 3

// Few are the first owners of a list, and the number of the others.
func Few(owners []Owner) (shown []Owner, more int) {
	shown = owners[:min(len(owners), MostNamed)]
	return shown, len(owners) - len(shown)
}

// Listed lists words with commas and "and". More is how many others there are.
func Listed(words []string, more int) string {
	if more > 0 {
		words = append(words[:len(words):len(words)], strconv.Itoa(more)+" more")
	}
	switch len(words) {
	case 0:
		return "nobody"
	case 1:
		return words[0]
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// Names lists owners in a sentence: the first three, how many more there are, and the family that most of them belong to.
func Names(owners []Owner) string {
	shown, more := Few(owners)
	words := make([]string, 0, len(shown))
	for _, o := range shown {
		words = append(words, o.Words())
	}
	said := Listed(words, more)
	families := Families(owners)
	if more == 0 || len(families) == 0 {
		return said
	}
	said += " (" + strconv.Itoa(families[0].Members) + " of them are named like " + families[0].Name + "-*"
	for _, f := range families[1:min(len(families), MostNamed)] {
		said += ", " + strconv.Itoa(f.Members) + " like " + f.Name + "-*"
	}
	return said + ")"
}

// numbered matches names that a program makes new for each run: a constant name, and a number or a hexadecimal text.
var numbered = regexp.MustCompile(`^(.*[^-_.0-9])[-_.]([0-9]+|[0-9a-f]{7,40})$`)

// Family are owners whose names differ only in a number at their end.
type Family struct {
	Name    string // the constant part
	Members int    // owners with different names
}

// Families are the families among owners, the largest first.
func Families(owners []Owner) []Family {
	var all []Family
	seen, places := map[string]bool{}, map[string]int{}
	for _, o := range owners {
		found := numbered.FindStringSubmatch(o.Name)
		if found == nil || seen[o.Name] {
			continue
		}
		seen[o.Name] = true
		at, known := places[found[1]]
		if !known {
			at, places[found[1]] = len(all), len(all)
			all = append(all, Family{Name: found[1]})
		}
		all[at].Members++
	}
	all = slices.DeleteFunc(all, func(f Family) bool { return f.Members < 2 })
	slices.SortStableFunc(all, func(a, b Family) int { return b.Members - a.Members })
	return all
}
