package stage

import (
	"context"
	"errors"
)

// rights are those that the comment of the package above names.
func (s *Stage) rights(ctx context.Context) error {
	reading := []string{"get", "list", "watch"}
	namespaces := map[string]any{"apiGroups": []string{""}, "resources": []string{"namespaces"}, "verbs": reading}
	everything := map[string]any{"apiGroups": []string{"*"}, "resources": []string{"*"}, "verbs": []string{"*"}}
	return errors.Join(
		s.API.Namespace(ctx, "team-a", []string{"*"}, "team-a"),
		s.API.Namespace(ctx, "team-b", reading, "team-b"),
		s.API.Namespace(ctx, "team-c", reading, "team-c"),
		s.API.Cluster(ctx, "team-namespaces", namespaces, "team-a"),
		s.API.Cluster(ctx, "team-admins", everything, "admins"),
	)
}
