package access

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Impersonate is the verb that one needs on users, groups or serviceaccounts to act as them.
const Impersonate = "impersonate"

// cannotImpersonate is a part of an API server's refusal. The names of types have no quotes in them.
var cannotImpersonate = regexp.MustCompile(`cannot impersonate resource "([a-z/.]+)" in API group "([a-z0-9.]*)"(?: in the namespace "([a-z0-9.-]+)")?`)

// NotImpersonated is the permission that is missing if an API server refused a request because its sender may not act as somebody else.
// ok is false for other refusals.
func NotImpersonated(no status.Status) (missing Attributes, ok bool) {
	found := cannotImpersonate.FindStringSubmatch(no.Message)
	if no.Code != status.CodeForbidden || found == nil {
		return Attributes{}, false
	}
	return Attributes{Verb: Impersonate, Resource: found[1], Group: found[2], Namespace: found[3], Name: no.Name}, true
}

// Rule is the narrowest rule of a Role that grants the attributes, as YAML.
func (a Attributes) Rule() string {
	lines := []string{
		"- apiGroups: " + list([]string{a.Group}), "  resources: " + list([]string{a.Resource}), "  verbs: " + list([]string{a.Verb}),
	}
	if a.Name != "" {
		name, _ := json.Marshal([]string{a.Name}) // texts always encode; JSON is YAML
		lines = append(lines, "  resourceNames: "+string(name))
	}
	return strings.Join(lines, "\n") + "\n"
}
