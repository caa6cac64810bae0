package page

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Set maps the names of kinds of pages to the functions that read their models.
type Set map[string]func([]byte) (Page, error)

// Decode reads the model of a page.
func (s Set) Decode(data []byte) (Page, error) {
	kind, err := kindOf(data)
	if err != nil {
		return nil, fmt.Errorf("reading the model of the page: %w", err)
	}
	reader, known := s[kind]
	if !known {
		return nil, fmt.Errorf("reading the model of the page: no page is of kind %q", kind)
	}
	return reader(data)
}

// kindOf is the kind of a page. A model begins with it, as the server writes it. So a long model isn't read twice.
func kindOf(data []byte) (string, error) {
	if rest, first := bytes.CutPrefix(data, []byte(`{"kind":"`)); first {
		if kind, _, ends := bytes.Cut(rest, []byte(`"`)); ends && !bytes.ContainsRune(kind, '\\') {
			return string(kind), nil
		}
	}
	var frame struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(data, &frame); err != nil {
		return "", fmt.Errorf("its kind: %w", err)
	}
	return frame.Kind, nil
}

// Read reads the model of one kind of page.
func Read[M Page](data []byte) (Page, error) {
	var m M
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("reading the model of the page: %w", err)
	}
	return m, nil
}
