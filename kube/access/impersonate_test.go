package access

import (
	"testing"

	"github.com/fieldmark/fieldmark/kube/status"
)

func TestNotImpersonated(t *testing.T) {
	for name, c := range map[string]struct {
		no   status.Status
		want Attributes
		ok   bool
	}{
		"a user": {
			status.Status{Code: 403, Name: "ada", Message: `users "ada" is forbidden: User "ben" cannot impersonate resource "users" in API group "" at the cluster scope`},
			Attributes{Verb: "impersonate", Resource: "users", Name: "ada"}, true,
		},
		"a service account": {
			status.Status{Code: 403, Name: "web", Message: `serviceaccounts "web" is forbidden: User "ben" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "shop"`},
			Attributes{Verb: "impersonate", Resource: "serviceaccounts", Namespace: "shop", Name: "web"}, true,
		},
		"a uid": {
			status.Status{Code: 403, Name: "7", Message: `uids.authentication.k8s.io "7" is forbidden: User "ben" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope`},
			Attributes{Verb: "impersonate", Group: "authentication.k8s.io", Resource: "uids", Name: "7"}, true,
		},
		"another verb":  {status.Status{Code: 403, Message: `pods is forbidden: User "ben" cannot list resource "pods" in API group ""`}, Attributes{}, false},
		"another code":  {status.Status{Code: 500, Message: `cannot impersonate resource "users" in API group ""`}, Attributes{}, false},
		"other letters": {status.Status{Code: 403, Message: `cannot impersonate resource "<b>" in API group ""`}, Attributes{}, false},
	} {
		if got, ok := NotImpersonated(c.no); ok != c.ok || got != c.want {
			t.Errorf("%s: %+v %v", name, got, ok)
		}
	}
}

func TestTheRuleOfAttributesIsYAML(t *testing.T) {
	for want, of := range map[string]Attributes{
		"- apiGroups: [\"\"]\n  resources: [users]\n  verbs: [impersonate]\n  resourceNames: [\"a, \\\"b\"]\n": {Verb: "impersonate", Resource: "users", Name: `a, "b`},
		"- apiGroups: [apps]\n  resources: [deployments]\n  verbs: [list]\n":                                   {Verb: "list", Group: "apps", Resource: "deployments"},
	} {
		if got := of.Rule(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
