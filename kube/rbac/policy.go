// Package rbac finds out who may do something in a cluster, from its roles and bindings.
//
//	ClusterRoleBindings ─┐             ┌─ ClusterRoles ─┐
//	                     ├─ a binding ─┤                ├─ rules ──▶ does one of them allow the request?
//	RoleBindings ────────┘             └─ Roles ────────┘
//	     └─ subjects: User, Group, ServiceAccount ──▶ a grant: who, by which binding, which role and which rules
//
// The rules are evaluated as the authorizer of RBAC evaluates them. RBAC is never the whole truth: an API server asks other authorizers too, and some
// rights lead to others. Answer.Unseen names what roles and bindings can't show, so an answer without grants isn't an answer that there is nobody.
package rbac

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"

	"github.com/fieldmark/fieldmark/kube/access"
	"github.com/fieldmark/fieldmark/kube/apipath"
	"github.com/fieldmark/fieldmark/kube/lazy"
)

// The kinds of RBAC.
const (
	KindRole               = "Role"
	KindClusterRole        = "ClusterRole"
	KindRoleBinding        = "RoleBinding"
	KindClusterRoleBinding = "ClusterRoleBinding"
)

// group is the API group of RBAC, and version the version of it that API servers have since Kubernetes 1.8.
const (
	group   = "rbac.authorization.k8s.io"
	version = "v1"
)

// Ref names a role or a binding.
type Ref struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"` // empty: it is for the whole cluster
	Name      string `json:"name"`
}

// plurals are the resources of the kinds.
var plurals = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{KindRole: "roles", KindClusterRole: "clusterroles", KindRoleBinding: "rolebindings", KindClusterRoleBinding: "clusterrolebindings"}
}}

// Path is the API path of the object.
func (r Ref) Path() string {
	return apipath.Object(group, version, r.Namespace, plurals.Get()[r.Kind], r.Name).String()
}

// String names the object as kubectl does: "RoleBinding shop/deployers".
func (r Ref) String() string {
	if r.Namespace == "" {
		return r.Kind + " " + r.Name
	}
	return r.Kind + " " + r.Namespace + "/" + r.Name
}

// role is a role as far as it matters here.
type role struct {
	rules      []access.Rule
	aggregated bool // the control plane fills the rules in from other roles
}

// binding binds a role to subjects.
type binding struct {
	ref      Ref
	role     Ref
	subjects []Subject
}

// Policy are the roles and bindings of a cluster, as far as they were read. The zero value has none.
type Policy struct {
	roles    map[Ref]role
	bindings []binding
	unread   []Unread
}

// Unread is a list that couldn't be read, or only in part.
type Unread struct {
	List
	Why string `json:"why"`
}

// List is a request for roles or bindings.
type List struct {
	Kind      string `json:"kind"`                // of its items
	Namespace string `json:"namespace,omitempty"` // empty: all, or the type has none
}

// Lists are the requests that the answer to a question needs. RoleBindings matter only for what is in a namespace, and for namespaces themselves.
func (q Question) Lists() []List {
	all := []List{{Kind: KindClusterRoleBinding}, {Kind: KindClusterRole}}
	switch {
	case q.namespaces():
		return append(all, List{KindRoleBinding, q.Name}, List{KindRole, q.Name})
	case q.Namespaced:
		return append(all, List{KindRoleBinding, q.Namespace}, List{KindRole, q.Namespace})
	}
	return all
}

// Path is the API path of the list.
func (l List) Path() string {
	return apipath.Collection(group, version, l.Namespace, plurals.Get()[l.Kind]).String()
}

// Permission is what one needs for the list, in words: "list rolebindings.rbac.authorization.k8s.io in the namespace shop".
func (l List) Permission() string {
	return access.Attributes{Verb: "list", Group: group, Resource: plurals.Get()[l.Kind], Namespace: l.Namespace}.String()
}

// item is a role or a binding as JSON.
type item struct {
	Metadata struct{ Name, Namespace string }
	Rules    []access.Rule
	Subjects []Subject
	RoleRef  struct{ Kind, Name string }
	// AggregationRule is set in a ClusterRole that gets its rules from others.
	AggregationRule *struct{} `json:"aggregationRule"`
}

// Take adds the items of a response to a list. It returns the continue token of the next chunk.
func (p *Policy) Take(l List, body []byte) (next string, err error) {
	var list struct {
		Metadata struct{ Continue string }
		Items    []item
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return "", fmt.Errorf("reading the %s: %w", plurals.Get()[l.Kind], err)
	}
	if p.roles == nil {
		p.roles = map[Ref]role{}
	}
	for _, i := range list.Items {
		of := Ref{l.Kind, i.Metadata.Namespace, i.Metadata.Name}
		switch l.Kind {
		case KindRole, KindClusterRole:
			p.roles[of] = role{i.Rules, i.AggregationRule != nil}
		default:
			p.bindings = append(p.bindings, i.binding(of))
		}
	}
	return list.Metadata.Continue, nil
}

// binding is the item as a binding. A RoleBinding to a Role means one of its own namespace.
func (i item) binding(of Ref) binding {
	b := binding{ref: of, role: Ref{Kind: i.RoleRef.Kind, Name: i.RoleRef.Name}}
	if b.role.Kind == KindRole {
		b.role.Namespace = of.Namespace
	}
	for _, s := range i.Subjects {
		switch {
		case s.Kind != ServiceAccount:
			s.Namespace = ""
		case s.Namespace == "":
			s.Namespace = of.Namespace
		}
		if s.Kind == ServiceAccount && s.Namespace == "" {
			continue // of no namespace: the authorizer passes over it
		}
		b.subjects = append(b.subjects, s)
	}
	return b
}

// Miss says that a list couldn't be read, or not to its end.
func (p *Policy) Miss(l List, why string) { p.unread = append(p.unread, Unread{l, why}) }

// read tells whether all objects of a kind that bindings of a namespace could name were read.
func (p *Policy) read(kind string) bool {
	for _, u := range p.unread {
		if u.Kind == kind {
			return false
		}
	}
	return true
}

// Size is how many roles and bindings there are.
func (p *Policy) Size() (roles, bindings int) { return len(p.roles), len(p.bindings) }

// Bounds of what is read of one kind: items in a chunk, and chunks.
const (
	chunkItems = 500
	mostChunks = 40
)

// Read reads a list, chunk by chunk. get makes a request, and says why if there is no body. What couldn't be read is in the policy, too.
func Read(l List, get func(target string) (body []byte, why string)) *Policy {
	p := &Policy{}
	query := url.Values{"limit": {strconv.Itoa(chunkItems)}}
	for range mostChunks {
		body, why := get(l.Path() + "?" + query.Encode())
		if why != "" {
			p.Miss(l, why)
			return p
		}
		next, err := p.Take(l, body)
		if err != nil {
			p.Miss(l, err.Error())
			return p
		}
		if next == "" {
			return p
		}
		query.Set("continue", next)
	}
	p.Miss(l, "Fieldmark reads at most "+strconv.Itoa(chunkItems*mostChunks)+" of them")
	return p
}

// Join is one policy with all that several have.
func Join(parts ...*Policy) *Policy {
	all := &Policy{roles: map[Ref]role{}}
	for _, p := range parts {
		maps.Copy(all.roles, p.roles)
		all.bindings = append(all.bindings, p.bindings...)
		all.unread = append(all.unread, p.unread...)
	}
	return all
}
