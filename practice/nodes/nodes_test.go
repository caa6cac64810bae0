package nodes

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
)

func TestStagesLoad(t *testing.T) {
	stages, err := loadStages()
	if err != nil {
		t.Fatal(err)
	}
	for kind, count := range map[string]int{"Pod": 3, "Node": 1} {
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
