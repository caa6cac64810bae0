// Package kinds knows every kind of page, so that a model embedded in a document can be told apart and read.
package kinds

import (
	"encoding/json"
	"fmt"

	"github.com/fieldmark/fieldmark/web/clusters"
	"github.com/fieldmark/fieldmark/web/collection"
	"github.com/fieldmark/fieldmark/web/contention"
	"github.com/fieldmark/fieldmark/web/object"
	"github.com/fieldmark/fieldmark/web/overview"
	"github.com/fieldmark/fieldmark/web/page"
	"github.com/fieldmark/fieldmark/web/problem"
)

var readers = map[string]func([]byte) (page.Page, error){
	clusters.Kind:   read[clusters.Model],
	collection.Kind: read[collection.Model],
	contention.Kind: read[contention.Model],
	object.Kind:     read[object.Model],
	overview.Kind:   read[overview.Model],
	problem.Kind:    read[problem.Model],
}

// Decode reads a page that was embedded; see page.Embed.
func Decode(data []byte) (page.Page, error) {
	var embedded struct {
		Kind string          `json:"kind"`
		Page json.RawMessage `json:"page"`
	}
	if err := json.Unmarshal(data, &embedded); err != nil {
		return nil, fmt.Errorf("reading the page's model: %w", err)
	}
	reader, known := readers[embedded.Kind]
	if !known {
		return nil, fmt.Errorf("reading the page's model: no page is of kind %q", embedded.Kind)
	}
	return reader(embedded.Page)
}

func read[M page.Page](data []byte) (page.Page, error) {
	var m M
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("reading the page's model: %w", err)
	}
	return m, nil
}
