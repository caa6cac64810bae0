package components

// The beginning of a row in the markup of tables. The browser's program uses it to split a page into rows, and writes only rows that
// changed. The tag of a row begins with its id.
const (
	RowsBegin = "<tbody>"
	RowsEnd   = "</tbody>"
	RowBegins = `<tr id="`
	RowEnds   = "</tr>"
)
