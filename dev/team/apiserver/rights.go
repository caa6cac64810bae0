package apiserver

import (
	"context"
	"fmt"
	"net/http"
)

// Namespace creates a namespace in which the groups may do what verbs say, with every type of object. Without groups, nobody may do anything
// there.
func (s *Server) Namespace(ctx context.Context, namespace string, verbs []string, groups ...string) error {
	if err := s.create(ctx, "/api/v1/namespaces", map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": namespace}}); err != nil {
		return err
	}
	const api = "rbac.authorization.k8s.io"
	path := "/apis/" + api + "/v1/namespaces/" + namespace
	role := map[string]any{
		"apiVersion": api + "/v1", "kind": "Role", "metadata": map[string]any{"name": "team"},
		"rules": []any{map[string]any{"apiGroups": []string{"*"}, "resources": []string{"*"}, "verbs": verbs}},
	}
	if err := s.create(ctx, path+"/roles", role); err != nil {
		return err
	}
	return s.create(ctx, path+"/rolebindings", binding("RoleBinding", "Role", "team", groups))
}

// Cluster creates a ClusterRole with the rule and binds it to the groups.
func (s *Server) Cluster(ctx context.Context, name string, rule map[string]any, groups ...string) error {
	const api = "rbac.authorization.k8s.io"
	role := map[string]any{"apiVersion": api + "/v1", "kind": "ClusterRole", "metadata": map[string]any{"name": name}, "rules": []any{rule}}
	if err := s.create(ctx, "/apis/"+api+"/v1/clusterroles", role); err != nil {
		return err
	}
	return s.create(ctx, "/apis/"+api+"/v1/clusterrolebindings", binding("ClusterRoleBinding", "ClusterRole", name, groups))
}

// Withdraw removes what Namespace allowed. Allow allows it again.
func (s *Server) Withdraw(ctx context.Context, namespace string) error {
	got, err := s.Admin(ctx, http.MethodDelete, "/apis/rbac.authorization.k8s.io/v1/namespaces/"+namespace+"/rolebindings/team", nil)
	if err == nil && got.Status != http.StatusOK {
		err = fmt.Errorf("withdrawing permissions: %d %s", got.Status, got.Body)
	}
	return err
}

// Allow lets the groups do again what Withdraw forbade.
func (s *Server) Allow(ctx context.Context, namespace string, groups ...string) error {
	return s.create(ctx, "/apis/rbac.authorization.k8s.io/v1/namespaces/"+namespace+"/rolebindings", binding("RoleBinding", "Role", "team", groups))
}

// AllowPerson lets one person do what the role of a namespace says. WithdrawPerson forbids it again.
func (s *Server) AllowPerson(ctx context.Context, namespace, name string) error {
	b := binding("RoleBinding", "Role", "team", nil)
	b["metadata"] = map[string]any{"name": "of-" + name}
	b["subjects"] = []any{map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": Prefix + name}}
	return s.create(ctx, "/apis/rbac.authorization.k8s.io/v1/namespaces/"+namespace+"/rolebindings", b)
}

// WithdrawPerson removes what AllowPerson allowed.
func (s *Server) WithdrawPerson(ctx context.Context, namespace, name string) error {
	got, err := s.Admin(ctx, http.MethodDelete, "/apis/rbac.authorization.k8s.io/v1/namespaces/"+namespace+"/rolebindings/of-"+name, nil)
	if err == nil && got.Status != http.StatusOK {
		err = fmt.Errorf("withdrawing permissions: %d %s", got.Status, got.Body)
	}
	return err
}

func binding(kind, role, name string, groups []string) map[string]any {
	const api = "rbac.authorization.k8s.io"
	var subjects []any
	for _, group := range groups {
		subjects = append(subjects, map[string]any{"apiGroup": api, "kind": "Group", "name": Prefix + group})
	}
	return map[string]any{
		"apiVersion": api + "/v1", "kind": kind, "metadata": map[string]any{"name": name}, "subjects": subjects,
		"roleRef": map[string]any{"apiGroup": api, "kind": role, "name": name},
	}
}

func (s *Server) create(ctx context.Context, path string, object any) error {
	got, err := s.Admin(ctx, http.MethodPost, path, object)
	if err == nil && got.Status != http.StatusCreated {
		err = fmt.Errorf("creating an object at %s: %d %s", path, got.Status, got.Body)
	}
	return err
}
