package nodes

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
)

func TestStagesLoad(t *testing.T) {
	stages, err := loadStages()
	if err != nil {
		t.Fatal(err)
	}
	for kind, count := range map[string]int{"Pod": 9, "Node": 2} {
		if got := len(stages[internalversion.StageResourceRef{APIGroup: "v1", Kind: kind}]); got != count {
			t.Errorf("%s: %d stages, want %d", kind, got, count)
		}
	}
}

func TestNodesAreHonest(t *testing.T) {
	node := describe(2, 4711, metav1.Now())
	if node.Name != "node-2" || node.Status.DaemonEndpoints.KubeletEndpoint.Port != 4711 {
		t.Errorf("got %s at port %d", node.Name, node.Status.DaemonEndpoints.KubeletEndpoint.Port)
	}
	if node.Status.NodeInfo.OSImage != "none (simulated node)" {
		t.Errorf("it claims to run %q", node.Status.NodeInfo.OSImage)
	}
	for _, condition := range node.Status.Conditions {
		if condition.Type == corev1.NodeReady && condition.Status != corev1.ConditionTrue {
			t.Error("it is not ready")
		}
	}
}

// stageFor names the stage that comes next for an object, or nothing.
func stageFor(t *testing.T, kind string, object any) string {
	t.Helper()
	stages, err := loadStages()
	if err != nil {
		t.Fatal(err)
	}
	all, err := lifecycle.NewLifecycle(stages[internalversion.StageResourceRef{APIGroup: "v1", Kind: kind}])
	if err != nil {
		t.Fatal(err)
	}
	stage, err := all.Match(t.Context(), &lifecycle.Event{Data: object})
	if err != nil {
		t.Fatal(err)
	}
	if stage == nil {
		return ""
	}
	return stage.Name()
}

// running is a pod that runs, and is ready.
func running() *corev1.Pod {
	return &corev1.Pod{
		Spec: corev1.PodSpec{ReadinessGates: []corev1.PodReadinessGate{{ConditionType: "example.com/gate"}}},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning,
			Conditions: []corev1.PodCondition{
				{Type: corev1.ContainersReady, Status: corev1.ConditionTrue},
				{Type: corev1.PodReady, Status: corev1.ConditionTrue},
				{Type: "example.com/gate", Status: corev1.ConditionTrue},
			},
			ContainerStatuses: []corev1.ContainerStatus{{Name: "c", Ready: true}},
		},
	}
}

func TestPodsBecomeReadyAgain(t *testing.T) {
	const containers, ready, gate = 0, 1, 2
	set := func(condition int, status corev1.ConditionStatus) func(*corev1.Pod) {
		return func(p *corev1.Pod) { p.Status.Conditions[condition].Status = status }
	}
	notReady := set(ready, corev1.ConditionFalse)
	for _, c := range []struct {
		name   string
		change func(*corev1.Pod)
		want   string
	}{
		{"ready", func(*corev1.Pod) {}, ""},
		{"marked by the node lifecycle controller", notReady, "pod-ready"},
		{"without gates", func(p *corev1.Pod) { notReady(p); p.Spec.ReadinessGates = nil }, "pod-ready"},
		{"unknown", set(ready, corev1.ConditionUnknown), "pod-ready"},
		{"only its containers", set(containers, corev1.ConditionFalse), "pod-ready"},
		{"a gate is closed", func(p *corev1.Pod) { notReady(p); set(gate, corev1.ConditionFalse)(p) }, ""},
		{"a container is not ready", func(p *corev1.Pod) { notReady(p); p.Status.ContainerStatuses[0].Ready = false }, ""},
		{"to be deleted", func(p *corev1.Pod) { notReady(p); p.DeletionTimestamp = new(metav1.Now()) }, "pod-stop"},
		{"done", func(p *corev1.Pod) { notReady(p); p.Status.Phase = corev1.PodSucceeded }, ""},
	} {
		pod := running()
		c.change(pod)
		if got := stageFor(t, "Pod", pod); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestContainersCrashWaitAndRestart(t *testing.T) {
	const prefix = "practice.fieldmark.dev/"
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	ended := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1}}
	backoff := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	pulls := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}
	for _, c := range []struct {
		name        string
		phase       corev1.PodPhase
		annotation  string
		state       corev1.ContainerState
		restarts    int32
		restart     corev1.RestartPolicy
		ready       bool
		debug, want string
	}{
		{"runs", corev1.PodRunning, "", runs, 0, corev1.RestartPolicyAlways, true, "", ""},
		{"will crash", corev1.PodRunning, "crash", runs, 0, corev1.RestartPolicyAlways, true, "", "pod-crash"},
		{"crashed once", corev1.PodRunning, "crash", ended, 0, corev1.RestartPolicyAlways, false, "", "pod-restart"},
		{"crashed again", corev1.PodRunning, "crash", ended, 1, corev1.RestartPolicyAlways, false, "", "pod-backoff"},
		{"waits to restart", corev1.PodRunning, "crash", backoff, 1, corev1.RestartPolicyAlways, false, "", "pod-restart"},
		{"never restarts", corev1.PodFailed, "crash", ended, 0, corev1.RestartPolicyNever, false, "", ""},
		{"new", corev1.PodPending, "", corev1.ContainerState{}, 0, corev1.RestartPolicyAlways, false, "", "pod-start"},
		{"new, and can't start", corev1.PodPending, "waiting", corev1.ContainerState{}, 0, corev1.RestartPolicyAlways, false, "", "pod-waiting"},
		{"can't start", corev1.PodPending, "waiting", pulls, 0, corev1.RestartPolicyAlways, false, "", ""},
		{"can start now", corev1.PodPending, "", pulls, 0, corev1.RestartPolicyAlways, false, "", "pod-start"},
		{"debugged", corev1.PodRunning, "", runs, 0, corev1.RestartPolicyAlways, true, "look", "pod-debug"},
		{"debugged before it crashes", corev1.PodRunning, "crash", runs, 0, corev1.RestartPolicyAlways, true, "look", "pod-debug"},
	} {
		pod := running()
		pod.Status.Phase, pod.Spec.RestartPolicy = c.phase, c.restart
		pod.Status.ContainerStatuses[0].State, pod.Status.ContainerStatuses[0].RestartCount = c.state, c.restarts
		pod.Status.ContainerStatuses[0].Ready = c.ready
		if c.annotation != "" {
			pod.Annotations = map[string]string{prefix + c.annotation: "ErrImagePull"}
		}
		if c.debug != "" {
			pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: c.debug}}}
		}
		if got := stageFor(t, "Pod", pod); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestNodesBecomeReadyAgain(t *testing.T) {
	for status, want := range map[corev1.ConditionStatus]string{
		corev1.ConditionTrue: "node-heartbeat", corev1.ConditionUnknown: "node-ready", corev1.ConditionFalse: "node-ready",
	} {
		node := describe(1, 1, metav1.Now())
		node.Status.Conditions[len(node.Status.Conditions)-1].Status = status
		if got := stageFor(t, "Node", node); got != want {
			t.Errorf("%s: %q, want %q", status, got, want)
		}
	}
}

func TestANodeThatIsReadyAgainSaysWhatItSaidBefore(t *testing.T) {
	stage, err := stageFiles.ReadFile("stages/node-ready.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range conditions(metav1.Now()) {
		want := "{type: " + string(c.Type) + `, status: "` + string(c.Status) + `", reason: ` + c.Reason + ", message: " + c.Message + ","
		if !strings.Contains(string(stage), want) {
			t.Errorf("the stage lacks %s", want)
		}
	}
}
