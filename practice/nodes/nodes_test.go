package nodes

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/utils/gotpl"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
)

func TestStagesLoad(t *testing.T) {
	stages, err := loadStages()
	if err != nil {
		t.Fatal(err)
	}
	for kind, count := range map[string]int{"Pod": 5, "Node": 2} {
		if got := len(stages[internalversion.StageResourceRef{APIGroup: "v1", Kind: kind}]); got != count {
			t.Errorf("%s: %d stages, want %d", kind, got, count)
		}
	}
}

func TestNodesAreHonest(t *testing.T) {
	node := describe(2, 4711, "v1.33.13", metav1.Now())
	if node.Name != "node-2" || node.Status.DaemonEndpoints.KubeletEndpoint.Port != 4711 {
		t.Errorf("got %s at port %d", node.Name, node.Status.DaemonEndpoints.KubeletEndpoint.Port)
	}
	if got := node.Status.NodeInfo.KubeletVersion; got != "v1.33.13" {
		t.Errorf("its kubelet has version %s", got)
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

// stageFor returns the stage that comes next for an object, or one without a name.
func stageFor(t *testing.T, kind string, object any) *lifecycle.Stage {
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
		return &lifecycle.Stage{}
	}
	return stage
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
		if got := stageFor(t, "Pod", pod).Name(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPodsStartWaitAndAreDebugged(t *testing.T) {
	const waiting = "practice.fieldmark.dev/waiting"
	runs := corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}
	pulls := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "ErrImagePull"}}
	loops := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: crashLoop}}
	for _, c := range []struct {
		name        string
		phase       corev1.PodPhase
		annotation  string
		states      []corev1.ContainerState
		debug, want string
	}{
		{"runs", corev1.PodRunning, "", []corev1.ContainerState{runs, runs}, "", ""},
		{"new", corev1.PodPending, "", nil, "", "pod-start"},
		{"new, and the first can't start", corev1.PodPending, waiting, nil, "", "pod-waiting"},
		{"new, and the second can't start", corev1.PodPending, waiting + ".side", nil, "", "pod-waiting"},
		{"new, and a container that isn't there can't start", corev1.PodPending, waiting + ".none", nil, "", "pod-start"},
		{"the first can't start", corev1.PodPending, waiting, []corev1.ContainerState{pulls, runs}, "", ""},
		{"the second can't start", corev1.PodPending, waiting + ".side", []corev1.ContainerState{runs, pulls}, "", ""},
		{"the second can't start, and the first crashes", corev1.PodPending, waiting + ".side", []corev1.ContainerState{loops, pulls}, "", ""},
		{"the first can start now", corev1.PodPending, waiting + ".side", []corev1.ContainerState{pulls, pulls}, "", "pod-waiting"},
		{"all can start now", corev1.PodPending, "", []corev1.ContainerState{runs, pulls}, "", "pod-start"},
		{"debugged", corev1.PodRunning, "", []corev1.ContainerState{runs, runs}, "look", "pod-debug"},
	} {
		pod := running()
		pod.Spec.Containers = []corev1.Container{{Name: "c"}, {Name: "side"}}
		pod.Status.Phase, pod.Status.ContainerStatuses = c.phase, nil
		for i, state := range c.states {
			pod.Status.ContainerStatuses = append(pod.Status.ContainerStatuses, corev1.ContainerStatus{Name: pod.Spec.Containers[i].Name, State: state, Ready: true})
		}
		if c.annotation != "" {
			pod.Annotations = map[string]string{c.annotation: "ErrImagePull"}
		}
		if c.debug != "" {
			pod.Spec.EphemeralContainers = []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: c.debug}}}
		}
		if got := stageFor(t, "Pod", pod).Name(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// statusAfter returns the status that the next stage gives to a pod.
func statusAfter(t *testing.T, pod *corev1.Pod) corev1.PodStatus {
	t.Helper()
	address := func(...any) []string { return []string{"10.244.0.7"} }
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(pod)
	if err != nil {
		t.Fatal(err)
	}
	var patched struct{ Status corev1.PodStatus }
	_, err = stageFor(t, "Pod", pod).DoSteps(0, nil, object, gotpl.NewRenderer(gotpl.FuncMap{"NodeIPsWith": address, "PodIPsWith": address}), nil, nil,
		func(patch *lifecycle.Patch) error { return json.Unmarshal(patch.Data, &patched) }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return patched.Status
}

func TestOneContainerCanWaitWhileAnotherRuns(t *testing.T) {
	pod := running()
	pod.Spec.NodeName = "node-1"
	pod.Spec.Containers = []corev1.Container{{Name: "c", Image: "a:1"}, {Name: "side", Image: "b:1"}}
	pod.Annotations = map[string]string{"practice.fieldmark.dev/waiting.side": "ImagePullBackOff"}
	pod.Status = corev1.PodStatus{Phase: corev1.PodPending}

	first := statusAfter(t, pod)
	app, side := first.ContainerStatuses[0], first.ContainerStatuses[1]
	if first.Phase != corev1.PodPending || first.PodIP == "" || app.State.Running == nil || !app.Ready || side.Ready || side.State.Waiting.Reason != "ImagePullBackOff" {
		t.Errorf("%+v", first)
	}

	long := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	app.State.Running.StartedAt = long
	pod.Status, pod.Annotations = first, nil
	last := statusAfter(t, pod)
	if app, side := last.ContainerStatuses[0], last.ContainerStatuses[1]; last.Phase != corev1.PodRunning || side.State.Running == nil || !app.State.Running.StartedAt.Equal(&long) {
		t.Errorf("%+v", last)
	}
}

func TestNodesBecomeReadyAgain(t *testing.T) {
	for status, want := range map[corev1.ConditionStatus]string{
		corev1.ConditionTrue: "node-heartbeat", corev1.ConditionUnknown: "node-ready", corev1.ConditionFalse: "node-ready",
	} {
		node := describe(1, 1, "v1.37.1", metav1.Now())
		node.Status.Conditions[len(node.Status.Conditions)-1].Status = status
		if got := stageFor(t, "Node", node).Name(); got != want {
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
