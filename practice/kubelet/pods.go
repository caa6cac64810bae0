package kubelet

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/fieldmark/fieldmark/practice/logs"
)

// Annotations on a pod are for each of its containers, or with a dot and the name of a container for that one.
const (
	// RateAnnotation is how many lines a second a container writes.
	RateAnnotation = "practice.fieldmark.dev/log-lines-per-second"
	// StyleAnnotation is how the lines look: one of the styles of logs.
	StyleAnnotation = "practice.fieldmark.dev/log-style"
)

// mostRate is the most that RateAnnotation can ask for.
const mostRate = 20_000

// refusal is an error with the status code that a kubelet sends with it.
type refusal struct {
	code int
	text string
}

func (r *refusal) Error() string { return r.text }

func refuse(code int, format string, args ...any) error {
	return &refusal{code, fmt.Sprintf(format, args...)}
}

// pod reads a pod of the cluster.
func (k *kubelet) pod(ctx context.Context, namespace, name string) (*corev1.Pod, error) {
	pod, err := k.client.CoreV1().Pods(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, refuse(http.StatusNotFound, "pod %q does not exist", name)
	}
	return pod, err
}

// containerOf returns a container of any kind, by its name, and whether it is an init container that runs to its end.
func containerOf(pod *corev1.Pod, name string) (c *corev1.Container, inits bool) {
	named := func(c corev1.Container) bool { return c.Name == name }
	if i := slices.IndexFunc(pod.Spec.Containers, named); i >= 0 {
		return &pod.Spec.Containers[i], false
	}
	if i := slices.IndexFunc(pod.Spec.InitContainers, named); i >= 0 {
		c := &pod.Spec.InitContainers[i]
		return c, c.RestartPolicy == nil || *c.RestartPolicy != corev1.ContainerRestartPolicyAlways
	}
	for i := range pod.Spec.EphemeralContainers {
		if e := &pod.Spec.EphemeralContainers[i]; e.Name == name {
			return new(corev1.Container(e.EphemeralContainerCommon)), false
		}
	}
	return nil, false
}

// statusOf returns the status of a container of any kind.
func statusOf(pod *corev1.Pod, name string) *corev1.ContainerStatus {
	s := &pod.Status
	for _, list := range [][]corev1.ContainerStatus{s.ContainerStatuses, s.InitContainerStatuses, s.EphemeralContainerStatuses} {
		if i := slices.IndexFunc(list, func(c corev1.ContainerStatus) bool { return c.Name == name }); i >= 0 {
			return &list[i]
		}
	}
	return nil
}

// running returns the container if it runs, or what a kubelet says instead.
func (k *kubelet) running(ctx context.Context, namespace, podName, name string) (*corev1.Pod, *corev1.Container, error) {
	pod, err := k.pod(ctx, namespace, podName)
	if err != nil {
		return nil, nil, err
	}
	c, _ := containerOf(pod, name)
	status := statusOf(pod, name)
	if c == nil || status == nil || status.State.Running == nil {
		return nil, nil, fmt.Errorf("container not found (%q)", name)
	}
	return pod, c, nil
}

// runState returns the run of a container whose log is asked for. Its errors are those of a real kubelet.
func runState(pod *corev1.Pod, name string, previous bool) (corev1.ContainerState, error) {
	none := corev1.ContainerState{}
	status := statusOf(pod, name)
	if status == nil {
		return none, refuse(http.StatusBadRequest, "container %q in pod %q is not available", name, pod.Name)
	}
	last, state := status.LastTerminationState, status.State
	switch {
	case previous && last.Terminated == nil:
		return none, refuse(http.StatusBadRequest, "previous terminated container %q in pod %q not found", name, pod.Name)
	case previous:
		return last, nil
	case state.Running != nil || state.Terminated != nil:
		return state, nil
	case last.Terminated != nil:
		return last, nil
	case state.Waiting == nil:
		return none, refuse(http.StatusBadRequest, "container %q in pod %q is waiting to start - no logs yet", name, pod.Name)
	}
	reason := state.Waiting.Reason
	switch reason {
	case "ErrImagePull":
		reason = "image can't be pulled"
	case "ImagePullBackOff":
		reason = "trying and failing to pull image"
	}
	return none, refuse(http.StatusBadRequest, "container %q in pod %q is waiting to start: %v", name, pod.Name, reason)
}

// annotation returns the annotation for one container, or else that for all of them.
func annotation(pod *corev1.Pod, key, container string) string {
	if value, own := pod.Annotations[key+"."+container]; own {
		return value
	}
	return pod.Annotations[key]
}

// source describes one run of a container for its log.
func source(pod *corev1.Pod, c *corev1.Container, inits bool, run corev1.ContainerState) logs.Source {
	s := logs.Source{
		Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), PodIP: pod.Status.PodIP,
		Container: c.Name, Image: c.Image, Init: inits, Command: command(c),
	}
	if owner := metav1.GetControllerOf(pod); owner != nil {
		s.Owner = owner.Kind
	}
	if len(c.Ports) > 0 {
		s.Port = c.Ports[0].ContainerPort
	}
	if rate, err := strconv.ParseFloat(annotation(pod, RateAnnotation, c.Name), 64); err == nil {
		s.Rate = min(rate, mostRate)
	}
	s.Style = annotation(pod, StyleAnnotation, c.Name)
	switch {
	case run.Running != nil:
		s.Started = run.Running.StartedAt.Time
	case run.Terminated != nil:
		t := run.Terminated
		s.Started, s.Ended, s.ExitCode, s.Reason = t.StartedAt.Time, t.FinishedAt.Time, t.ExitCode, t.Reason
	}
	return s
}
