package page

// Pages with an editor get its whole text as Typed, after a pause in typing. If the reader opens a file that is too large or isn't text, they get Loaded
// without a body.

// Edit replaces the text of an editor. The reader can undo it. Text that was typed after the last Typed stays.
type Edit struct{ Field, Text string }

// Mark replaces the marks on the text of an editor. Their places are those in the text of the last Typed or Edit.
type Mark struct {
	Field string
	Marks []Marking
}

// Point puts the cursor of an editor at a place of the text of the last Typed or Edit, shows the place, and gives the editor the focus.
type Point struct {
	Field        string
	Line, Column int // from 1, as in a Marking
}

// Marking is one mark: a place in the text, and a message.
type Marking struct {
	Line      int      `json:"line"`      // from 1
	Column    int      `json:"column"`    // from 1, in UTF-16 units; 0: the beginning of the line
	EndLine   int      `json:"endLine"`   // 0: the same as Line
	EndColumn int      `json:"endColumn"` // after the last character; 0: the end of the line
	Severity  Severity `json:"severity"`
	Message   string   `json:"message"`
	Source    string   `json:"source,omitempty"` // who found it
}

// Severity is the severity of a mark.
type Severity string

// The severities.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Helpful is a page that can complete and explain the text of its editor.
type Helpful interface {
	Page
	// Help answers a question. If the answer is Pending, Help is called again after each message, until there is an answer or the reader has continued
	// typing. Only the commands of the first call are carried out. The page can also send Helped.
	Help(Question) (Answer, []Cmd)
}

// Question is asked about a place in the text of an editor.
type Question struct {
	Field      string   `json:"field"`
	ID         int      `json:"id"`
	What       Matter   `json:"what"`
	Document   int      `json:"document"` // its index among the documents that aren't empty, from 0
	APIVersion string   `json:"apiVersion"`
	Kind       string   `json:"kind"`
	Path       []string `json:"path"`    // keys from the document's root, "*" for any item: to the mapping that gets a key, else to the field itself
	Present    []string `json:"present"` // the other keys of that mapping
	Prefix     string   `json:"prefix"`  // the text that is already there
	Value      bool     `json:"value"`   // the question is about a value; else about a key, or, if the path ends with an item, about either
}

// Matter is what a question is about.
type Matter string

// The matters.
const (
	Complete Matter = "complete" // how the text can be completed
	Hover    Matter = "hover"    // what the field means
)

// Answer is the answer to a Question.
type Answer struct {
	Pending     bool         `json:"-"` // there is no answer yet: the page has requested what it needs
	Suggestions []Suggestion `json:"suggestions,omitempty"`
	// Of a field:
	Heading string   `json:"heading,omitempty"` // its path, or its name; empty: the field is unknown
	Facts   []string `json:"facts,omitempty"`
	Text    string   `json:"text,omitempty"`
}

// Suggestion is one completion. The first is the best.
type Suggestion struct {
	Label  string `json:"label"` // the key, or the value as YAML writes it
	Detail string `json:"detail,omitempty"`
	Info   string `json:"info,omitempty"`
	Value  Shape  `json:"value,omitempty"` // the shape of the key's value; empty if the suggestion is a value
}

// Shape is the shape of the value after a key.
type Shape string

// The shapes.
const (
	Scalar Shape = "scalar"
	Map    Shape = "map"
	List   Shape = "list"
)

// Helped is the answer to a question whose first answer was Pending.
type Helped struct {
	Field  string
	ID     int
	Answer Answer
}

// Keep stores a value in this browser, for all documents and sessions. An empty value deletes the key. Never keep a secret.
type Keep struct{ Key, Value string }

// Keeper is a page that uses values from Keep.
type Keeper interface {
	Page
	// Keeps are the keys of the values that the page needs. It gets them as Kept right after Awake.
	Keeps() []string
}

// Sharer is a page with a value that it has in common with other tabs. When another tab changes the value, the page gets all its values as Kept again.
type Sharer interface {
	Keeper
	Shares() (key string)
}

// Kept is the stored values that a page asked for. Keys without a stored value are missing.
type Kept struct{ Values map[string]string }

func (Kept) msg() {}

func (Edit) cmd()   {}
func (Mark) cmd()   {}
func (Point) cmd()  {}
func (Helped) cmd() {}
func (Keep) cmd()   {}
