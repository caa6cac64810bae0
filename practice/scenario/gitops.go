package scenario

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// gitOps applies its manifest on the server's side, whether or not anything has changed, as a GitOps controller
// does with the manifests of a repository.
func (r *runner) gitOps(ctx context.Context, i int, g GitOps) error {
	if err := r.ensureNamespace(ctx, g.Namespace); err != nil {
		return err
	}
	manifest, err := g.manifest(r.scenario.Name, g.Replicas).MarshalJSON()
	if err != nil {
		return err
	}
	resource := r.deploymentsIn(g.Namespace)
	return r.repeat(ctx, i, everySeconds(g.EverySeconds), func(ctx context.Context, _ int64) (act, error) {
		current, err := r.own(ctx, resource, "Deployment", g.Name)
		if err != nil {
			return nothing, err
		}
		_, err = resource.Patch(ctx, g.Name, types.ApplyPatchType, manifest,
			metav1.PatchOptions{FieldManager: g.Manager, Force: &g.Force})
		if current == nil {
			return creation, err
		}
		return change, err
	})
}
