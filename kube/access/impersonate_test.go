package access

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

func TestNotImpersonated(t *testing.T) {
	for name, c := range map[string]struct {
		code    int
		message string
		want    bool
	}{
		"a user":            {403, `users "ada" is forbidden: User "ben" cannot impersonate resource "users" in API group "" at the cluster scope`, true},
		"a service account": {403, `serviceaccounts "web" is forbidden: User "ben" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "shop"`, true},
		"constrained, who":  {403, `users.authentication.k8s.io "ada" is forbidden: User "ben" cannot impersonate:user-info resource "users" in API group "authentication.k8s.io"`, true},
		"constrained, what": {403, `pods is forbidden: User "ben" cannot impersonate-on:user-info:list resource "pods" in API group ""`, true},
		"another verb":      {403, `pods is forbidden: User "ben" cannot list resource "pods" in API group ""`, false},
		"another code":      {500, `cannot impersonate resource "users" in API group ""`, false},
	} {
		if got := NotImpersonated(status.Status{Code: c.code, Message: c.message}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestTheRulesToImpersonateAreYAML(t *testing.T) {
	const user = "- apiGroups: [\"\"]\n  resources: [users]\n  verbs: [impersonate]\n  resourceNames: "
	for name, c := range map[string]struct {
		user   string
		groups []string
		want   string
	}{
		"a user":            {"ada", nil, user + "[\"ada\"]\n"},
		"an odd name":       {`a, "b`, nil, user + `["a, \"b"]` + "\n"},
		"with groups":       {"ada", []string{"dev", "ops"}, user + "[\"ada\"]\n- apiGroups: [\"\"]\n  resources: [groups]\n  verbs: [impersonate]\n  resourceNames: [\"dev\",\"ops\"]\n"},
		"a service account": {"system:serviceaccount:shop:web", nil, "- apiGroups: [\"\"]\n  resources: [serviceaccounts]\n  verbs: [impersonate]\n  resourceNames: [\"web\"]\n"},
		"half an account":   {"system:serviceaccount:shop", nil, user + "[\"system:serviceaccount:shop\"]\n"},
	} {
		if got := ToImpersonate(c.user, c.groups); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
