// Package secrets is the part of an object's page that shows a Secret: the keys of its values, and one value at a time if the reader asks for it.
package secrets

import (
	"maps"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/web/read/object/tab"
)

// Model is the state of this part. It is a value.
type Model struct {
	Values []object.SecretValue `json:"values"`
	Reveal *Revealed            `json:"reveal"` // nil: no value is shown

	live live
}

// live is the state that only the page in the browser has.
type live struct {
	hidden string // the key of a value that was hidden because the object changed
}

// Revealed is the one value of a Secret that is shown.
type Revealed struct {
	Key  string `json:"key"`
	Text string `json:"text"`
	Data bool   `json:"data"` // the value isn't text; Text is its base64
}

// Hide hides the shown value, because the object changed, and the value may have changed, too.
func (m Model) Hide() Model {
	if m.Reveal != nil {
		m.live.hidden, m.Reveal = m.Reveal.Key, nil
	}
	return m
}

// Address is the address of the page that shows one value.
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
