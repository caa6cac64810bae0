package components

// Placeholder takes the place of rows or lines that are being loaded.
type Placeholder struct {
	Label         string // the label for screen readers
	Rows, Columns int
}
