package whocan

import (
	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/rbac"
)

// APIVersion is the version of the documents that scripts read. Fields may be added to its kinds, but never removed or renamed.
const APIVersion = "fieldmark.dev/v1"

// Document is what -o json prints for one cluster.
type Document struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"` // WhoCan
	Context    string          `json:"context"`
	Question   rbac.Question   `json:"question"`
	Subjects   []DocumentHold  `json:"subjects"`
	Field      string          `json:"field,omitempty"`
	Owners     []DocumentOwner `json:"owners,omitempty"`
	Missing    []rbac.Loose    `json:"missingRoles,omitempty"`
	Unknown    []rbac.Loose    `json:"unreadRoles,omitempty"`
	Unfilled   []rbac.Loose    `json:"unfilledRoles,omitempty"`
	Unread     []rbac.Unread   `json:"unread,omitempty"`
	Unasked    string          `json:"unasked,omitempty"`
	Unseen     []rbac.Unseen   `json:"unseen"`
}

// List is what -o json prints for several contexts.
type List struct {
	APIVersion string     `json:"apiVersion"`
	Kind       string     `json:"kind"` // WhoCanList
	Items      []Document `json:"items"`
}

// DocumentHold is a subject with its grants.
type DocumentHold struct {
	rbac.Subject
	Means     string          `json:"means,omitempty"`
	Verbs     []string        `json:"verbs"`
	Grants    []DocumentGrant `json:"grants"`
	Otherwise []string        `json:"serverDenies,omitempty"` // verbs that the API server doesn't allow
	Workloads []string        `json:"workloads,omitempty"`
}

// DocumentGrant is a binding that grants the verbs.
type DocumentGrant struct {
	Binding rbac.Ref       `json:"binding"`
	Role    rbac.Ref       `json:"role"`
	Rules   []DocumentRule `json:"rules"`
}

// DocumentRule is a rule of the role.
type DocumentRule struct {
	Verbs         []string `json:"verbs"`
	APIGroups     []string `json:"apiGroups"`
	Resources     []string `json:"resources"`
	ResourceNames []string `json:"resourceNames,omitempty"`
	Allows        []string `json:"allows"` // of the question's verbs
}

// DocumentOwner is an owner of the field, with the subjects that it could be.
type DocumentOwner struct {
	manager.Owner
	Could []rbac.Likely `json:"couldBe"`
}

func documentOf(r result) Document {
	d := Document{
		APIVersion: APIVersion, Kind: "WhoCan", Context: r.context, Question: r.Question, Subjects: []DocumentHold{}, Field: r.field, Missing: r.Missing,
		Unknown: r.Unknown, Unfilled: r.Unfilled, Unread: r.Unread, Unasked: r.unasked, Unseen: r.Unseen,
	}
	for _, h := range r.Holders() {
		of := DocumentHold{Subject: h.Subject, Means: h.Subject.Means(), Verbs: r.Question.Allowed(h.Grants...), Otherwise: r.decisions[h.Subject].otherwise, Workloads: r.workloads[h.Subject]}
		for _, g := range h.Grants {
			grant := DocumentGrant{Binding: g.Binding, Role: g.Role}
			for _, rule := range g.Rules {
				grant.Rules = append(grant.Rules, DocumentRule{rule.Verbs, rule.Groups, rule.Resources, rule.Names, rule.Allows})
			}
			of.Grants = append(of.Grants, grant)
		}
		d.Subjects = append(d.Subjects, of)
	}
	for _, o := range r.owners {
		could := o.could
		if could == nil {
			could = []rbac.Likely{}
		}
		d.Owners = append(d.Owners, DocumentOwner{o.Owner, could})
	}
	return d
}

func (p printer) json(all []result) error {
	items := make([]Document, 0, len(all))
	for _, r := range all {
		items = append(items, documentOf(r))
	}
	if !p.several {
		return output.JSON(p.out, items[0])
	}
	return output.JSON(p.out, List{APIVersion: APIVersion, Kind: "WhoCanList", Items: items})
}
