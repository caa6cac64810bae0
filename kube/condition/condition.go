// Package condition says what the conditions of an object mean: that all is well, that something is on its way, or that something is wrong.
//
//	Object.Conditions ─▶ Judge: a Verdict each ─┐
//	status.health, status.sync of Argo CD ──────┴─▶ Of: the State of the object
//
// A condition has a type, such as Ready, and a status: True, False or Unknown. The API doesn't say which status is the good one. A table has
// the types whose meaning is documented, by API group where groups differ (table.go). A type that isn't in the table has no Verdict, and nobody
// guesses it from the name.
package condition

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/object"
)

// Verdict is what a condition means.
type Verdict int

// The verdicts, the best first.
const (
	Untold Verdict = iota // the table doesn't have the type of the condition
	Fine
	Busy // on its way, or the controller doesn't know yet
	Ill
)

// Judge is the verdict on a condition of an object in this API group.
func Judge(group, kind, status string) Verdict {
	switch m := meaningOf(group, kind); {
	case m == untold:
		return Untold
	case m == noted:
		return Ill
	case status != "True" && status != "False":
		return Busy
	case (status == "True") == (m == good):
		return Fine
	case m == working:
		return Busy
	default:
		return Ill
	}
}

// State is what the status of an object says as a whole: its worst condition. If the table has none of its conditions, it is the first, and Untold.
type State struct {
	Verdict Verdict `json:"verdict"`
	Words   string  `json:"words"` // the condition and its status, as they are: "Ready False"
	Reason  string  `json:"reason,omitempty"`
	Message string  `json:"message,omitempty"`
}

// Of is the state of an object of this API group. Of conditions with the same verdict, the most telling counts, and otherwise the first.
func Of(group string, o object.Object) State {
	var worst State
	first := -1
	for _, c := range all(group, o) {
		s := State{Verdict: Judge(group, c.Type, c.Status), Words: strings.TrimSpace(c.Type + " " + c.Status), Reason: c.Reason, Message: c.Message}
		rank := s.rank(c.Type)
		if s.Verdict > worst.Verdict || s.Verdict == worst.Verdict && rank > first || worst.Words == "" {
			worst, first = s, rank
		}
	}
	for _, s := range argo(group, o) {
		if s.Verdict > worst.Verdict {
			worst = s
		}
	}
	return worst
}

// telling are the types that sum other conditions up, the most telling last.
var telling = []string{"Synced", "Available", "Healthy", "Ready"}

// causes are the types that say why others aren't well, the most telling last.
var causes = []string{"Progressing", "ReplicaFailure", "NamespaceFinalizersRemaining"}

// rank is how telling a condition of this type is among those with the same verdict.
func (s State) rank(kind string) int {
	if i := slices.Index(causes, kind); i >= 0 && s.Verdict > Fine {
		return len(telling) + i
	}
	return slices.Index(telling, kind)
}

// all are the conditions of the object. An object of the Gateway API also has some for each of its parents, listeners or ancestors.
func all(group string, o object.Object) []object.Condition {
	found := o.Conditions()
	if group != "gateway.networking.k8s.io" {
		return found
	}
	status, _ := o.Fields["status"].(map[string]any)
	for _, part := range []string{"parents", "listeners", "ancestors"} {
		entries, _ := status[part].([]any)
		for _, entry := range entries {
			found = append(found, object.Object{Fields: map[string]any{"status": entry}}.Conditions()...)
		}
	}
	return found
}

// argo are the states that an Application of Argo CD has beside its conditions.
func argo(group string, o object.Object) (states []State) {
	if group != "argoproj.io" || o.Kind() != "Application" {
		return nil
	}
	status, _ := o.Fields["status"].(map[string]any)
	for _, name := range []string{"health", "sync"} {
		part, _ := status[name].(map[string]any)
		word, _ := part["status"].(string)
		if word == "" {
			continue
		}
		message, _ := part["message"].(string)
		states = append(states, State{Verdict: Word(group, word), Words: strings.ToUpper(name[:1]) + name[1:] + " " + word, Message: message})
	}
	return states
}

// Word is the verdict on a word that a project uses for states of its objects; Untold for any other.
func Word(group, word string) Verdict { return words.Get()[group][word] }

// Read is the verdict on the Words of a State.
func Read(group, words string) Verdict {
	kind, status := cutLast(words)
	if v := Judge(group, kind, status); v != Untold {
		return v
	}
	return Word(group, status)
}

func cutLast(text string) (before, after string) {
	if i := strings.LastIndexByte(text, ' '); i >= 0 {
		return text[:i], text[i+1:]
	}
	return text, ""
}

const format = "condition/"

// Format is the format of a table's column with the Words of states.
func Format(group string) string { return format + group }

// OfFormat is the group in the format of a column; ok is false for other columns.
func OfFormat(text string) (group string, ok bool) { return strings.CutPrefix(text, format) }
