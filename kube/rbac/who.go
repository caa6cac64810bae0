package rbac

import (
	"cmp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/access"
)

// Question is what somebody may do.
type Question struct {
	Verbs       []string `json:"verbs"`
	Group       string   `json:"group,omitempty"`
	Resource    string   `json:"resource"`
	Subresource string   `json:"subresource,omitempty"`
	Namespaced  bool     `json:"namespaced"`
	Namespace   string   `json:"namespace,omitempty"` // empty: any
	Name        string   `json:"name,omitempty"`      // empty: any
	// Apply tells that the verb create is for an apply of an object that doesn't exist. The API server then knows the name, and a rule with resourceNames
	// can allow it.
	Apply bool `json:"apply,omitempty"`
}

// ByName tells whether the API server knows the name of the object when it authorizes a verb. It doesn't for a plain create and for deletecollection.
func (q Question) ByName(verb string) bool {
	if q.Subresource != "" {
		return true
	}
	return verb != "deletecollection" && (verb != "create" || q.Apply)
}

// Attributes are those of a request that the question is about. Without a namespace or a name, they are empty.
func (q Question) Attributes(verb string) access.Attributes {
	a := access.Attributes{Verb: verb, Group: q.Group, Resource: q.Resource, Subresource: q.Subresource, Namespace: q.Namespace, Name: q.Name}
	if !q.ByName(verb) {
		a.Name = ""
	}
	if q.namespaces() {
		a.Namespace = q.Name // API servers authorize a namespace as if it were in itself
	}
	return a
}

// namespaces tells whether the question is about objects that are namespaces.
func (q Question) namespaces() bool { return q.Group == "" && q.Resource == "namespaces" }

// String is the question in words: "update or patch deployments.apps web in the namespace shop".
func (q Question) String() string {
	a := access.Attributes{Verb: strings.Join(q.Verbs, " or "), Group: q.Group, Resource: q.Resource, Subresource: q.Subresource, Namespace: q.Namespace, Name: q.Name}
	return a.String()
}

// Allowing is a rule that allows some of the verbs.
type Allowing struct {
	access.Rule
	Allows []string `json:"allows"`         // of the question's verbs
	Only   []string `json:"only,omitempty"` // the names that the rule is for, if the question has none
}

// Grant says that a binding lets a subject do what the question is about.
type Grant struct {
	Subject Subject    `json:"subject"`
	Binding Ref        `json:"binding"`
	Role    Ref        `json:"role"`
	Rules   []Allowing `json:"rules"`
}

// Everywhere tells whether the grant is for the whole cluster.
func (g Grant) Everywhere() bool { return g.Binding.Kind == KindClusterRoleBinding }

// Loose is a binding whose role isn't known.
type Loose struct {
	Binding  Ref       `json:"binding"`
	Role     Ref       `json:"role"`
	Subjects []Subject `json:"subjects"`
}

// Answer is who may do what a question is about, by the roles and bindings that were read.
type Answer struct {
	Question Question `json:"question"`
	Grants   []Grant  `json:"grants"`
	// Missing are bindings to roles that don't exist. They grant nothing until somebody creates the role.
	Missing []Loose `json:"missing,omitempty"`
	// Unknown are bindings to roles that couldn't be read.
	Unknown []Loose `json:"unknown,omitempty"`
	// Unfilled are bindings to roles that are aggregated from others, and have no rules yet.
	Unfilled []Loose  `json:"unfilled,omitempty"`
	Unread   []Unread `json:"unread,omitempty"`
	Unseen   []Unseen `json:"unseen"`
}

// Who answers a question.
func (p *Policy) Who(q Question) Answer {
	a := Answer{Question: q, Unread: p.unread}
	p.visit(q, &a, func(b binding, rules []Allowing) {
		for _, s := range b.subjects {
			a.Grants = append(a.Grants, Grant{s, b.ref, b.role, rules})
		}
	})
	slices.SortFunc(a.Grants, Grant.compare)
	a.Unseen = p.unseen(a)
	return a
}

// ruling remembers what a role allows, because many bindings share one. For the objects that are namespaces, that depends on the binding.
type ruling struct {
	role Ref
	in   string
}

// visit calls grant with each binding that allows some of the verbs. Bindings whose role isn't known go to the answer, if there is one.
func (p *Policy) visit(q Question, loose *Answer, grant func(binding, []Allowing)) {
	known := map[ruling][]Allowing{}
	for _, b := range p.bindings {
		asked, applies := q.under(b.ref)
		if !applies {
			continue
		}
		r, there := p.roles[b.role]
		if loose != nil && (!there || r.aggregated && len(r.rules) == 0) {
			p.note(loose, b, there)
			continue
		}
		key := ruling{b.role, asked.Name}
		rules, done := known[key]
		if !done {
			rules = asked.allowing(r.rules)
			known[key] = rules
		}
		if len(rules) > 0 {
			grant(b, rules)
		}
	}
}

// note keeps a binding whose role has no rules that are known.
func (p *Policy) note(a *Answer, b binding, there bool) {
	l := Loose{b.ref, b.role, b.subjects}
	switch {
	case there:
		a.Unfilled = append(a.Unfilled, l)
	case p.read(b.role.Kind):
		a.Missing = append(a.Missing, l)
	default:
		a.Unknown = append(a.Unknown, l)
	}
}

// under is the question about the part of the cluster that a binding is for; applies is false if the binding is for another one.
func (q Question) under(binding Ref) (asked Question, applies bool) {
	switch {
	case binding.Kind == KindClusterRoleBinding:
		return q, true
	case q.namespaces() && (q.Name == "" || q.Name == binding.Namespace):
		q.Name = binding.Namespace
		return q, true
	}
	return q, q.Namespaced && (q.Namespace == "" || q.Namespace == binding.Namespace)
}

// allowing are the rules that allow some of the verbs.
func (q Question) allowing(rules []access.Rule) []Allowing {
	var all []Allowing
	for _, r := range rules {
		one := Allowing{Rule: r}
		for _, verb := range q.Verbs {
			a := q.Attributes(verb)
			if a.Name == "" && q.Name == "" && q.ByName(verb) && len(r.Names) > 0 {
				a.Name, one.Only = r.Names[0], r.Names
			}
			if r.Allows(a) {
				one.Allows = append(one.Allows, verb)
			}
		}
		if len(one.Allows) > 0 {
			all = append(all, one)
		}
	}
	return all
}

// compare sorts grants by subject. Those for the whole cluster come first.
func (g Grant) compare(other Grant) int {
	return cmp.Or(
		g.Subject.Compare(other.Subject), cmp.Compare(g.Binding.Kind, other.Binding.Kind),
		cmp.Compare(g.Binding.Namespace, other.Binding.Namespace), cmp.Compare(g.Binding.Name, other.Binding.Name),
	)
}

// Holder is a subject with all of its grants.
type Holder struct {
	Subject Subject `json:"subject"`
	Grants  []Grant `json:"grants"`
}

// Holders are the subjects of the grants, each once.
func (a Answer) Holders() []Holder {
	var all []Holder
	for _, g := range a.Grants {
		if n := len(all); n > 0 && all[n-1].Subject == g.Subject {
			all[n-1].Grants = append(all[n-1].Grants, g)
			continue
		}
		all = append(all, Holder{g.Subject, []Grant{g}})
	}
	return all
}

// Allowed are the verbs of the question that the grants allow together, in the question's order.
func (q Question) Allowed(grants ...Grant) []string {
	var all []string
	for _, verb := range q.Verbs {
		if slices.ContainsFunc(grants, func(g Grant) bool {
			return slices.ContainsFunc(g.Rules, func(r Allowing) bool { return slices.Contains(r.Allows, verb) })
		}) {
			all = append(all, verb)
		}
	}
	return all
}

// Allows tells whether the grants allow a verb to a user with groups, for all that the question is about. Grants for some names or some namespaces
// don't, unless the question has the name or the namespace.
func (a Answer) Allows(verb, user string, groups []string) bool {
	in := make(map[string]bool, len(groups))
	for _, g := range groups {
		in[g] = true
	}
	whole := a.Question.Namespace != "" || a.Question.Name != "" && a.Question.namespaces()
	return slices.ContainsFunc(a.Grants, func(g Grant) bool {
		return (whole || g.Everywhere()) && g.Subject.is(user, in) && slices.ContainsFunc(g.Rules, func(r Allowing) bool {
			return len(r.Only) == 0 && slices.Contains(r.Allows, verb)
		})
	})
}

// Review is a SubjectAccessReview about a subject and one verb.
type Review struct {
	access.Attributes
	Subject Subject
}

// Body is the body of the request.
func (r Review) Body() []byte { return r.SubjectReview(r.Subject.Identity()) }

// Reviews are the reviews that show whether the API server decides as the grants of a holder say. A grant for some names is reviewed with one of them,
// and a grant in a namespace with this namespace.
func (a Answer) Reviews(h Holder) []Review {
	var all []Review
	for _, verb := range a.Question.Allowed(h.Grants...) {
		for _, g := range h.Grants {
			i := slices.IndexFunc(g.Rules, func(r Allowing) bool { return slices.Contains(r.Allows, verb) })
			if i < 0 {
				continue
			}
			of := a.Question.Attributes(verb)
			if only := g.Rules[i].Only; len(only) > 0 {
				of.Name = only[0]
			}
			if of.Namespace == "" && a.Question.Namespaced || a.Question.namespaces() {
				of.Namespace = cmp.Or(g.Binding.Namespace, of.Namespace)
			}
			all = append(all, Review{of, h.Subject})
			break
		}
	}
	return all
}
