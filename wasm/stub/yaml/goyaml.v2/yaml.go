// Package yaml is what the browser's program links in place of the second version of the YAML library: the one function with which structured-merge-diff
// writes values, which no page does. See docs/decisions/0010 and 0145.
package yaml

import "errors"

// Marshal writes nothing.
func Marshal(any) ([]byte, error) {
	return nil, errors.New("this YAML library is not part of this program")
}
