package palette

import (
	"slices"
	"strings"
)

// runExplain is the action of the offer to explain a refusal.
const runExplain = "palette-explain"

// refusals are phrases of refusals that nobody types to search for something.
var refusals = []string{
	"Apply failed with ", "conflict with \"", "conflicts with \"", "Operation cannot be fulfilled on ", "Error from server", "is forbidden: ", "\" is invalid", " denied the request",
	"dry-run failed", "no matches for kind ", "\" not found", "\" already exists", "UPGRADE FAILED", "INSTALLATION FAILED", "exceeded quota", "one or more objects failed to apply",
	"the server could not find the requested resource", "doesn't have a resource type", "too old resource version", "failed calling webhook", "field is immutable", "strict decoding error",
}

// isRefusal tells whether the query looks like a refusal, which somebody has pasted.
func (m Model) isRefusal() bool {
	return m.frame.In() && m.aim == nil && slices.ContainsFunc(refusals, func(words string) bool { return strings.Contains(m.query, words) })
}

// explanation is the offer to explain the query as a refusal.
func (m Model) explanation() group {
	m.index.offers[offerFurther] = Entry{Kind: Action, Run: runExplain, Refusal: m.query, Text: "Explain this refusal", Beside: "what happened, why, and what to do"}
	return group{kind: besides, title: kindTitles[Action], hits: []place{{offerList, offerFurther}}}
}
