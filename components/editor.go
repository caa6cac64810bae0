package components

// Editing is a text that users edit: a text field, which the browser's program replaces with an editor.
type Editing struct {
	Name  string // the name of the field in events of the page
	ID    string // the id of the field, and of the editor that replaces it
	Label string
	Text  string
	// ValueID identifies the first text of the editor. If it is rendered again with the same ValueID, the editor keeps its state, even on
	// another page. Without a ValueID, the editor keeps its state only on its page.
	ValueID string
	Most    int // the maximum number of characters; 0: the maximum of the editor
}
