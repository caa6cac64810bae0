package scenario

import (
	"context"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// applyAsOfOld applies a manifest on the client's side, as kubectl did before the server could: it remembers what it
// applied in an annotation, compares that with the manifest and with the object as it is, and sends the difference as
// a patch; nothing, where there is none.
func (r *runner) applyAsOfOld(ctx context.Context, i int, l Legacy) error {
	if err := r.ensureNamespace(ctx, l.Namespace); err != nil {
		return err
	}
	manifest, err := annotated(l.manifest(r.scenario.Name, l.Replicas))
	if err != nil {
		return err
	}
	resource := r.deploymentsIn(l.Namespace)
	return r.repeat(ctx, i, everySeconds(l.EverySeconds), func(ctx context.Context, _ int64) (act, error) {
		current, err := r.own(ctx, resource, "Deployment", l.Name)
		if err != nil {
			return nothing, err
		}
		if current == nil {
			_, err := resource.Create(ctx, manifest, metav1.CreateOptions{FieldManager: l.Manager})
			return creation, err
		}
		patch, err := threeWay(manifest, current)
		if err != nil || string(patch) == "{}" {
			return nothing, err
		}
		_, err = resource.Patch(ctx, l.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{FieldManager: l.Manager})
		return change, err
	})
}

// annotated is the manifest with itself as the annotation in which the next apply finds it.
func annotated(manifest *unstructured.Unstructured) (*unstructured.Unstructured, error) {
	text, err := manifest.MarshalJSON()
	if err != nil {
		return nil, err
	}
	manifest = manifest.DeepCopy()
	manifest.SetAnnotations(map[string]string{corev1.LastAppliedConfigAnnotation: string(text)})
	return manifest, nil
}

// threeWay is the patch that makes the current Deployment what the manifest says, and takes away what was applied
// before and is in the manifest no longer.
func threeWay(manifest, current *unstructured.Unstructured) ([]byte, error) {
	modified, err := manifest.MarshalJSON()
	if err != nil {
		return nil, err
	}
	present, err := current.MarshalJSON()
	if err != nil {
		return nil, err
	}
	schema, err := strategicpatch.NewPatchMetaFromStruct(appsv1.Deployment{})
	if err != nil {
		return nil, fmt.Errorf("reading the schema of Deployments: %w", err)
	}
	original := []byte(current.GetAnnotations()[corev1.LastAppliedConfigAnnotation])
	patch, err := strategicpatch.CreateThreeWayMergePatch(original, modified, present, schema, true)
	if err != nil {
		return nil, fmt.Errorf("computing the patch: %w", err)
	}
	return patch, nil
}
