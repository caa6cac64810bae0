package components

// Key is what a key does. Where several are listed, each does its part.
type Key struct {
	Keys []string // as they are printed on keyboards
	Does string
}
