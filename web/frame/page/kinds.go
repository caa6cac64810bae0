package page

import (
	"encoding/json"
	"fmt"
)

// Set maps the names of kinds of pages to the functions that read their models.
type Set map[string]func([]byte) (Page, error)

// Decode reads the model of a page.
func (s Set) Decode(data []byte) (Page, error) {
	var frame struct {
		Kind string `json:"kind"`
	}
	if err := json.Unmarshal(data, &frame); err != nil {
		return nil, fmt.Errorf("reading the model of the page: %w", err)
	}
	reader, known := s[frame.Kind]
	if !known {
		return nil, fmt.Errorf("reading the model of the page: no page is of kind %q", frame.Kind)
	}
	return reader(data)
}

// Read reads the model of one kind of page.
func Read[M Page](data []byte) (Page, error) {
	var m M
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("reading the model of the page: %w", err)
	}
	return m, nil
}
