// Package secrets is what an object's page shows of a Secret's values: their names, and one value at a time that the reader asked for.
package secrets

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the values of a Secret. It is a value, as all that is in it.
type Model struct {
	Values []object.SecretValue `json:"values"`
	Reveal *Revealed            `json:"reveal"` // nil: no value is shown

	live live
}

// live is what only the living page knows.
type live struct {
	hidden string // the key of the value that was shown until the object changed
}

// Revealed is one value of a Secret that was asked for.
type Revealed struct {
	Key  string `json:"key"`
	Text string `json:"text"`
	Data bool   `json:"data"` // the value is no text; Text is its base64
}

// Hide no longer shows the value that was asked for: the object changed, so it may be another by now.
func (m Model) Hide() Model {
	if m.Reveal != nil {
		m.live.hidden, m.Reveal = m.Reveal.Key, nil
	}
	return m
}

// Address leads to one value.
func Address(about tab.About, key string) string {
	query := maps.Clone(about.Query)
	query.Set("reveal", key)
	return about.Address(query)
}

func hiddenWords(gone bool) string {
	if gone {
		return "hidden: the Secret was deleted"
	}
	return "hidden: the Secret has changed. Select Show again"
}
