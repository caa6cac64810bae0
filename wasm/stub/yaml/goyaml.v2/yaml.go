// Package yaml is what the browser's program links in place of another YAML library, with which structured-merge-diff
// would write values. Pages write YAML with go.yaml.in/yaml/v3. See docs/decisions/0010.
package yaml

import "errors"

// Marshal writes nothing.
func Marshal(any) ([]byte, error) {
	return nil, errors.New("this YAML library is not part of this program")
}
