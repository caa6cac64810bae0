package scenario

import (
	"context"
	"fmt"
	"strconv"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// crashLimit bounds the wait until the pods are in trouble, beyond the time that they run before.
const crashLimit = 2 * time.Minute

// trouble is a Deployment whose pods fail in one way.
type trouble struct {
	name       string
	annotation string // for the simulated nodes, with its value
	value      string
	containers []string
	images     []string
	// seen tells whether a container of the pod has failed in this way.
	seen func(corev1.ContainerStatus) bool
}

// troubles returns the Deployments of the fault crashes.
func troubles() []trouble {
	ended := func(reason string) func(corev1.ContainerStatus) bool {
		return func(s corev1.ContainerStatus) bool {
			return s.LastTerminationState.Terminated != nil && s.LastTerminationState.Terminated.Reason == reason
		}
	}
	waits := func(reason string) func(corev1.ContainerStatus) bool {
		return func(s corev1.ContainerStatus) bool { return s.State.Waiting != nil && s.State.Waiting.Reason == reason }
	}
	const prefix = "practice.fieldmark.dev/"
	app := []string{"app"}
	return []trouble{
		{"crashing", prefix + "crash", "Error", app, []string{"registry.example.com/shop/mailer:2.1.0"}, ended("Error")},
		{"out-of-memory", prefix + "crash", "OOMKilled", app, []string{"registry.example.com/shop/image-resizer:1.4.2"}, ended("OOMKilled")},
		{
			"sidecar-crashing", prefix + "crash.metrics", "Error",
			[]string{"app", "metrics"},
			[]string{"registry.example.com/shop/web:3.0.1", "registry.example.com/platform/metrics-agent:0.9"},
			ended("Error"),
		},
		{"image-missing", prefix + "waiting", "ImagePullBackOff", app, []string{"registry.example.com/shop/ledger:9.9.9"}, waits("ImagePullBackOff")},
		{"config-missing", prefix + "waiting", "CreateContainerConfigError", app, []string{"registry.example.com/shop/search:1.0.0"}, waits("CreateContainerConfigError")},
	}
}

// manifest is the Deployment, which the Scenario owns.
func (t trouble) manifest(scenario, namespace string, after int) *unstructured.Unstructured {
	labels := map[string]any{"app": t.name}
	containers := make([]any, len(t.containers))
	for i, name := range t.containers {
		containers[i] = map[string]any{"name": name, "image": t.images[i]}
	}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": appsv1.SchemeGroupVersion.String(),
		"kind":       "Deployment",
		"metadata":   map[string]any{"name": t.name, "namespace": namespace, "labels": map[string]any{NameLabel: scenario}},
		"spec": map[string]any{
			"replicas": int64(1),
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels, "annotations": map[string]any{
					t.annotation: t.value, "practice.fieldmark.dev/crash-after": strconv.Itoa(after) + "s",
				}},
				"spec": map[string]any{"containers": containers},
			},
		},
	}}
}

// crash creates Deployments whose pods fail, each in another way, and returns when all of them have failed.
func (r *runner) crash(ctx context.Context, i int, c Crashes) error {
	if err := r.ensureNamespace(ctx, c.Namespace); err != nil {
		return err
	}
	resource, force := r.deploymentsIn(c.Namespace), true
	for _, t := range troubles() {
		if _, err := r.own(ctx, resource, "Deployment", t.name); err != nil {
			return err
		}
		manifest, err := t.manifest(r.scenario.Name, c.Namespace, c.AfterSeconds).MarshalJSON()
		if err != nil {
			return fmt.Errorf("writing the manifest of %s: %w", t.name, err)
		}
		if _, err := resource.Patch(ctx, t.name, types.ApplyPatchType, manifest, metav1.PatchOptions{FieldManager: Manager, Force: &force}); err != nil {
			return err
		}
	}
	limit := crashLimit + time.Duration(c.AfterSeconds)*time.Second
	return poll(ctx, limit, func(ctx context.Context) (bool, error) {
		failed := 0
		for _, t := range troubles() {
			if r.inTrouble(ctx, c.Namespace, t) {
				failed++
			}
		}
		r.updateFault(i, func(s *FaultStatus) {
			s.Present, s.Message = failed, fmt.Sprintf("%d of %d Deployments have failed", failed, len(troubles()))
		})
		return failed == len(troubles()), nil
	})
}

// inTrouble tells whether a pod of a Deployment has failed as it was to.
func (r *runner) inTrouble(ctx context.Context, namespace string, t trouble) bool {
	pods, err := r.typed.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "app=" + t.name})
	if err != nil {
		return false
	}
	for i := range pods.Items {
		for _, status := range pods.Items[i].Status.ContainerStatuses {
			if t.seen(status) {
				return true
			}
		}
	}
	return false
}
