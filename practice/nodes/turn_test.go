package nodes

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var began = metav1.NewTime(time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC))

func after(d time.Duration) time.Time { return began.Add(d) }

// pair is a running pod with the containers app and side, which started together.
func pair(annotations string) *corev1.Pod {
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began}}
	pod := running()
	pod.Spec.RestartPolicy = corev1.RestartPolicyAlways
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", State: runs, Ready: true}, {Name: "side", State: runs, Ready: true}}
	pod.Annotations = map[string]string{}
	for _, pair := range strings.Fields(annotations) {
		key, value, _ := strings.Cut(pair, "=")
		pod.Annotations["practice.fieldmark.dev/"+key] = value
	}
	return pod
}

// said is a status in short: the phase, whether the pod is ready, and each container.
func said(s *corev1.PodStatus) string {
	text := string(s.Phase)
	for _, c := range s.Conditions {
		if c.Type == corev1.PodReady {
			text += " " + string(c.Status)
		}
	}
	for _, c := range s.ContainerStatuses {
		switch state := c.State; {
		case state.Running != nil:
			text += fmt.Sprintf(" run%d", c.RestartCount)
		case state.Waiting != nil:
			text += " " + state.Waiting.Reason
		default:
			text += fmt.Sprintf(" %s(%d)", state.Terminated.Reason, state.Terminated.ExitCode)
		}
	}
	return text
}

// turns applies all turns of a pod up to a time, each when it is due, and returns what was said.
func turns(t *testing.T, pod *corev1.Pod, until time.Time) []string {
	t.Helper()
	var all []string
	for range 100 {
		status, due := turn(pod, began.Time)
		if status == nil || due.After(until) {
			return all
		}
		status, _ = turn(pod, due)
		pod.Status = *status
		all = append(all, fmt.Sprint(due.Sub(began.Time), " ", said(status)))
	}
	t.Fatal("it never ends")
	return nil
}

func TestContainersEndAndStartAgain(t *testing.T) {
	for _, c := range []struct {
		name, annotations string
		restart           corev1.RestartPolicy
		owner             string
		want              string
	}{
		{"nothing to do", "", "", "", ""},
		{"a crash", "crash=Error", "", "", "10s Running False Error(1) run0, 11s Running True run1 run0, 21s Running False Error(1) run0, " +
			"22s Running False CrashLoopBackOff run0, 32s Running True run2 run0, 42s Running False Error(1) run0, 43s Running False CrashLoopBackOff run0"},
		{"of the second one", "crash.side=OOMKilled crash-after=30s", "", "", "30s Running False run0 OOMKilled(137), 31s Running True run0 run1"},
		{"of both", "crash.side=OOMKilled crash=Error crash-after=20s crash-after.app=50s", "", "", "20s Running False run0 OOMKilled(137), " +
			"21s Running True run0 run1, 41s Running False run0 OOMKilled(137), 42s Running False run0 CrashLoopBackOff, 50s Running False Error(1) CrashLoopBackOff, " +
			"51s Running False run1 CrashLoopBackOff, 52s Running True run1 run2"},
		{"at the same time", "crash=Error crash.side=Completed", corev1.RestartPolicyNever, "", "10s Failed False Error(1) Completed(0)"},
		{"one of two, for good", "crash=Error", corev1.RestartPolicyNever, "", "10s Running False Error(1) run0"},
		{
			"a good end isn't restarted", "crash=Completed crash.side=Error crash-after=25s", corev1.RestartPolicyOnFailure, "",
			"25s Running False Completed(0) Error(1), 26s Running False Completed(0) run1, 51s Running False Completed(0) Error(1), 52s Running False Completed(0) CrashLoopBackOff",
		},
		{"a job", "", corev1.RestartPolicyOnFailure, "Job", "1s Succeeded False Completed(0) Completed(0)"},
		{"a job that fails", "crash=Error crash-after=0s", corev1.RestartPolicyNever, "Job", "0s Running False Error(1) run0, 1s Failed False Error(1) Completed(0)"},
		{"another owner", "", corev1.RestartPolicyAlways, "ReplicaSet", ""},
		{"a time that isn't one", "crash=Error crash-after=soon", corev1.RestartPolicyNever, "", "10s Running False Error(1) run0"},
	} {
		pod := pair(c.annotations)
		if c.restart != "" {
			pod.Spec.RestartPolicy = c.restart
		}
		if c.owner != "" {
			pod.OwnerReferences = []metav1.OwnerReference{{Kind: c.owner, Controller: new(true)}}
		}
		if got := strings.Join(turns(t, pod, after(52*time.Second)), ", "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestAContainerWaitsTwiceAsLongEachTime(t *testing.T) {
	pod := pair("crash=Error crash-after=1s")
	ends := map[int32]time.Time{}
	waits := map[int32]time.Duration{}
	for range 60 {
		_, due := turn(pod, began.Time)
		status, _ := turn(pod, due)
		pod.Status = *status
		switch c := status.ContainerStatuses[0]; {
		case c.State.Terminated != nil:
			ends[c.RestartCount] = due
			if was := c.State.Terminated; !was.FinishedAt.Time.Equal(due) || due.Sub(was.StartedAt.Time) != time.Second {
				t.Errorf("it ran from %s to %s, and ended at %s", was.StartedAt, was.FinishedAt, due)
			}
		case c.State.Running != nil:
			waits[c.RestartCount] = due.Sub(ends[c.RestartCount-1])
		}
	}
	want := map[int32]time.Duration{}
	for i, seconds := range []float64{1, 11, 21, 41, 81, 161, 301, 301} {
		want[int32(i+1)] = time.Duration(seconds * float64(time.Second))
	}
	maps.DeleteFunc(waits, func(restarts int32, _ time.Duration) bool { return restarts > 8 })
	if !maps.Equal(waits, want) {
		t.Errorf("%v, want %v", waits, want)
	}
}

func TestWhatIsOverStaysOver(t *testing.T) {
	for name, change := range map[string]func(*corev1.Pod){
		"deleted":   func(p *corev1.Pod) { p.DeletionTimestamp = &began },
		"succeeded": func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded },
		"failed":    func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed },
		"waiting": func(p *corev1.Pod) {
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}
		},
	} {
		pod := pair("crash=Error")
		change(pod)
		if status, due := turn(pod, after(time.Hour)); status != nil {
			t.Errorf("%s: %s at %s", name, said(status), due)
		}
	}
}

func TestAClosedGateKeepsAPodUnready(t *testing.T) {
	pod := pair("crash=Error")
	pod.Status.Conditions[2].Status = corev1.ConditionFalse
	if got := turns(t, pod, after(11*time.Second)); len(got) != 2 || got[1] != "11s Running False run1 run0" {
		t.Errorf("%v", got)
	}
	if c := pod.Status.Conditions; c[0].Status != corev1.ConditionTrue || c[1].Reason != "ReadinessGatesNotReady" {
		t.Errorf("%+v", c)
	}
}
