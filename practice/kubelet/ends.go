package kubelet

import (
	"context"
	"errors"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/fieldmark/fieldmark/practice/logs"
)

const (
	// watchAgain is how long to wait before a watch that ended is started again.
	watchAgain = time.Second
	// sigterm is the exit code of a program that ended because it was asked to.
	sigterm = 143
)

// ends watches a pod, and sends how a run of its container ended, once.
func (k *kubelet) ends(ctx context.Context, pod *corev1.Pod, container string, started time.Time) <-chan logs.Source {
	found := make(chan logs.Source, 1)
	go func() {
		for ctx.Err() == nil {
			if end := k.watchEnd(ctx, pod, container, started); end != nil {
				found <- *end
				return
			}
			select {
			case <-time.After(watchAgain):
			case <-ctx.Done():
			}
		}
	}()
	return found
}

// watchEnd returns how a run ended, or nil if the watch ended before.
func (k *kubelet) watchEnd(ctx context.Context, pod *corev1.Pod, container string, started time.Time) *logs.Source {
	now, err := k.pod(ctx, pod.Namespace, pod.Name)
	var gone *refusal
	switch {
	case errors.As(err, &gone) && gone.code == http.StatusNotFound:
		return deleted(pod, container, started)
	case err != nil:
		return nil
	}
	if end := ended(pod, now, container, started); end != nil {
		return end
	}
	events, err := k.client.CoreV1().Pods(pod.Namespace).Watch(ctx, metav1.ListOptions{
		ResourceVersion: now.ResourceVersion, FieldSelector: fields.OneTermEqualSelector("metadata.name", pod.Name).String(),
	})
	if err != nil {
		return nil
	}
	defer events.Stop()
	for event := range events.ResultChan() {
		now, ok := event.Object.(*corev1.Pod)
		switch {
		case !ok:
			return nil
		case event.Type == watch.Deleted:
			return deleted(pod, container, started)
		}
		if end := ended(pod, now, container, started); end != nil {
			return end
		}
	}
	return nil
}

// ended returns how a run ended, if the pod says so as it is now. Another pod of the same name ends it, too.
func ended(pod, now *corev1.Pod, container string, started time.Time) *logs.Source {
	if now.UID != pod.UID {
		return deleted(pod, container, started)
	}
	status := statusOf(now, container)
	c, inits := containerOf(now, container)
	if status == nil || c == nil {
		return nil
	}
	for _, state := range []corev1.ContainerState{status.State, status.LastTerminationState} {
		if state.Terminated != nil && state.Terminated.StartedAt.Time.Equal(started) {
			return new(source(now, c, inits, state))
		}
	}
	if status.State.Running != nil && !status.State.Running.StartedAt.Time.Equal(started) {
		return deleted(pod, container, started) // it ended and started again since the last look
	}
	return nil
}

// deleted returns the end of a container whose pod was deleted.
func deleted(pod *corev1.Pod, container string, started time.Time) *logs.Source {
	c, inits := containerOf(pod, container)
	return new(source(pod, c, inits, corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		StartedAt: metav1.NewTime(started), FinishedAt: metav1.NewTime(time.Now().Truncate(time.Second)), ExitCode: sigterm, Reason: "Error",
	}}))
}
