// Package access asks an API server whether the user may make a request, and finds the rule that allows it. It uses
// SelfSubjectAccessReview, SelfSubjectRulesReview and, for other users, SubjectAccessReview.
package access

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/apipath"
)

// Attributes are the properties of a request that an API server checks permissions for.
type Attributes struct {
	Verb        string `json:"verb"`
	Group       string `json:"group,omitempty"`
	Version     string `json:"version,omitempty"`
	Resource    string `json:"resource,omitempty"`
	Subresource string `json:"subresource,omitempty"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name,omitempty"`
	Path        string `json:"path,omitempty"` // of a request that addresses no resource
	// FieldSelector and LabelSelector narrow a list or a watch. API servers before 1.31 ignore them, and so require the permission for
	// everything.
	FieldSelector *Selector `json:"fieldSelector,omitempty"`
	LabelSelector *Selector `json:"labelSelector,omitempty"`
}

// Selector is a selector as it is written in a query.
type Selector struct {
	Raw string `json:"rawSelector"`
}

// Of returns the attributes of a request.
func Of(method string, p apipath.Path, query url.Values) Attributes {
	a := Attributes{Verb: apipath.Verb(method, p, query)}
	if !p.IsResource() {
		a.Path = p.String()
		return a
	}
	a.Group, a.Version, a.Resource, a.Subresource, a.Namespace, a.Name = p.Group, p.Version, p.Resource, p.Subresource, p.Namespace, p.Name
	if p.Resource == "namespaces" && p.Group == "" {
		a.Namespace = p.Name // API servers authorize a namespace object as if it were in itself
	}
	return a
}

// String says in words what the request does: "list deployments.apps in the namespace shop".
func (a Attributes) String() string {
	if a.Path != "" {
		return a.Verb + " " + a.Path
	}
	what := a.Resource
	if a.Subresource != "" {
		what += "/" + a.Subresource
	}
	if a.Group != "" {
		what += "." + a.Group
	}
	if a.Name != "" {
		what += " " + a.Name
	}
	if a.Namespace != "" && (a.Resource != "namespaces" || a.Group != "") {
		what += " in the namespace " + a.Namespace
	}
	return a.Verb + " " + what
}

// The paths of the reviews. A review stores nothing, and a dry run of it gets the same response.
const (
	ReviewPath      = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All"
	RulesReviewPath = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews?dryRun=All"
)

// Review is the body of a SelfSubjectAccessReview.
func (a Attributes) Review() []byte {
	spec := map[string]any{}
	if a.Path != "" {
		spec["nonResourceAttributes"] = map[string]string{"verb": a.Verb, "path": a.Path}
	} else {
		spec["resourceAttributes"] = a
	}
	body, _ := json.Marshal(map[string]any{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview", "spec": spec}) // strings always encode
	return body
}

// Answer is the API server's response to a SelfSubjectAccessReview.
type Answer struct {
	Allowed bool   `json:"allowed"`
	Denied  bool   `json:"denied"` // an authorizer denied it, so no other authorizer was asked
	Reason  string `json:"reason"`
	Error   string `json:"evaluationError"`
}

// ParseReview reads the response; ok is false if the body is none.
func ParseReview(body []byte) (Answer, bool) { return parseReview(body, "SelfSubjectAccessReview") }

func parseReview(body []byte, kind string) (Answer, bool) {
	var review struct {
		Kind   string
		Status *Answer
	}
	if json.Unmarshal(body, &review) != nil || review.Kind != kind || review.Status == nil {
		return Answer{}, false
	}
	return *review.Status, true
}

// RulesReview is the body of a SelfSubjectRulesReview. The server requires a namespace.
func RulesReview(namespace string) []byte {
	if namespace == "" {
		namespace = "default"
	}
	body, _ := json.Marshal(map[string]any{
		"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectRulesReview", "spec": map[string]string{"namespace": namespace},
	})
	return body
}

// Rule allows verbs on resources, or on paths outside of resources.
type Rule struct {
	Verbs     []string `json:"verbs"`
	Groups    []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Names     []string `json:"resourceNames"`
	Paths     []string `json:"nonResourceURLs"`
}

// Rules is the response to a SelfSubjectRulesReview.
type Rules struct {
	Resource    []Rule `json:"resourceRules"`
	NonResource []Rule `json:"nonResourceRules"`
	Incomplete  bool   `json:"incomplete"` // some authorizers can't list their rules
	Error       string `json:"evaluationError"`
}

// ParseRules reads the response; ok is false if the body is none.
func ParseRules(body []byte) (Rules, bool) {
	var review struct {
		Kind   string
		Status *Rules
	}
	if json.Unmarshal(body, &review) != nil || review.Kind != "SelfSubjectRulesReview" || review.Status == nil {
		return Rules{}, false
	}
	return *review.Status, true
}

// Find returns the rule that allows a request. If several do, it returns the most specific one.
func (r Rules) Find(a Attributes) (Rule, bool) {
	var found Rule
	best := -1
	for _, rule := range slices.Concat(r.Resource, r.NonResource) {
		if rule.Allows(a) {
			if n := rule.particular(); n > best {
				found, best = rule, n
			}
		}
	}
	return found, best >= 0
}

// Allows tells whether a rule allows a request, as the authorizer of RBAC evaluates rules.
func (r Rule) Allows(a Attributes) bool {
	if !has(r.Verbs, a.Verb) {
		return false
	}
	if a.Path != "" {
		return slices.ContainsFunc(r.Paths, func(path string) bool {
			prefix, open := strings.CutSuffix(path, "*")
			return path == a.Path || open && strings.HasPrefix(a.Path, prefix)
		})
	}
	return len(r.Paths) == 0 && has(r.Groups, a.Group) && r.covers(a) && (len(r.Names) == 0 || slices.Contains(r.Names, a.Name))
}

func (r Rule) covers(a Attributes) bool {
	if a.Subresource == "" {
		return has(r.Resources, a.Resource)
	}
	return has(r.Resources, a.Resource+"/"+a.Subresource) || slices.Contains(r.Resources, "*/"+a.Subresource)
}

func has(all []string, word string) bool {
	return slices.Contains(all, "*") || slices.Contains(all, word)
}

// particular counts the parts of a rule that have no star.
func (r Rule) particular() int {
	n := 0
	for _, part := range [][]string{r.Verbs, r.Groups, r.Resources, r.Paths} {
		if len(part) > 0 && !slices.Contains(part, "*") {
			n++
		}
	}
	if len(r.Names) > 0 {
		n++
	}
	return n
}

// String is the rule in one line, in the words of a Role.
func (r Rule) String() string {
	parts := []string{"verbs " + listText(r.Verbs)}
	if len(r.Paths) > 0 {
		return "nonResourceURLs " + listText(r.Paths) + "; " + parts[0]
	}
	parts = []string{"apiGroups " + listText(r.Groups), "resources " + listText(r.Resources), parts[0]}
	if len(r.Names) > 0 {
		parts = append(parts, "resourceNames "+listText(r.Names))
	}
	return strings.Join(parts, "; ")
}

// mostWords is how many items of a list are written.
const mostWords = 12

func listText(words []string) string {
	more := ""
	if len(words) > mostWords {
		words, more = words[:mostWords], ", …"
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		if w == "" {
			w = `""`
		}
		quoted[i] = w
	}
	return "[" + strings.Join(quoted, ", ") + more + "]"
}
