package fields

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the tab's state.
type Model struct {
	Reading Reading `json:"reading"`
	// Unserved are the API versions in entries of managedFields that the server no longer serves.
	Unserved []string `json:"unserved,omitempty"`
	Untold   string   `json:"untold,omitempty"` // says why the kind's fields are unknown

	live *live // nil on the server
}

// live is the state of the tab in the browser.
type live struct {
	document    document.Document
	laid        *laid           // the object with its owners, while the tab is open
	folds       map[string]bool // paths of folded fields
	top, height int             // the visible part of the document, in pixels
	told        string          // the texts in the lines that say when managers last wrote
	aged        time.Time       // when those texts were last updated
}

// About is what the tab needs to know about its page.
type About struct {
	tab.About
	Outline *outline.Outline // of the object's kind; nil: its fields are unknown
	Fights  []report.Known   // over the object
}

// on is the tab, with what it knows about its page.
type on struct {
	Model
	About
}

// Awake prepares the tab to run in the browser.
func (m Model) Awake() Model {
	m.live = &live{folds: map[string]bool{}}
	return m
}

// Known tells whether the schema was requested, also if the request failed.
func (m Model) Known(o *outline.Outline) bool { return o != nil || m.Untold != "" }

const (
	// mostFields is how many fields have a column in the table of owners by field.
	mostFields = 60
	// maxWhole is the most lines that a page renders all at once.
	maxWhole = 1200
)

// cost is about how many bytes of HTML a line with its owners takes.
func cost(l components.BlameLine) int {
	const fixed, strip, escaped = 500, 70, 2
	return fixed + strip*len(l.Columns) + 4*len(l.Path) + escaped*(len(l.Owners)+len(l.Said)+len(l.Hint)+len(l.Href)) + document.Cost(l.Line)
}
