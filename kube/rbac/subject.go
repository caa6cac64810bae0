package rbac

import (
	"cmp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/lazy"
)

// The kinds of subjects.
const (
	User           = "User"
	Group          = "Group"
	ServiceAccount = "ServiceAccount"
)

// Subject is whom a binding gives a role.
type Subject struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"` // of a service account
	Name      string `json:"name"`
}

// Names of users and groups that API servers give.
const (
	accountUser     = "system:serviceaccount:"
	accountGroup    = "system:serviceaccounts"
	accountGroupsOf = accountGroup + ":"
	authenticated   = "system:authenticated"
	masters         = "system:masters"
	nodes           = "system:nodes"
)

// String names the subject: "User ada", "ServiceAccount shop/web".
func (s Subject) String() string {
	if s.Namespace == "" {
		return s.Kind + " " + s.Name
	}
	return s.Kind + " " + s.Namespace + "/" + s.Name
}

// Account is the service account that a subject is: also a user may be named as one.
func (s Subject) Account() (namespace, name string, ok bool) {
	if s.Kind == ServiceAccount {
		return s.Namespace, s.Name, true
	}
	rest, is := strings.CutPrefix(s.Name, accountUser)
	namespace, name, whole := strings.Cut(rest, ":")
	return namespace, name, s.Kind == User && is && whole
}

// Identity is the user and the groups of a review about the subject. A group has no user. What an API server adds for a user that signs in is in the
// groups, because a review has only what it is given.
func (s Subject) Identity() (user string, groups []string) {
	if namespace, name, ok := s.Account(); ok {
		return accountUser + namespace + ":" + name, []string{accountGroup, accountGroupsOf + namespace, authenticated}
	}
	if s.Kind == Group {
		return "", []string{s.Name}
	}
	return s.Name, []string{authenticated}
}

// is tells whether a user with groups is the subject, as the authorizer decides.
func (s Subject) is(user string, groups map[string]bool) bool {
	switch s.Kind {
	case User:
		return s.Name == user
	case Group:
		return groups[s.Name]
	case ServiceAccount:
		return accountUser+s.Namespace+":"+s.Name == user
	}
	return false
}

// Means says who a subject is, if its name is one of Kubernetes' own; empty: the cluster's own people know.
func (s Subject) Means() string {
	if namespace, name, ok := s.Account(); ok {
		if s.Kind == User {
			return "the user name of the service account " + name + " of the namespace " + namespace
		}
		return ""
	}
	if s.Kind == User {
		return usersMean.Get()[s.Name]
	}
	if namespace, ok := strings.CutPrefix(s.Name, accountGroupsOf); ok {
		return "every service account of the namespace " + namespace
	}
	return groupsMean.Get()[s.Name]
}

var groupsMean = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		masters:                  "the group for which the API server allows every request, with or without a binding",
		authenticated:            "everybody who signs in, and every service account",
		"system:unauthenticated": "every request without credentials",
		accountGroup:             "every service account of every namespace",
		nodes:                    "the kubelet of every node",
		"system:bootstrappers":   "machines that join the cluster with a bootstrap token",
		"system:monitoring":      "clients that read metrics and health of the control plane",
	}
}}

var usersMean = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"system:anonymous":               "every request without credentials",
		"system:kube-controller-manager": "the controllers of the control plane, if they share one identity",
		"system:kube-scheduler":          "the scheduler",
		"system:kube-proxy":              "kube-proxy on every node",
		"system:apiserver":               "the API server itself",
	}
}}

// Compare sorts people before groups, and these before service accounts, each by name.
func (s Subject) Compare(other Subject) int {
	return cmp.Or(cmp.Compare(orderOf.Get()[s.Kind], orderOf.Get()[other.Kind]), cmp.Compare(s.Namespace, other.Namespace), cmp.Compare(s.Name, other.Name))
}

var orderOf = lazy.Value[map[string]int]{Make: func() map[string]int {
	return map[string]int{User: 0, Group: 1, ServiceAccount: 2}
}}
