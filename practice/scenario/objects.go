package scenario

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/fieldmark/fieldmark/practice/nodes"
)

// Kinds that Scenarios can make many of.
const (
	PodKind       = "Pod"
	ConfigMapKind = "ConfigMap"
)

// schedulingGate holds back pods that are not to run.
const schedulingGate = "practice.fieldmark.dev/held-back"

// image is never pulled. It names the pause image, which does nothing on a real node either.
const image = "registry.k8s.io/pause:3.10"

func resourceOf(kind string) schema.GroupVersionResource {
	if kind == ConfigMapKind {
		return corev1.SchemeGroupVersion.WithResource("configmaps")
	}
	return corev1.SchemeGroupVersion.WithResource("pods")
}

// made describes the small objects that one part of a Scenario creates.
type made struct {
	client    kubernetes.Interface
	namespace string
	kind      string
	labels    map[string]string
	running   bool
}

func (r *runner) made(part, namespace, kind string, running bool) made {
	return made{
		client: r.typed, namespace: namespace, kind: kind, running: running,
		labels: map[string]string{NameLabel: r.scenario.Name, PartLabel: part},
	}
}

func (m made) selector() string {
	return metav1.FormatLabelSelector(&metav1.LabelSelector{MatchLabels: m.labels})
}

func (m made) meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: m.namespace, Labels: m.labels}
}

// create makes the object; number tells objects of one part apart.
func (m made) create(ctx context.Context, name string, number int) error {
	options := metav1.CreateOptions{FieldManager: Manager}
	if m.kind == ConfigMapKind {
		_, err := m.client.CoreV1().ConfigMaps(m.namespace).Create(ctx, &corev1.ConfigMap{
			ObjectMeta: m.meta(name), Data: map[string]string{"number": strconv.Itoa(number)},
		}, options)
		return err
	}
	_, err := m.client.CoreV1().Pods(m.namespace).Create(ctx, m.pod(name, number), options)
	return err
}

func (m made) pod(name string, number int) *corev1.Pod {
	no := false
	pod := &corev1.Pod{
		ObjectMeta: m.meta(name),
		Spec: corev1.PodSpec{
			Containers:                   []corev1.Container{{Name: "app", Image: image}},
			AutomountServiceAccountToken: &no,
			EnableServiceLinks:           &no,
		},
	}
	if m.running {
		// The pod gets its node at once, because scheduling doesn't matter here.
		pod.Spec.NodeName = nodes.Name(1 + number%nodes.Count)
	} else {
		pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: schedulingGate}}
	}
	return pod
}

// touch changes the object.
func (m made) touch(ctx context.Context, name string, number int64) error {
	change := map[string]any{"metadata": map[string]any{
		"annotations": map[string]string{"practice.fieldmark.dev/touched": strconv.FormatInt(number, 10)},
	}}
	if m.kind == ConfigMapKind {
		change["data"] = map[string]string{"number": strconv.FormatInt(number, 10)}
	}
	patch, err := json.Marshal(change)
	if err != nil {
		return err
	}
	options := metav1.PatchOptions{FieldManager: Manager}
	if m.kind == ConfigMapKind {
		_, err = m.client.CoreV1().ConfigMaps(m.namespace).Patch(ctx, name, types.MergePatchType, patch, options)
		return err
	}
	_, err = m.client.CoreV1().Pods(m.namespace).Patch(ctx, name, types.MergePatchType, patch, options)
	return err
}

// remove deletes the object at once.
func (m made) remove(ctx context.Context, name string) error {
	options := *metav1.NewDeleteOptions(0)
	if m.kind == ConfigMapKind {
		return m.client.CoreV1().ConfigMaps(m.namespace).Delete(ctx, name, options)
	}
	return m.client.CoreV1().Pods(m.namespace).Delete(ctx, name, options)
}

// ensureNamespace makes the namespace, as the Scenario's own, unless it is
// there already; then it stays when the Scenario goes. It returns when objects
// can be made in it.
func (r *runner) ensureNamespace(ctx context.Context, name string) error {
	namespaces := r.typed.CoreV1().Namespaces()
	_, err := namespaces.Create(ctx, &corev1.Namespace{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{NameLabel: r.scenario.Name}},
	}, metav1.CreateOptions{FieldManager: Manager})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	namespace, err := namespaces.Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	if namespace.DeletionTimestamp != nil {
		return fmt.Errorf("namespace %s is still being deleted", name)
	}
	// Pods are refused until their service account exists.
	return poll(ctx, serviceAccountLimit, func(ctx context.Context) (bool, error) {
		_, err := r.typed.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{})
		return err == nil, nil
	})
}
