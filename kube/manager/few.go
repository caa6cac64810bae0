package manager

import (
	"regexp"
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
	if f := FamilyOf(owners); more > 0 && f.Members > 1 {
		said += " (" + strconv.Itoa(f.Members) + " of them are named like " + f.Name + "-*)"
	}
	return said
}

// numbered matches names that a program makes new for each run: a constant name, and a number or a hexadecimal text.
var numbered = regexp.MustCompile(`^(.*[^-_.0-9])[-_.]([0-9]+|[0-9a-f]{7,40})$`)

// Family are owners whose names differ only in a number at their end.
type Family struct {
	Name    string // the constant part
	Members int    // owners with different names
}

// FamilyOf is the largest family among owners. It has no members if the names aren't alike.
func FamilyOf(owners []Owner) Family {
	var best Family
	seen, members := map[string]bool{}, map[string]int{}
	for _, o := range owners {
		found := numbered.FindStringSubmatch(o.Name)
		if found == nil || seen[o.Name] {
			continue
		}
		seen[o.Name] = true
		members[found[1]]++
		if n := members[found[1]]; n > best.Members {
			best = Family{found[1], n}
		}
	}
	if best.Members < 2 {
		return Family{}
	}
	return best
}
