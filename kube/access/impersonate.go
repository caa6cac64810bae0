package access

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/status"
)

// Impersonate is the verb that one needs on users, groups or serviceaccounts to act as them.
const Impersonate = "impersonate"

// cannotImpersonate is a part of an API server's refusal. Servers with constrained impersonation first check verbs such as
// impersonate-on:user-info:list.
var cannotImpersonate = regexp.MustCompile(`cannot impersonate(?:-on)?[a-z:-]* resource "`)

// NotImpersonated tells whether an API server refused a request because its sender may not act as somebody else.
func NotImpersonated(no status.Status) bool {
	return no.Code == status.CodeForbidden && cannotImpersonate.MatchString(no.Message)
}

// serviceAccount is how the name of a service account's user begins. The namespace and the name follow.
const serviceAccount = "system:serviceaccount:"

// ToImpersonate are the narrowest rules of a ClusterRole that allow to act as a user in some groups, as YAML.
func ToImpersonate(user string, groups []string) string {
	resource, name := "users", user
	if account, ok := strings.CutPrefix(user, serviceAccount); ok {
		if _, own, ok := strings.Cut(account, ":"); ok {
			resource, name = "serviceaccounts", own
		}
	}
	rules := impersonation(resource, []string{name})
	if len(groups) > 0 {
		rules += impersonation("groups", groups)
	}
	return rules
}

func impersonation(resource string, names []string) string {
	quoted, _ := json.Marshal(names) // texts always encode, and JSON is YAML
	return "- apiGroups: [\"\"]\n  resources: [" + resource + "]\n  verbs: [" + Impersonate + "]\n  resourceNames: " + string(quoted) + "\n"
}
