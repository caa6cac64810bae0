package components

// Editing is a text that the reader edits: a text field, in whose place the browser's program puts an editor.
type Editing struct {
	Name  string // of the field: what the page hears of it by
	ID    string // of the field, and of the editor's text in its place
	Label string
	Text  string
	// ValueID names the text that the editor begins with. Shown anew under the same name the editor stays as it is, on another
	// page too; without a name it stays only while its page does.
	ValueID string
	Most    int // characters that it may have; 0: as many as the editor allows
}
