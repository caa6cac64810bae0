// Package gallery is the page that shows what all other pages are made of: every token of the stylesheet, and every
// component in its states, in the light and in the dark. It is for people who work on Fieldmark, so the browser's program
// does without it.
package gallery

import (
	"strings"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components/specimen"
	"github.com/fieldmark/fieldmark/web/frame/shell"
)

// Token is a custom property of the stylesheet.
type Token struct {
	Group string // what it belongs to, and what the group is for
	Name  string // without the dashes
	Light string
	Dark  string // the same as Light for most that are no colours
}

// Model is the page's state.
type Model struct {
	Shell      shell.Model
	Stylesheet string // of this page alone
	Tokens     []Token
}

// View is the whole document.
func (m Model) View() templ.Component { return view(m) }

// Sections are all that is shown besides the tokens.
func Sections() []specimen.Section {
	return append(append(foundations(), specimen.Sections()...), statesOfPages()...)
}

// Group is the tokens that belong together.
type Group struct {
	Title, Note string
	Tokens      []Token
}

// Groups are the tokens, in the stylesheet's own order.
func (m Model) Groups() []Group {
	var groups []Group
	of := ""
	for _, t := range m.Tokens {
		if t.Group != of || len(groups) == 0 {
			title, note, _ := strings.Cut(t.Group, ": ")
			groups = append(groups, Group{Title: title, Note: note})
			of = t.Group
		}
		last := &groups[len(groups)-1]
		last.Tokens = append(last.Tokens, t)
	}
	return groups
}

func (t Token) value() string { return "var(--" + t.Name + ")" }

func (t Token) colour() bool { return strings.HasPrefix(t.Light, "#") }

// length tells whether it is as long as can be shown.
func (t Token) length() bool { return strings.HasSuffix(t.Light, "px") }

func (t Token) of(group string) bool { return strings.HasPrefix(strings.ToLower(t.Group), group) }

func (t Token) weight() bool { return t.of("weights") }

func (t Token) size() bool { return t.of("type") && t.length() }

func (t Token) family() bool { return t.of("type") && strings.Contains(t.Light, ",") }
