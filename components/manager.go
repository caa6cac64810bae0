package components

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Manager is who owns fields, or wrote: a name, by the operation and the subresource that make it another than its namesakes.
// Where managers are told apart by it, one has a hue as well, and never that alone.
type Manager struct {
	Hue         int // 1 to Hues; 0: none
	Mark        int // 1 to Marks: which of the managers of the view that have the same hue; 0: the first
	Initials    string
	Name        string
	Operation   string
	Subresource string
	APIVersion  string // that its fields are named in; may be left out
	History     bool   // it is what the server keeps of several that it no longer tells apart
}

// Hues is how many hues there are for managers, and Marks how many marks tell managers with the same hue apart.
const (
	Hues  = 8
	Marks = 3
)

func (m Manager) hue() string { return Hue(m.Hue, m.Mark) }

// Hue is the class of what shows a manager's hue and mark.
func Hue(hue, mark int) string {
	class := "hue-" + strconv.Itoa(hue)
	if mark > 0 {
		class += " mark-" + strconv.Itoa(mark)
	}
	return class
}

// How is how the manager came by its fields: "Apply", "Update · status".
func (m Manager) How() string {
	if m.Subresource == "" {
		return m.Operation
	}
	return m.Operation + " · " + m.Subresource
}

// Words name the manager in a sentence.
func (m Manager) Words() string {
	return manager.Manager{Name: m.Name, Operation: m.Operation, Subresource: m.Subresource}.Words()
}

// hint says in words what stands beside the manager's name.
func (m Manager) hint() string {
	words := "manager " + Visible(m.Name)
	if m.Operation != "" {
		words += ", by " + Visible(m.Operation)
	}
	if m.Subresource != "" {
		words += " of the subresource " + Visible(m.Subresource)
	}
	if m.APIVersion != "" {
		words += ", in " + Visible(m.APIVersion)
	}
	return words
}

// Initials are two letters of a manager's name: those that its words begin with, or else its first.
func Initials(name string) string {
	words := Words(name)
	switch {
	case len(words) == 0:
		return "?"
	case len(words) == 1 && len(words[0]) == 1:
		return strings.ToUpper(words[0])
	case len(words) == 1:
		return strings.ToUpper(words[0][:1]) + words[0][1:2]
	default:
		return strings.ToUpper(words[0][:1] + words[1][:1])
	}
}

// Words are the words of a manager's name: its runs of ASCII letters and digits.
func Words(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') })
}
