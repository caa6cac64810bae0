package scenario

import (
	"context"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
)

const cleanUpLimit = 10 * time.Minute

// cleanUp deletes everything with the Scenario's label, including what earlier
// versions of the Scenario created. Then it removes the Scenario's finalizer.
func (r *runner) cleanUp(ctx context.Context) error {
	if err := r.discardCorrupt(ctx); err != nil { // first: lists of its kind fail while it is there
		return err
	}
	selector := metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: map[string]string{NameLabel: r.scenario.Name}})
	for _, resource := range []schema.GroupVersionResource{
		deployments, resourceOf(PodKind), resourceOf(ConfigMapKind), webhooksOf(Validating), webhooksOf(Mutating),
	} {
		if err := r.removeAllOf(ctx, r.metadata.Resource(resource), selector); err != nil {
			return err
		}
	}
	if err := r.removeNamespaces(ctx, selector); err != nil {
		return err
	}
	return r.removeFinalizer(ctx)
}

// removeAllOf deletes collections until nothing is left. The API server ends a
// request that takes too long, so one may not be enough.
func (r *runner) removeAllOf(ctx context.Context, resource metadata.Getter, selector string) error {
	for {
		list, err := resource.List(ctx, metav1.ListOptions{LabelSelector: selector, Limit: listLimit})
		if err != nil {
			return err
		}
		if len(list.Items) == 0 {
			return nil
		}
		for namespace := range namespacesOf(list.Items) {
			err := resource.Namespace(namespace).DeleteCollection(ctx, *metav1.NewDeleteOptions(0),
				metav1.ListOptions{LabelSelector: selector})
			if err != nil && !apierrors.IsTimeout(err) && !apierrors.IsServerTimeout(err) {
				return err
			}
		}
	}
}

func namespacesOf(items []metav1.PartialObjectMetadata) map[string]bool {
	namespaces := map[string]bool{}
	for i := range items {
		namespaces[items[i].Namespace] = true
	}
	return namespaces
}

// removeNamespaces deletes the namespaces that the Scenario made and waits
// until they are gone, so that the next Scenario can make them again.
func (r *runner) removeNamespaces(ctx context.Context, selector string) error {
	namespaces := r.typed.CoreV1().Namespaces()
	return poll(ctx, cleanUpLimit, func(ctx context.Context) (bool, error) {
		list, err := namespaces.List(ctx, metav1.ListOptions{LabelSelector: selector})
		if err != nil {
			return false, err
		}
		for i := range list.Items {
			if list.Items[i].DeletionTimestamp != nil {
				continue
			}
			if err := namespaces.Delete(ctx, list.Items[i].Name, metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
				return false, err
			}
		}
		return len(list.Items) == 0, nil
	})
}
