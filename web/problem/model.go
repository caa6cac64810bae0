// Package problem is the page that stands in for one that cannot be shown: it says what is the
// matter, in whose words, and what to do about it.
package problem

import (
	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/web/shell"
)

// Model is the page's state.
type Model struct {
	Shell  shell.Model       `json:"shell"`
	Notice components.Notice `json:"notice"`
}

// View is the whole page.
func (m Model) View() templ.Component { return view(m) }
