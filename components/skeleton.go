package components

// Placeholder stands where rows or lines will, while they are on their way.
type Placeholder struct {
	Label         string // what is waited for, for those who do not see it
	Rows, Columns int
}
