package clusters

import (
	"fmt"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/words"
)

// Part is an entry of the kubeconfig: the context, its cluster, or its user.
type Part struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	File string `json:"file,omitempty"` // has the entry that counts; empty: no file has one
	// LeftOut are the later files that have an entry of the same kind and name.
	LeftOut []LeftOut `json:"leftOut,omitempty"`
}

// LeftOut is an entry that doesn't count, because an earlier file has one of the same kind and name.
type LeftOut struct {
	File string `json:"file"`
	Same bool   `json:"same,omitempty"` // the entry is the same as the one that counts
}

// Parted are the parts, if the file of the context alone doesn't tell where they come from.
func Parted(parts []Part) []Part {
	if slices.ContainsFunc(parts, func(p Part) bool { return p.File != parts[0].File && p.File != "" || len(p.LeftOut) > 0 }) {
		return parts
	}
	return nil
}

// sources are the files of the entry's parts.
func (e Entry) sources() []components.Fact {
	if len(e.Parts) == 0 {
		return []components.Fact{{Name: "from", Text: e.Source, Mono: true}}
	}
	var facts []components.Fact
	for _, p := range e.Parts {
		facts = append(facts, components.Fact{Name: p.Kind + " from", Text: p.File, Mono: true})
	}
	return facts
}

// Words say which entry counts and which ones were left out; empty: there is one only.
func (p Part) Words() string {
	if len(p.LeftOut) == 0 {
		return ""
	}
	var left []string
	for _, l := range p.LeftOut {
		if l.Same {
			left = append(left, l.File+" (the same)")
		} else {
			left = append(left, l.File)
		}
	}
	return fmt.Sprintf("Several files have the %s “%s”. The entry of %s counts, because this file comes first. Left out: %s.", p.Kind, p.Name, p.File, strings.Join(left, ", "))
}

// leftOut are sentences about what was left out.
func (e Entry) leftOut() []string {
	var all []string
	for _, p := range e.Parts {
		if words := p.Words(); words != "" {
			all = append(all, words)
		}
	}
	return all
}

// MostSame is how many other contexts of the same server are named.
const MostSame = 3

// same says which other contexts lead to the same cluster; empty if there are none.
func (e Entry) same() string {
	if len(e.Same) == 0 {
		return ""
	}
	shown, more := components.First(e.Same, MostSame)
	names := strings.Join(shown, ", ")
	if more += e.SameMore; more > 0 {
		names += " and " + words.Count(int64(more), "other context", "other contexts")
	}
	return "The same cluster as " + names + ": the contexts have one API server."
}

// foreign is the advice if the context's own file has a cluster or a user that doesn't count. Empty: the context uses its own.
func (e Entry) foreign() string {
	var kinds []string
	for _, p := range e.Parts {
		if slices.Contains(p.LeftOut, LeftOut{File: e.Source}) {
			kinds = append(kinds, p.Kind)
		}
	}
	if len(kinds) == 0 {
		return ""
	}
	return fmt.Sprintf("So this context doesn’t use the %s of its own file. kubectl does the same. Give the entry of this file another name, and correct the context.", strings.Join(kinds, " and the "))
}
