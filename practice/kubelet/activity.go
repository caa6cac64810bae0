package kubelet

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/fieldmark/fieldmark/practice/logs"
)

// Activity is how many lines a second a running container writes; 0 if it doesn't run. What a container uses grows with it.
func Activity(pod *corev1.Pod, name string) float64 {
	c, inits := containerOf(pod, name)
	status := statusOf(pod, name)
	if c == nil || status == nil || status.State.Running == nil {
		return 0
	}
	return logs.New(source(pod, c, inits, status.State)).Rate()
}
