package scenario

import (
	"context"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

var deployments = appsv1.SchemeGroupVersion.WithResource("deployments")

// manifest is the Deployment with only the fields that its author wants to own. Without replicas, other managers can
// set their number.
func (t Target) manifest(scenario string, replicas *int64) *unstructured.Unstructured {
	app := map[string]any{"app": t.Name}
	spec := map[string]any{
		"selector": map[string]any{"matchLabels": app},
		"template": map[string]any{
			"metadata": map[string]any{"labels": app},
			"spec": map[string]any{
				"containers": []any{map[string]any{"name": "app", "image": image}},
			},
		},
	}
	if replicas != nil {
		spec["replicas"] = *replicas
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": appsv1.SchemeGroupVersion.String(),
		"kind":       "Deployment",
		"metadata": map[string]any{
			"name": t.Name, "namespace": t.Namespace, "labels": map[string]any{NameLabel: scenario},
		},
		"spec": spec,
	}}
}

func (r *runner) deploymentsIn(namespace string) dynamic.ResourceInterface {
	return r.dynamic.Resource(deployments).Namespace(namespace)
}

// own returns an object that the Scenario created; nil: it doesn't exist. If others created it, own returns an error:
// the Scenario must not overwrite or delete objects of others.
func (r *runner) own(ctx context.Context, resource dynamic.ResourceInterface, kind, name string) (*unstructured.Unstructured, error) {
	current, err := resource.Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	case current.GetLabels()[NameLabel] != r.scenario.Name:
		return nil, fmt.Errorf("this Scenario did not create %s %s, so it does not change that object", kind, name)
	}
	return current, nil
}

// applies tells whether an actor of the Scenario applies this Deployment, and so creates it.
func (s Spec) applies(target Target) bool {
	for _, actor := range s.Actors {
		if actor.GitOps != nil && actor.GitOps.Target == target || actor.Legacy != nil && actor.Legacy.Target == target {
			return true
		}
	}
	return false
}

// ensureTarget makes sure that the Deployment exists. It uses an existing one, or waits for the one that another actor
// will create, so that this actor owns all its fields. Otherwise it creates one with a number of replicas: if nobody owns
// that field, the API server does not record who scales it.
func (r *runner) ensureTarget(ctx context.Context, a Autoscaler) error {
	if err := r.ensureNamespace(ctx, a.Namespace); err != nil {
		return err
	}
	resource := r.deploymentsIn(a.Namespace)
	if r.scenario.Spec.applies(a.Target) {
		return poll(ctx, writeLimit, func(ctx context.Context) (bool, error) {
			_, err := resource.Get(ctx, a.Name, metav1.GetOptions{})
			return err == nil, nil
		})
	}
	first := max(0, int64(a.Min)-1)
	return r.create(ctx, resource, a.manifest(r.scenario.Name, &first))
}

// create creates an object for the Scenario, unless one with that name exists.
func (r *runner) create(ctx context.Context, resource dynamic.ResourceInterface, object *unstructured.Unstructured) error {
	_, err := resource.Create(ctx, object, metav1.CreateOptions{FieldManager: Manager})
	if apierrors.IsAlreadyExists(err) {
		return nil
	}
	return err
}

// The kinds of webhook configurations.
const (
	Validating = "ValidatingWebhookConfiguration"
	Mutating   = "MutatingWebhookConfiguration"
)

// webhooksOf is the resource type of a kind of webhook configuration.
func webhooksOf(kind string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: strings.ToLower(kind) + "s"}
}
