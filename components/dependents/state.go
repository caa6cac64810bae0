package dependents

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/layout"
	"github.com/fieldmark/fieldmark/kube/table"
)

// State is what the server's Table says about an object. It is zero if the Table says nothing about its state.
type State struct {
	Words string          `json:"words,omitempty"` // of the column with the state
	Ready string          `json:"ready,omitempty"` // how many of its parts are ready, such as 1/3
	Tone  components.Tone `json:"tone,omitempty"`
	Idle  bool            `json:"idle,omitempty"` // it has no parts, and wants none
}

// mostState is the most bytes of a state.
const mostState = 80

// StateOf reads the state of an object from its row of a Table.
func StateOf(columns []table.Column, cells []table.Cell) State {
	var s State
	value := func(name string) string {
		i := slices.IndexFunc(columns, func(c table.Column) bool { return c.Name == name })
		if i < 0 || i >= len(cells) {
			return ""
		}
		return strings.TrimSpace(string(cells[i]))
	}
	for i, c := range columns {
		if i < len(cells) && components.IsState(c.Name) && s.Words == "" {
			s.Words, s.Tone = layout.Cut(strings.TrimSpace(string(cells[i])), mostState), components.CellTone(c.Name, string(cells[i]))
		}
	}
	ready, desired := value("Ready"), value("Desired")
	switch {
	case strings.Contains(ready, "/"):
		s.Ready = ready
	case ready != "" && desired != "":
		s.Ready = ready + "/" + desired
	}
	s.Ready = layout.Cut(s.Ready, mostState)
	s.Idle = s.Ready == "0/0"
	if components.Short(s.Ready) && !components.Finished(s.Words) && s.Tone != components.Bad && s.Tone != components.Busy {
		s.Tone = components.Warn
	}
	return s
}

// rank sorts states: bad ones first, and objects that want nothing last.
func (s State) rank() int {
	switch {
	case s.Idle:
		return 4
	case s.Tone == components.Bad:
		return 0
	case s.Tone == components.Warn:
		return 1
	case s.Tone == components.Busy:
		return 2
	default:
		return 3
	}
}

// Compare sorts objects: unhealthy ones first, then by kind, namespace and name.
func Compare(a, b Ref) int {
	return cmp.Or(a.State.rank()-b.State.rank(), strings.Compare(a.Kind, b.Kind), strings.Compare(a.Namespace, b.Namespace), table.Natural(a.Name, b.Name))
}

// Node is a Ref in a tree.
type Node struct {
	Ref
	Below []Node
}

// Nest makes a tree of Refs: each is followed by those below it, which have a greater depth.
func Nest(refs []Ref) []Node {
	var nodes []Node
	for i := 0; i < len(refs); {
		end := i + 1
		for end < len(refs) && refs[end].Depth > refs[i].Depth {
			end++
		}
		nodes = append(nodes, Node{refs[i], Nest(refs[i+1 : end])})
		i = end
	}
	return nodes
}
