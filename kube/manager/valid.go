package manager

import (
	"fmt"
	"unicode"
)

// maxName is how long a name may be, in bytes, as the API server has it.
const maxName = 128

// Valid tells why an API server would refuse a name for a field manager.
func Valid(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("a field manager's name has at most %d bytes, and this one has %d; choose a shorter one", maxName, len(name))
	}
	for _, r := range name {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("a field manager's name has printable characters only, and this one has %q; leave that out", r)
		}
	}
	return nil
}
