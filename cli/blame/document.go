package blame

import "github.com/fieldmark/fieldmark/kube/ownership"

// APIVersion is the version of the documents that scripts read. Fields may be added to its kinds, but never removed or renamed.
const APIVersion = "fieldmark.dev/v1"

// Document is what -o json and -o yaml print for one object.
type Document struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"` // Blame
	Object     Reference      `json:"object"`
	Lines      []DocumentLine `json:"lines"`
	Lost       []LostClaim    `json:"lost,omitempty"`
}

// List is what -o json and -o yaml print for several objects.
type List struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"` // BlameList
	Items      []Document `json:"items"`
}

// Reference names an object.
type Reference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Namespace  string `json:"namespace"` // empty: the object is cluster-scoped
	Name       string `json:"name"`
}

// DocumentLine is a line of the object's YAML, without its managedFields and with the values of Secrets masked.
type DocumentLine struct {
	Line int    `json:"line"` // from 1
	Text string `json:"text"`
	// Path is the field in structured-merge-diff's notation; empty: the line continues the text above.
	Path   string            `json:"path"`
	Owners []ownership.Owner `json:"owners"`
	// Default tells that nobody owns the field, and that its value is the schema's default.
	Default bool `json:"default,omitempty"`
	// Elsewhere are the owners of fields of other API versions that may be this field, which has no owner in this version.
	Elsewhere []ownership.Owner `json:"elsewhere,omitempty"`
}

// LostClaim is a field of managedFields that no line of the object shows.
type LostClaim struct {
	Owner  ownership.Owner `json:"owner"`
	Path   string          `json:"path"` // the part of the path that can be read
	Reason string          `json:"reason"`
	Detail string          `json:"detail"`
}

func documentOf(w Written, lines []Line) Document {
	d := Document{APIVersion: APIVersion, Kind: "Blame", Object: Reference{
		APIVersion: w.Object.APIVersion(), Kind: w.Object.Kind(), Namespace: w.Object.Meta("namespace"), Name: w.Object.Meta("name"),
	}}
	for _, l := range lines {
		owners := l.Owners
		if owners == nil {
			owners = []ownership.Owner{}
		}
		d.Lines = append(d.Lines, DocumentLine{Line: l.Number, Text: l.Text, Path: l.Path, Owners: owners, Default: l.Default, Elsewhere: l.Elsewhere})
	}
	for _, lost := range w.Lost {
		d.Lost = append(d.Lost, LostClaim{Owner: lost.Owner, Path: lost.Path, Reason: string(lost.Reason), Detail: lost.Detail})
	}
	return d
}
