package metrics

import (
	"context"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"
)

// cached lets the API server respond from its memory.
const cached = "0"

// meter reads pods and nodes, and says what they use.
type meter struct {
	client kubernetes.Interface
	now    func() time.Time
}

// podsIn are the measurements of the pods in a namespace, or in all; name is empty or that of one pod.
func (m *meter) podsIn(ctx context.Context, namespace, name string) ([]measurement, error) {
	if name != "" {
		pod, err := m.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{ResourceVersion: cached})
		if err != nil && !apierrors.IsNotFound(err) {
			return nil, err
		}
		if found, ok := m.pod(pod); err == nil && ok {
			return []measurement{found}, nil
		}
		return nil, missing("pods", name)
	}
	list, err := m.client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{ResourceVersion: cached})
	if err != nil {
		return nil, err
	}
	all := []measurement{}
	for i := range list.Items {
		if found, ok := m.pod(&list.Items[i]); ok {
			all = append(all, found)
		}
	}
	return all, nil
}

// pod measures a pod; ok is false if none of its containers ran long enough.
func (m *meter) pod(pod *corev1.Pod) (found measurement, ok bool) {
	at := measured(m.now())
	metrics := &metricsv1beta1.PodMetrics{
		TypeMeta:   typeMeta("PodMetrics"),
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace, Labels: pod.Labels, CreationTimestamp: stamp(at)},
		Timestamp:  stamp(at), Window: window(), Containers: []metricsv1beta1.ContainerMetrics{},
	}
	sum := used{}
	for name, u := range containersOf(pod, at) {
		metrics.Containers = append(metrics.Containers, metricsv1beta1.ContainerMetrics{Name: name, Usage: u.resourceList()})
		sum = sum.plus(u)
	}
	slices.SortFunc(metrics.Containers, func(a, b metricsv1beta1.ContainerMetrics) int { return strings.Compare(a.Name, b.Name) })
	return measurement{metrics.ObjectMeta, sum.resourceList(), metrics}, len(metrics.Containers) > 0
}

// containersOf is what each container of a running pod uses.
func containersOf(pod *corev1.Pod, at time.Time) map[string]used {
	found := map[string]used{}
	if pod.Status.Phase != corev1.PodRunning && pod.Status.Phase != corev1.PodPending {
		return found
	}
	s := &pod.Status
	for _, status := range slices.Concat(s.InitContainerStatuses, s.ContainerStatuses, s.EphemeralContainerStatuses) {
		if u, ok := containerUse(pod, status, at); ok {
			found[status.Name] = u
		}
	}
	return found
}

// nodes are the measurements of the nodes that are ready; name is empty or that of one node.
func (m *meter) nodes(ctx context.Context, name string) ([]measurement, error) {
	nodes, err := m.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{ResourceVersion: cached})
	if err != nil {
		return nil, err
	}
	pods, err := m.client.CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{ResourceVersion: cached})
	if err != nil {
		return nil, err
	}
	at := measured(m.now())
	on := usedOn(pods.Items, at)
	all := []measurement{}
	for i := range nodes.Items {
		if node := &nodes.Items[i]; ready(node) && (name == "" || node.Name == name) {
			all = append(all, nodeMeasurement(node, nodeUse(node, on[node.Name], at), at))
		}
	}
	if name != "" && len(all) == 0 {
		return nil, missing("nodes", name)
	}
	return all, nil
}

// usedOn is what each pod of each node uses.
func usedOn(pods []corev1.Pod, at time.Time) map[string][]used {
	on := map[string][]used{}
	for i := range pods {
		sum := used{}
		for _, u := range containersOf(&pods[i], at) {
			sum = sum.plus(u)
		}
		if node := pods[i].Spec.NodeName; node != "" && sum != (used{}) {
			on[node] = append(on[node], sum)
		}
	}
	return on
}

func nodeMeasurement(node *corev1.Node, u used, at time.Time) measurement {
	metrics := &metricsv1beta1.NodeMetrics{
		TypeMeta:   typeMeta("NodeMetrics"),
		ObjectMeta: metav1.ObjectMeta{Name: node.Name, Labels: node.Labels, CreationTimestamp: stamp(at)},
		Timestamp:  stamp(at), Window: window(), Usage: u.resourceList(),
	}
	return measurement{metrics.ObjectMeta, metrics.Usage, metrics}
}

func ready(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

// missing is the error of the metrics server for an object without figures: it doesn't tell whether the object exists.
func missing(resource, name string) error {
	return apierrors.NewNotFound(schema.GroupResource{Group: Group, Resource: resource}, name)
}

func typeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: Group + "/" + Version, Kind: kind}
}
