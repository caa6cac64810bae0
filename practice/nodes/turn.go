package nodes

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Annotations on a pod say how its containers end. They are for the first container, or with a dot and the name of a container for that one.
const (
	// crashAnnotation lets a container end again and again. Its value is the reason: OOMKilled, Error, or Completed.
	crashAnnotation = "practice.fieldmark.dev/crash"
	// crashAfterAnnotation is how long a container runs before. Without a name, it is for all containers.
	crashAfterAnnotation = "practice.fieldmark.dev/crash-after"
)

const (
	crashAfter = 10 * time.Second
	// workOfJob is how long the containers of a Job's pod run.
	workOfJob = time.Second
	// settle is the time between the end of a container and what its kubelet does about it.
	settle = time.Second
	// backoff is what a container waits after its second end. Each further wait is twice as long, up to mostBackoff.
	backoff, mostBackoff = 10 * time.Second, 5 * time.Minute
	crashLoop            = "CrashLoopBackOff"
)

// turn returns the status that a pod has next because of its containers, or nil if they go on as they are. due is when that is so: if it is after now,
// the status isn't the pod's yet.
func turn(pod *corev1.Pod, now time.Time) (status *corev1.PodStatus, due time.Time) {
	if pod.DeletionTimestamp != nil || pod.Status.Phase != corev1.PodRunning && pod.Status.Phase != corev1.PodPending {
		return nil, due
	}
	status = pod.Status.DeepCopy()
	for i := range status.ContainerStatuses {
		next, at := nextOf(pod, i, metav1.NewTime(now))
		if at.IsZero() {
			continue
		}
		if due.IsZero() || at.Before(due) {
			due = at
		}
		if !at.After(now) {
			status.ContainerStatuses[i] = next
		}
	}
	if due.IsZero() {
		return nil, due
	}
	conclude(pod, status, metav1.NewTime(now))
	return status, due
}

// nextOf returns the next status of one container, and when it has that; zero means never.
func nextOf(pod *corev1.Pod, i int, now metav1.Time) (next corev1.ContainerStatus, at time.Time) {
	next = *pod.Status.ContainerStatuses[i].DeepCopy()
	switch state := next.State; {
	case state.Running != nil:
		reason, after, ends := ending(pod, i)
		if !ends {
			return next, at
		}
		next.Ready, next.Started = false, new(false)
		next.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: exitCode(reason), Reason: reason, StartedAt: state.Running.StartedAt, FinishedAt: now,
		}}
		return next, state.Running.StartedAt.Add(after)
	case state.Terminated != nil && restarts(pod, state.Terminated.ExitCode):
		next.LastTerminationState = state
		if next.RestartCount == 0 {
			start(&next, now)
		} else {
			next.State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{
				Reason:  crashLoop,
				Message: "back-off restarting failed container=" + next.Name + " pod=" + pod.Name + "_" + pod.Namespace + "(" + string(pod.UID) + ")",
			}}
		}
		return next, state.Terminated.FinishedAt.Add(settle)
	case state.Waiting != nil && state.Waiting.Reason == crashLoop && next.LastTerminationState.Terminated != nil:
		wait := min(mostBackoff, backoff<<min(max(next.RestartCount-1, 0), 10))
		start(&next, now)
		return next, next.LastTerminationState.Terminated.FinishedAt.Add(settle + wait)
	}
	return next, at
}

// ending returns why and after which time a container ends by itself, if it does.
func ending(pod *corev1.Pod, i int) (reason string, after time.Duration, ends bool) {
	name := pod.Status.ContainerStatuses[i].Name
	reason, ends = pod.Annotations[crashAnnotation+"."+name]
	if !ends && i == 0 {
		reason, ends = pod.Annotations[crashAnnotation]
	}
	switch owner := metav1.GetControllerOf(pod); {
	case ends:
		text, own := pod.Annotations[crashAfterAnnotation+"."+name]
		if !own {
			text = pod.Annotations[crashAfterAnnotation]
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < 0 {
			d = crashAfter
		}
		return reason, d, true
	case owner != nil && owner.Kind == "Job":
		return "Completed", workOfJob, true
	}
	return "", 0, false
}

func exitCode(reason string) int32 {
	switch reason {
	case "OOMKilled":
		return 137
	case "Completed":
		return 0
	}
	return 1
}

// restarts tells whether a container that ended with this exit code starts again.
func restarts(pod *corev1.Pod, code int32) bool {
	policy := pod.Spec.RestartPolicy
	return policy == corev1.RestartPolicyAlways || policy == "" || policy == corev1.RestartPolicyOnFailure && code != 0
}

func start(s *corev1.ContainerStatus, now metav1.Time) {
	s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}
	s.RestartCount++
	s.Ready, s.Started = true, new(true)
}

// conclude changes what follows from the containers: the phase, and whether the pod is ready.
func conclude(pod *corev1.Pod, status *corev1.PodStatus, now metav1.Time) {
	over, failed := true, false
	var unready []string
	for _, s := range status.ContainerStatuses {
		end := s.State.Terminated
		over = over && end != nil && !restarts(pod, end.ExitCode)
		failed = failed || end != nil && end.ExitCode != 0
		if !s.Ready {
			unready = append(unready, s.Name)
		}
	}
	state, reason, message := corev1.ConditionFalse, "ContainersNotReady", "containers with unready status: ["+strings.Join(unready, " ")+"]"
	switch {
	case over && failed:
		status.Phase, reason, message = corev1.PodFailed, "PodFailed", ""
	case over:
		status.Phase, reason, message = corev1.PodSucceeded, "PodCompleted", ""
	case len(unready) == 0:
		state, reason, message = corev1.ConditionTrue, "", ""
	}
	condition(status, corev1.ContainersReady, state, reason, message, now)
	if gate := closedGate(pod); state == corev1.ConditionTrue && gate != "" {
		state, reason, message = corev1.ConditionFalse, "ReadinessGatesNotReady", "the readiness gate "+gate+" isn't open"
	}
	condition(status, corev1.PodReady, state, reason, message, now)
}

// closedGate returns a readiness gate of the pod that isn't open, if there is one.
func closedGate(pod *corev1.Pod) string {
	for _, gate := range pod.Spec.ReadinessGates {
		if !slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
			return c.Type == gate.ConditionType && c.Status == corev1.ConditionTrue
		}) {
			return string(gate.ConditionType)
		}
	}
	return ""
}

func condition(status *corev1.PodStatus, kind corev1.PodConditionType, state corev1.ConditionStatus, reason, message string, now metav1.Time) {
	for i := range status.Conditions {
		c := &status.Conditions[i]
		if c.Type != kind {
			continue
		}
		if c.Status != state {
			c.LastTransitionTime = now
		}
		c.Status, c.Reason, c.Message = state, reason, message
	}
}
