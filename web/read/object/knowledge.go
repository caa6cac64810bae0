package object

import "github.com/fieldmark/fieldmark/kube/ownership"

// knowledge is what the kind's schema tells of how fields are owned; nil where there is none.
func (m Model) knowledge() ownership.Schema {
	if m.Outline == nil || m.Outline.Schema.Definitions == nil {
		return nil
	}
	return m.Outline.Schema.Knowledge()
}
