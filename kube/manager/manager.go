// Package manager is a field manager: its identity, and its name in words.
package manager

import (
	"strings"
	"time"
)

// The operations by which a manager becomes an owner of fields.
const (
	Apply  = "Apply"
	Update = "Update"
)

// Manager owns fields. The same name with another operation or subresource is another manager.
type Manager struct {
	Name        string `json:"manager"`
	Operation   string `json:"operation"`
	Subresource string `json:"subresource"`
	APIVersion  string `json:"apiVersion"`
}

// Owner is a manager, with the time when its entry was last written. That isn't the time when it wrote one field.
type Owner struct {
	Manager
	Time string `json:"time"` // as the server gave it (RFC 3339); may be empty
}

// Written is the time of the manager's last write; zero if it isn't known.
func (o Owner) Written() time.Time {
	t, err := time.Parse(time.RFC3339Nano, o.Time)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Same tells whether two managers are the same. For an Apply manager, the API version doesn't matter. For an Update manager, it does.
func (m Manager) Same(other Manager) bool { return m.Identity() == other.Identity() }

// Identity is the part of a manager that distinguishes it from others; see Same.
func (m Manager) Identity() Manager {
	if m.Operation == Apply {
		m.APIVersion = ""
	}
	return m
}

// ancient is the name under which the server merges the oldest Update entries when there are too many.
const ancient = "ancient-changes"

// History tells whether this isn't a real manager, but the name under which the server merged several older entries.
func (m Manager) History() bool { return m.Name == ancient && m.Operation == Update }

// AgentPrefix is how the names of assistants begin that write under a name of their own, such as agent/claude. It is a convention: a name is a choice of
// the client, and proves nothing.
const AgentPrefix = "agent/"

// Assistant marks managers that are assistants, by their name.
const Assistant = "assistant"

// IsAssistant tells whether the name is one of an assistant.
func (m Manager) IsAssistant() bool { return strings.HasPrefix(m.Name, AgentPrefix) }

// How is how the manager writes: "Apply", "Update, status".
func (m Manager) How() string {
	switch {
	case m.Subresource == "":
		return m.Operation
	case m.Operation == "":
		return m.Subresource
	}
	return m.Operation + ", " + m.Subresource
}

// Words name the manager in a sentence: "hpa (Update, scale)". Each part of an entry in managedFields may be missing.
func (m Manager) Words() string {
	name := m.Name
	if name == "" {
		name = "a manager without a name"
	}
	marks := make([]string, 0, 2)
	if how := m.How(); how != "" {
		marks = append(marks, how)
	}
	if m.IsAssistant() {
		marks = append(marks, Assistant)
	}
	if len(marks) == 0 {
		return name
	}
	return name + " (" + strings.Join(marks, ", ") + ")"
}

// Key identifies the manager in an address. ParseKey reads it.
func (m Manager) Key() string {
	return strings.Join([]string{m.Name, m.Operation, m.Subresource, m.APIVersion}, "|")
}

// ParseKey is the manager that a key names. A name may have the separator.
func ParseKey(key string) (m Manager, ok bool) {
	parts := strings.Split(key, "|")
	n := len(parts)
	if n < 4 || parts[n-3] != Apply && parts[n-3] != Update {
		return Manager{}, false
	}
	return Manager{Name: strings.Join(parts[:n-3], "|"), Operation: parts[n-3], Subresource: parts[n-2], APIVersion: parts[n-1]}, true
}
