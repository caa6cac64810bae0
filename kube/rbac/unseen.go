package rbac

import (
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/access"
)

// Unseen is a way to the right in question that the grants don't show.
type Unseen struct {
	ID       string    `json:"id"`
	Title    string    `json:"title"`
	Words    string    `json:"words"`
	Subjects []Subject `json:"subjects,omitempty"` // who has this way by the roles and bindings that were read
}

// The ids of what isn't seen.
const (
	UnseenAuthorizers = "authorizers"
	UnseenMasters     = "masters"
	UnseenImpersonate = "impersonate"
	UnseenEscalate    = "escalate"
	UnseenPods        = "pods"
	UnseenTokens      = "tokens"
	UnseenControllers = "controllers"
	UnseenAdmission   = "admission"
	UnseenAggregated  = "aggregated"
	UnseenElsewhere   = "elsewhere"
)

// others are the texts that hold for every question.
var others = []Unseen{
	{ID: UnseenAuthorizers, Title: "Other authorizers", Words: "An API server can also ask a webhook, a policy file (ABAC) or the Node authorizer. Each of them can allow more than RBAC. Only a SubjectAccessReview shows their decision."},
	{ID: UnseenMasters, Title: "The group " + masters, Words: "The API server allows every request of this group without a binding. A client certificate with this organization, or a token with this group, is enough."},
	{ID: UnseenControllers, Title: "Controllers", Words: "A controller changes fields for others. If somebody can change an object that a controller reads, the controller makes the change. Example: a HorizontalPodAutoscaler changes the replicas of a Deployment."},
	{ID: UnseenAdmission, Title: "Admission", Words: "A policy or a webhook can still refuse a request that RBAC allows. Admission can also change fields for whom it admits."},
}

// way is a right that leads to other rights.
type way struct {
	id, title, words string
	none             string // the words if no subject was found
	questions        []Question
}

// ways are the rights that lead to those of other subjects. Roles that an API server aggregates are in its rules.
var ways = []way{
	{UnseenImpersonate, "Impersonation", "These subjects may act as users, groups or service accounts. Their rules can be for some names only.", "Subjects with the verb impersonate can act as others. No rule that was read allows it.", []Question{
		{Verbs: impersonating, Resource: "users"},
		{Verbs: impersonating, Resource: "groups"},
		{Verbs: impersonating, Resource: "serviceaccounts", Namespaced: true},
		{Verbs: impersonating, Group: "authentication.k8s.io", Resource: "users"},
		{Verbs: impersonating, Group: "authentication.k8s.io", Resource: "serviceaccounts", Namespaced: true},
	}},
	{UnseenEscalate, "Escalate and bind", "These subjects may give more rights than they have, to others or to themselves.", "Subjects with the verbs escalate or bind can give more rights than they have. No rule that was read allows it.", []Question{
		{Verbs: []string{"escalate", "bind"}, Group: group, Resource: "clusterroles"},
		{Verbs: []string{"escalate", "bind"}, Group: group, Resource: "roles", Namespaced: true},
	}},
	{UnseenPods, "Pods that run as a service account", "These subjects may create Pods, or objects whose controllers create Pods. A Pod can run as any service account of its namespace.", "Subjects that can create Pods can act as any service account of the namespace. No rule that was read allows it.", podQuestions()},
	{UnseenTokens, "Tokens of service accounts", "These subjects may request a token of a service account, and then act as it.", "Subjects that can request tokens of a service account can act as it. No rule that was read allows it.", []Question{
		{Verbs: []string{"create"}, Resource: "serviceaccounts", Subresource: "token", Namespaced: true},
	}},
}

var impersonating = []string{access.Impersonate, access.Impersonate + ":user-info", access.Impersonate + ":serviceaccount"}

func podQuestions() []Question {
	all := []Question{{Verbs: writing, Resource: "pods", Namespaced: true}, {Verbs: writing, Resource: "replicationcontrollers", Namespaced: true}}
	for _, of := range []string{"deployments", "replicasets", "statefulsets", "daemonsets"} {
		all = append(all, Question{Verbs: writing, Group: "apps", Resource: of, Namespaced: true})
	}
	for _, of := range []string{"jobs", "cronjobs"} {
		all = append(all, Question{Verbs: writing, Group: "batch", Resource: of, Namespaced: true})
	}
	return all
}

var writing = []string{"create"}

// unseen is what the grants can't show.
func (p *Policy) unseen(a Answer) []Unseen {
	var all []Unseen
	for _, w := range ways {
		in := []string{a.Question.Namespace}
		if w.id == UnseenPods || w.id == UnseenTokens {
			if in = a.accountNamespaces(); len(in) == 0 {
				continue // no service account has a grant
			}
		}
		one := Unseen{w.id, w.title, w.words, p.holders(w.questions, in)}
		if len(one.Subjects) == 0 {
			one.Words = w.none
		}
		all = append(all, one)
	}
	if !slices.Contains(a.Question.Lists(), List{Kind: KindRoleBinding}) {
		all = append(all, Unseen{ID: UnseenElsewhere, Title: "Role bindings of other namespaces", Words: "They weren’t read. They can’t grant the right itself, but they can let people act as the subjects above, for example by Pods or tokens of their service accounts."})
	}
	all = append(all, others...)
	if len(a.Unfilled) > 0 {
		all = append(all, Unseen{ID: UnseenAggregated, Title: "Aggregated roles without rules", Words: "A controller fills the rules of these roles in. It hasn’t done so yet, so their bindings grant nothing now."})
	}
	return all
}

// accountNamespaces are the namespaces of the service accounts that have a grant. A group of all service accounts counts as every namespace: "".
func (a Answer) accountNamespaces() []string {
	var all []string
	for _, g := range a.Grants {
		namespace, _, is := g.Subject.Account()
		of, some := strings.CutPrefix(g.Subject.Name, accountGroupsOf)
		switch {
		case is:
		case g.Subject.Kind == Group && some:
			namespace = of
		case g.Subject.Kind == Group && (g.Subject.Name == accountGroup || g.Subject.Name == authenticated):
		default:
			continue
		}
		if !slices.Contains(all, namespace) {
			all = append(all, namespace)
		}
	}
	if slices.Contains(all, "") {
		return []string{""}
	}
	return all
}

// holders are the subjects with a grant for one of the questions in one of the namespaces, each once. The namespace "" stands for all of them.
func (p *Policy) holders(questions []Question, in []string) []Subject {
	seen := map[Subject]bool{}
	for _, q := range questions {
		p.visit(q, nil, func(b binding, _ []Allowing) {
			if b.ref.Kind != KindClusterRoleBinding && in[0] != "" && !slices.Contains(in, b.ref.Namespace) {
				return
			}
			for _, s := range b.subjects {
				seen[s] = true
			}
		})
	}
	return slices.SortedFunc(maps.Keys(seen), Subject.Compare)
}
