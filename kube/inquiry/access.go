package inquiry

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/request"
	"github.com/fieldmark/fieldmark/kube/status"
)

// forbidden explains that no rule of RBAC allows a request.
func (t *telling) forbidden() {
	t.e.Why = "No rule of RBAC, or of another authorizer, allows it. A rule can only grant permissions, so a missing permission must be added."
	d := t.no.Denial
	switch {
	case d == nil:
		t.e.What = "A request" + t.about() + " was refused: the user may not do that."
		t.way(explain.WayLook, "kubectl auth whoami\nkubectl auth can-i --list\n")
		return
	case d.Verb == "":
		t.e.What = "A request" + t.about() + " was refused: " + d.User + " would grant permissions that this user doesn't have."
		t.e.Why = "Users can grant only permissions that they have, unless they have the verb escalate or bind on roles."
		t.way(explain.WayGrant, "Get the permissions that the message lists, or ask somebody with these permissions to apply the role.")
		return
	}
	t.e.What = "A request was refused: " + cmp.Or(d.User, "the user") + " may not " + permission(*d) + "."
	t.way(explain.WayGrant, grant(*d, t.subject.object.Name))
	t.way(explain.WayLook, canI(*d, t.subject.object.Name))
}

// permission is the missing permission, in words.
func permission(d status.Denial) string {
	if d.Path != "" {
		return d.Verb + " the path " + d.Path
	}
	what := d.Verb + " " + resourceOf(d)
	switch {
	case d.Namespace != "":
		return what + " in the namespace " + d.Namespace
	case d.ClusterScope:
		return what + " in the whole cluster"
	}
	return what
}

// resourceOf is the resource in kubectl's notation: deployments.apps/scale.
func resourceOf(d status.Denial) string {
	what := d.Resource
	if d.Group != "" {
		what += "." + d.Group
	}
	if d.Subresource != "" {
		what += "/" + d.Subresource
	}
	return what
}

// canI is the command that asks whether the user has the permission.
func canI(d status.Denial, name string) string {
	words := []string{"kubectl auth can-i", request.Quote(d.Verb)}
	switch {
	case d.Path != "":
		words = append(words, request.Quote(d.Path))
	default:
		resource := strings.TrimSuffix(resourceOf(d), "/"+d.Subresource)
		if name != "" && d.Verb != "list" && d.Verb != "create" {
			resource += "/" + name
		}
		words = append(words, request.Quote(resource))
		if d.Subresource != "" {
			words = append(words, "--subresource="+request.Quote(d.Subresource))
		}
	}
	if d.Namespace != "" {
		words = append(words, "-n", request.Quote(d.Namespace))
	}
	if d.User != "" {
		words = append(words, "--as="+request.Quote(d.User))
	}
	return strings.Join(words, " ") + "\n"
}

// grant is the YAML of a role with the permission, and of its binding to the user.
func grant(d status.Denial, name string) string {
	rule := map[string]any{"verbs": []any{d.Verb}}
	if d.Path != "" {
		rule["nonResourceURLs"] = []any{d.Path}
	} else {
		resource := d.Resource
		if d.Subresource != "" {
			resource += "/" + d.Subresource
		}
		rule["apiGroups"], rule["resources"] = []any{d.Group}, []any{resource}
		if named := []string{"get", "update", "patch", "delete"}; name != "" && slices.Contains(named, d.Verb) {
			rule["resourceNames"] = []any{name}
		}
	}
	role, binding := "ClusterRole", "ClusterRoleBinding"
	metadata := map[string]any{"name": roleName(d)}
	if d.Namespace != "" {
		role, binding = "Role", "RoleBinding"
		metadata["namespace"] = d.Namespace
	}
	const api = "rbac.authorization.k8s.io"
	first, err := manifest.YAML(map[string]any{"apiVersion": api + "/v1", "kind": role, "metadata": metadata, "rules": []any{rule}})
	if err != nil {
		return "" // texts always encode
	}
	if d.User == "" {
		return string(first)
	}
	second, err := manifest.YAML(map[string]any{
		"apiVersion": api + "/v1", "kind": binding, "metadata": metadata,
		"roleRef": map[string]any{"apiGroup": api, "kind": role, "name": metadata["name"]}, "subjects": []any{subjectOf(d.User)},
	})
	if err != nil {
		return ""
	}
	return string(first) + "---\n" + string(second)
}

// subjectOf is a user as a subject of a binding.
func subjectOf(user string) map[string]any {
	if rest, ok := strings.CutPrefix(user, "system:serviceaccount:"); ok {
		if namespace, name, ok := strings.Cut(rest, ":"); ok {
			return map[string]any{"kind": "ServiceAccount", "namespace": namespace, "name": name}
		}
	}
	return map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}
}

// unnamed matches characters that the name of the role may not have.
var unnamed = regexp.MustCompile(`[^a-z0-9]+`)

func roleName(d status.Denial) string {
	return strings.Trim(unnamed.ReplaceAllString(strings.ToLower(d.Verb+"-"+cmp.Or(d.Resource, d.Path)+"-"+d.Subresource), "-"), "-")
}

// unauthorized explains that the credentials are not accepted.
func (t *telling) unauthorized() {
	t.e.What = "A request was refused: the API server doesn't accept the credentials."
	t.e.Why = "The request has no credentials, or they have expired, or they belong to another cluster."
	t.way(explain.WayLook, "kubectl config current-context\nkubectl auth whoami\n")
	t.way(explain.WayCorrect, "Log in again as the provider of the cluster describes it. Check that the context is the right one.")
}
