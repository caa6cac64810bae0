package components

// The markup of a table's rows, to the letter. A program for the browser cuts a page into its rows by it, and writes only rows
// that changed. A tag of a row begins with its id.
const (
	RowsBegin = "<tbody>"
	RowsEnd   = "</tbody>"
	RowBegins = `<tr id="`
	RowEnds   = "</tr>"
)
