// Package policy writes ValidatingAdmissionPolicies about field managers. They look at managedFields before and after a write, because admission isn't
// told whether an apply is forced: the API server passes its options on as UpdateOptions, which have no force.
//
//	Options ──▶ matchConditions: whose writes ──▶ variables: who lost fields ──▶ validation, with a message ──▶ policy and binding
package policy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Kind is what a policy catches.
type Kind string

// The kinds.
const (
	// Forced catches applies that take fields from other managers. Only force does that.
	Forced Kind = "forced-applies"
	// GitOps catches writes of people's tools to objects that a GitOps tool applies.
	GitOps Kind = "gitops-objects"
)

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Forced, GitOps} }

// Reminder is the first line of each policy.
const Reminder = "A field manager is a name that anybody may choose. This policy is a reminder, and no boundary."

// NamePrefix is how the names of the policies begin.
const NamePrefix = "fieldmark-"

// Options are the choices for a policy.
type Options struct {
	Kind Kind
	// Managers are names of managers whose writes are caught. A name can end with *. Empty: the usual ones of the kind.
	Managers []string
	// Owners are names of the managers that own the objects, for GitOps. Empty: the usual ones.
	Owners []string
	// Types are resources, such as deployments.apps; empty: all.
	Types []string
	Deny  bool // refuse the write; otherwise warn
}

// usual are the managers of each kind, and owners those of GitOps.
var (
	usual = map[Kind][]string{
		Forced: {"agent/*"},
		GitOps: {"agent/*", "kubectl", "kubectl-*", "k9s*", "Lens", "lens*", "headlamp*", "dashboard*", "Mozilla*", "fieldmark*"},
	}
	owners = []string{"argocd-controller", "argocd*", "kustomize-controller", "helm-controller", "fleetagent", "flux*", "gotk*"}
)

// Objects are the policy and its binding.
func Objects(o Options) ([]map[string]any, error) {
	if !slices.Contains(Kinds(), o.Kind) {
		return nil, fmt.Errorf("there is no policy %q", o.Kind)
	}
	if len(o.Managers) == 0 {
		o.Managers = usual[o.Kind]
	}
	if len(o.Owners) == 0 {
		o.Owners = owners
	}
	by, err := names("variables.by", o.Managers)
	if err != nil {
		return nil, err
	}
	owner, err := names("o.manager", o.Owners)
	if err != nil {
		return nil, err
	}
	rules, err := o.rules()
	if err != nil {
		return nil, err
	}
	name := NamePrefix + string(o.Kind)
	spec := map[string]any{
		"failurePolicy":    "Ignore",
		"matchConstraints": map[string]any{"resourceRules": rules},
		"matchConditions": []any{map[string]any{
			"name": "by-these-managers", "expression": "has(request.options.fieldManager) && (" + strings.ReplaceAll(by, "variables.by", "request.options.fieldManager") + ")",
		}},
		"variables":   o.variables(owner),
		"validations": []any{o.validation()},
	}
	actions := []any{"Warn", "Audit"}
	if o.Deny {
		actions = []any{"Deny", "Audit"}
	}
	return []map[string]any{
		{"apiVersion": group, "kind": "ValidatingAdmissionPolicy", "metadata": map[string]any{"name": name}, "spec": spec},
		{
			"apiVersion": group, "kind": "ValidatingAdmissionPolicyBinding", "metadata": map[string]any{"name": name},
			"spec": map[string]any{"policyName": name, "validationActions": actions},
		},
	}, nil
}

const group = "admissionregistration.k8s.io/v1"

// variables are the parts of the expression. lost are the entries of other managers that the write changes.
func (o Options) variables(owner string) []any {
	of := func(name, expression string) any { return map[string]any{"name": name, "expression": expression} }
	shared := []any{
		of("by", "request.options.fieldManager"),
		of("before", "has(oldObject.metadata.managedFields) ? oldObject.metadata.managedFields : []"),
	}
	if o.Kind == GitOps {
		return append(shared, of("owners", "variables.before.filter(o, o.manager != variables.by && o.operation == 'Apply' && ("+owner+"))"))
	}
	return append(shared,
		of("after", "has(object.metadata.managedFields) ? object.metadata.managedFields : []"),
		of("applies", "variables.after.exists(n, n.manager == variables.by && n.operation == 'Apply' && !variables.before.exists(o, o == n))"),
		of("lost", "variables.before.filter(o, has(o.fieldsV1) && !(o.manager == variables.by && o.operation == 'Apply') && "+
			"!variables.after.exists(n, n.manager == o.manager && n.operation == o.operation && n.apiVersion == o.apiVersion && "+
			"(has(n.subresource) ? n.subresource : '') == (has(o.subresource) ? o.subresource : '') && has(n.fieldsV1) && n.fieldsV1 == o.fieldsV1))"),
	)
}

// validation is what must hold, and what the answer says otherwise.
func (o Options) validation() map[string]any {
	holds := "!variables.applies || size(variables.lost) == 0"
	says := "'The apply of ' + variables.by + ' takes fields with force from ' + variables.lost.map(o, o.manager).join(', ') + " +
		"'. Apply without force, and resolve the conflicts that you see.'"
	if o.Kind == GitOps {
		holds = "size(variables.owners) == 0"
		says = "'This object is managed by ' + variables.owners.map(o, o.manager).join(', ') + ', and ' + variables.by + ' writes to it. " +
			"Change its manifest in Git instead.'"
	}
	return map[string]any{"expression": holds, "messageExpression": says, "reason": "Forbidden"}
}

// rules are the types whose updates are looked at. Creations take nothing from anybody, and a deletion has no manager.
func (o Options) rules() ([]any, error) {
	if len(o.Types) == 0 {
		return []any{rule("*", "*")}, nil
	}
	var all []any
	for _, t := range o.Types {
		resource, of, _ := strings.Cut(t, ".")
		if !resourceName.MatchString(resource) || of != "" && !groupName.MatchString(of) {
			return nil, fmt.Errorf("%q is no type; write it like deployments.apps or configmaps", t)
		}
		all = append(all, rule(of, resource))
	}
	return all, nil
}

func rule(of, resource string) any {
	return map[string]any{"apiGroups": []any{of}, "apiVersions": []any{"*"}, "resources": []any{resource}, "operations": []any{"UPDATE"}}
}

var (
	resourceName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	groupName    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)
)

// names is an expression: whether a text is one of some names. A name that ends with * is a beginning.
func names(text string, all []string) (string, error) {
	parts := make([]string, 0, len(all))
	for _, name := range all {
		begin, open := strings.CutSuffix(name, "*")
		switch {
		case name == "":
			return "", errors.New("the name of a manager is empty")
		case strings.Contains(begin, "*"):
			return "", fmt.Errorf("%q has * before its end; only the end of a name can be left open", name)
		case !plainName(begin):
			return "", fmt.Errorf("%q has a character that names of managers don’t have", name)
		case open:
			parts = append(parts, text+".startsWith("+strconv.Quote(begin)+")")
		default:
			parts = append(parts, text+" == "+strconv.Quote(name))
		}
	}
	return strings.Join(parts, " || "), nil
}

// plainName tells whether a name is the same in CEL and in Go when it is quoted.
func plainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r > '~' })
}
