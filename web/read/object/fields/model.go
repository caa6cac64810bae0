package fields

import (
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/read/object/document"
	"github.com/fieldmark/fieldmark/web/read/object/outline"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the tab's state.
type Model struct {
	Reading Reading `json:"reading"`
	// Unserved are the API versions that managers claim in and the server has no more. The rest it has, as far as is known.
	Unserved []string `json:"unserved,omitempty"`
	Untold   string   `json:"untold,omitempty"` // why nothing is known of the kind's fields

	live *live // nil on the server
}

// live is what the living tab knows besides.
type live struct {
	document    document.Document
	laid        *laid           // the object with its owners, while the tab is open
	folds       map[string]bool // paths of what is folded away
	top, height int             // what of the document can be seen, in pixels
	told        string          // when managers last wrote, as the lines say it
	aged        time.Time       // when they were last made to say so
}

// About is what the tab is told of its page.
type About struct {
	tab.About
	Outline *outline.Outline // of the object's kind; nil: nothing is known of its fields
}

// on is the tab on its page.
type on struct {
	Model
	About
}

// Awake begins the tab's life.
func (m Model) Awake() Model {
	m.live = &live{folds: map[string]bool{}}
	return m
}

// Known tells whether the schema was asked for, whatever came of it.
func (m Model) Known(o *outline.Outline) bool { return o != nil || m.Untold != "" }

const (
	// mostFields is how many fields of the document have a column in the table of managers by fields.
	mostFields = 60
	// maxWhole is how many lines a page lays out as a whole.
	maxWhole = 1200
)

// cost is about how many bytes a line with its owners takes in a page.
func cost(l components.BlameLine) int {
	const fixed, strip, escaped = 500, 70, 2
	return fixed + strip*len(l.Columns) + 4*len(l.Path) + escaped*(len(l.Owners)+len(l.Said)+len(l.Hint)+len(l.Href)) + document.Cost(l.Line)
}
