package page

// Of a page with an editor: text that was typed comes as Typed, as a whole and after a pause; a file that was too large, or
// no text, comes as Loaded without a body.

// Edit makes the text of an editor another one. It can be undone, and what was typed since the last Typed stays.
type Edit struct{ Field, Text string }

// Mark puts marks on the text of an editor, in place of those before. They speak of the text that came with the last Typed, or went
// with the last Edit.
type Mark struct {
	Field string
	Marks []Marking
}

// Marking is one mark: a place in the text, and what is to be said of it.
type Marking struct {
	Line      int      `json:"line"`      // from 1
	Column    int      `json:"column"`    // from 1, in UTF-16 units; 0: where the line begins
	EndLine   int      `json:"endLine"`   // 0: the mark ends with the line it is on
	EndColumn int      `json:"endColumn"` // behind the last; 0: where the line ends
	Severity  Severity `json:"severity"`
	Message   string   `json:"message"`
	Source    string   `json:"source,omitempty"` // who says so
}

// Severity is how grave it is what a mark says.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Helpful is a page that knows how the text of an editor of its own may go on, and what is meant by what stands there.
type Helpful interface {
	Page
	// Help answers a question. Of one that is pending it is asked again whenever it has taken something in, until it answers or
	// the reader has gone on; commands are carried out for the first time only. It may as well send Helped.
	Help(Question) (Answer, []Cmd)
}

// Question is asked about a place in the text of an editor.
type Question struct {
	Field      string   `json:"field"`
	ID         int      `json:"id"`
	What       Matter   `json:"what"`
	Document   int      `json:"document"` // its place among the documents that hold anything, from 0
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Path       []string `json:"path"`    // keys from the document's root, "*" for any item: of the mapping that a key is to go into, else of the field itself
	Present    []string `json:"present"` // the other keys of that mapping
	Prefix     string   `json:"prefix"`  // what is written already
	Value      bool     `json:"value"`   // of the value; else of a key or, where the path ends with an item, of either
}

// Matter is what a question is about.
type Matter string

// The matters.
const (
	Complete Matter = "complete" // how what is written may go on
	Hover    Matter = "hover"    // what the field means
)

// Answer is what a page knows.
type Answer struct {
	Pending     bool         `json:"-"` // not yet: it has asked for what it needs
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	// Of a field:
	Heading string   `json:"heading,omitempty"` // its path, or its name; empty: nothing is known
	Facts   []string `json:"facts,omitempty"`
	Text    string   `json:"text,omitempty"`
}

// Suggestion is one way for what is written to go on. The first is the best.
type Suggestion struct {
	Label  string `json:"label"` // the key, or the value as YAML writes it
	Detail string `json:"detail,omitempty"`
	Info   string `json:"info,omitempty"`
	Value  Shape  `json:"value,omitempty"` // of the key's value; empty for a value
}

// Shape is what has to be written behind a key.
type Shape string

// The shapes.
const (
	Scalar Shape = "scalar"
	Map    Shape = "map"
	List   Shape = "list"
)

// Helped is the answer to a question that was pending.
type Helped struct {
	Field  string
	ID     int
	Answer Answer
}

// Keep keeps a value in this browser, over documents and sessions; an empty one is forgotten. Nothing secret is kept.
type Keep struct{ Key, Value string }

// Keeper is a page that goes on from what was kept.
type Keeper interface {
	Page
	// Keeps are the keys of what it wants to know; it comes as Kept right after Awake.
	Keeps() []string
}

// Kept is what this browser has kept of what a page asked for. Keys that it has not are not there.
type Kept struct{ Values map[string]string }

func (Kept) msg() {}

func (Edit) cmd()   {}
func (Mark) cmd()   {}
func (Helped) cmd() {}
func (Keep) cmd()   {}
