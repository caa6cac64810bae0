package manager

import (
	"fmt"
	"unicode"
)

// maxName is the API server's limit for the length of a name, in bytes.
const maxName = 128

// Valid returns an error if an API server would refuse a name for a field manager.
func Valid(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("the name of the field manager has %d bytes, and the API server allows at most %d; choose a shorter name", len(name), maxName)
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("the name of the field manager has the character %q, and the API server allows only printable ones; remove this character", r)
		}
	}
	return nil
}
