package components

// Key is the description of one or several keys.
type Key struct {
	Keys []string // the names on keyboards
	Does string
}
