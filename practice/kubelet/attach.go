package kubelet

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"

	"github.com/fieldmark/fieldmark/practice/logs"
)

// AttachContainer connects a client with what a container runs. A program that reads input runs while a client is attached, and its end is that of the
// container. Of all others, the client sees what they write from now on.
func (s *streams) AttachContainer(_ context.Context, podName, _, name string,
	in io.Reader, out, errOut io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize,
) error {
	pod, c, err := s.running(s.ctx, s.namespace, podName, name)
	if err != nil {
		return err
	}
	if c.Stdin && in != nil && len(command(c)) > 0 {
		// Each client has a run of its own, so the end of another client's run, which restarts the container, doesn't end this one.
		code, err := s.host.Run(s.ctx, s.inside(s.ctx, pod, c), command(c), shellStreams(s.ctx, in, out, errOut, tty, resize))
		if err == nil && s.ctx.Err() == nil {
			err = s.exit(s.ctx, pod, name, int32(code))
		}
		return err
	}
	go drain(in)
	state, err := runState(pod, name, false)
	if err != nil {
		return err
	}
	_, inits := containerOf(pod, name)
	r := newAttached(pod, c, inits, state)
	r.split, r.errOut, r.tty = errOut != nil, errOut, tty
	if out == nil {
		r.out = io.Discard
	} else {
		r.out = out
	}
	s.follow(s.ctx, r, pod)
	return nil
}

// newAttached returns a reader of what a container writes from now on.
func newAttached(pod *corev1.Pod, c *corev1.Container, inits bool, state corev1.ContainerState) *reader {
	from := source(pod, c, inits, state)
	return &reader{
		log: logs.New(from), container: c.Name, started: from.Started, options: &corev1.PodLogOptions{}, remain: math.MaxInt64,
		at: time.Now(), flush: func() error { return nil },
	}
}

// exit writes how a container ended into the status of its pod. The container starts again at once if the pod says so.
func (s *streams) exit(ctx context.Context, pod *corev1.Pod, name string, code int32) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		now, err := s.client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		status := statusOf(now, name)
		was := statusOf(pod, name).State.Running.StartedAt
		if now.UID != pod.UID || status == nil || status.State.Running == nil || !status.State.Running.StartedAt.Equal(&was) {
			return nil // it ended in another way
		}
		finish(now, status, code)
		_, err = s.client.CoreV1().Pods(pod.Namespace).UpdateStatus(ctx, now, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("writing the status of pod %s: %w", pod.Name, err)
	}
	return nil
}

// finish changes the status of a pod whose container has ended.
func finish(pod *corev1.Pod, status *corev1.ContainerStatus, code int32) {
	now := metav1.Now()
	reason := "Completed"
	if code != 0 {
		reason = "Error"
	}
	end := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: code, Reason: reason, StartedAt: status.State.Running.StartedAt, FinishedAt: now,
	}}
	ephemeral := slices.ContainsFunc(pod.Spec.EphemeralContainers, func(e corev1.EphemeralContainer) bool { return e.Name == status.Name })
	policy := pod.Spec.RestartPolicy
	if !ephemeral && (policy == corev1.RestartPolicyAlways || policy == corev1.RestartPolicyOnFailure && code != 0) {
		status.LastTerminationState = end
		status.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(now.Add(time.Second))}}
		status.RestartCount++
		return
	}
	status.State, status.Ready, status.Started = end, false, new(false)
	if !ephemeral {
		complete(pod, now)
	}
}

// complete ends a pod whose containers have all ended.
func complete(pod *corev1.Pod, now metav1.Time) {
	phase := corev1.PodSucceeded
	for _, s := range pod.Status.ContainerStatuses {
		switch {
		case s.State.Terminated == nil:
			return
		case s.State.Terminated.ExitCode != 0:
			phase = corev1.PodFailed
		}
	}
	pod.Status.Phase = phase
	for i := range pod.Status.Conditions {
		if c := &pod.Status.Conditions[i]; c.Type == corev1.PodReady || c.Type == corev1.ContainersReady {
			c.Status, c.Reason, c.LastTransitionTime = corev1.ConditionFalse, "PodCompleted", now
		}
	}
}
