package components

import (
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manager"
)

// Manager is a field manager: a name, and the operation and subresource that distinguish managers with the same name. In some views it
// also has a hue. A hue is never the only way to recognize a manager.
type Manager struct {
	Hue         int // 1 to Hues; 0: none
	Mark        int // 1 to Marks: which of the managers of the view that have the same hue; 0: the first
	Initials    string
	Name        string
	Operation   string
	Subresource string
	APIVersion  string // the API version of its fields; may be empty
	History     bool   // it stands for several managers whose entries the server has merged
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

// How is the operation and the subresource, and the mark of assistants: "Apply", "Update · status", "Apply · assistant".
func (m Manager) How() string {
	how := m.Operation
	if m.Subresource != "" {
		how += " · " + m.Subresource
	}
	if (manager.Manager{Name: m.Name}).IsAssistant() {
		how = strings.TrimPrefix(how+" · "+manager.Assistant, " · ")
	}
	return how
}

// Words is the manager's name for a sentence.
func (m Manager) Words() string {
	return manager.Manager{Name: m.Name, Operation: m.Operation, Subresource: m.Subresource}.Words()
}

// hint is the tooltip: the name, the operation, the subresource and the API version.
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

// Initials are two letters of a manager's name: the first letters of its words, or its first two letters.
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

// WriterLook is the class that gives a kind of writer its color. The kind is a word, such as writer.Kind's ID.
func WriterLook(kind string) string { return "of-" + kind }
