package blame

import "github.com/fieldmark/fieldmark/kube/ownership"

// CompactVersion is the version of the documents of --compact. In them, lines refer to a list of owners: an object of a megabyte has many lines, and
// few owners.
const CompactVersion = "fieldmark.dev/v2"

// CompactDocument is what -o json --compact prints for one object.
type CompactDocument struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"` // Blame
	Object     Reference         `json:"object"`
	Owners     []ownership.Owner `json:"owners"` // each once
	Lines      []CompactLine     `json:"lines"`
	Lost       []CompactClaim    `json:"lost,omitempty"`
}

// CompactList is what -o json --compact prints for several objects.
type CompactList struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"` // BlameList
	Items      []CompactDocument `json:"items"`
}

// CompactLine is a DocumentLine whose owners are indexes in the document's list of owners.
type CompactLine struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Path    string `json:"path"`
	Owners  []int  `json:"owners"`
	Default bool   `json:"default,omitempty"`
	// Elsewhere are owners in other API versions, also as indexes.
	Elsewhere []int `json:"elsewhere,omitempty"`
}

// CompactClaim is a LostClaim whose owner is an index in the document's list of owners.
type CompactClaim struct {
	Owner  int    `json:"owner"`
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

func compact(d Document) CompactDocument {
	c := CompactDocument{APIVersion: CompactVersion, Kind: d.Kind, Object: d.Object, Owners: []ownership.Owner{}, Lines: make([]CompactLine, 0, len(d.Lines))}
	known := map[ownership.Owner]int{}
	index := func(o ownership.Owner) int {
		at, is := known[o]
		if !is {
			at = len(c.Owners)
			known[o], c.Owners = at, append(c.Owners, o)
		}
		return at
	}
	for _, l := range d.Lines {
		line := CompactLine{Line: l.Line, Text: l.Text, Path: l.Path, Owners: make([]int, 0, len(l.Owners)), Default: l.Default}
		for _, o := range l.Owners {
			line.Owners = append(line.Owners, index(o))
		}
		for _, o := range l.Elsewhere {
			line.Elsewhere = append(line.Elsewhere, index(o))
		}
		c.Lines = append(c.Lines, line)
	}
	for _, lost := range d.Lost {
		c.Lost = append(c.Lost, CompactClaim{Owner: index(lost.Owner), Path: lost.Path, Reason: lost.Reason, Detail: lost.Detail})
	}
	return c
}
