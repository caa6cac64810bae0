package nodes

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
)

// Count is how many nodes there are.
const Count = 3

// Name returns the name of a node; nodes count from 1.
func Name(n int) string { return fmt.Sprintf("node-%d", n) }

// registerAll creates or updates the nodes: the port of their kubelets
// changes at each start.
func registerAll(ctx context.Context, client kubernetes.Interface, kubeletPort int) error {
	version, err := serverVersion(ctx, client)
	if err != nil {
		return err
	}
	for n := 1; n <= Count; n++ {
		node := describe(n, kubeletPort, version, metav1.Now())
		err := wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(ctx context.Context) (bool, error) {
			return register(ctx, client, node)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// serverVersion is the API server's version. The kubelets have the same, as in most clusters.
func serverVersion(ctx context.Context, client kubernetes.Interface) (version string, err error) {
	err = wait.PollUntilContextCancel(ctx, 50*time.Millisecond, true, func(context.Context) (bool, error) {
		info, err := client.Discovery().ServerVersion()
		if err == nil {
			version = info.GitVersion
		}
		return err == nil, nil
	})
	return version, err
}

// register tries once. The API server refuses while it is still starting, so
// registerAll tries again.
func register(ctx context.Context, client kubernetes.Interface, node *corev1.Node) (bool, error) {
	_, err := client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return false, nil
	}
	status, err := json.Marshal(map[string]any{"status": node.Status})
	if err != nil {
		return false, err
	}
	_, err = client.CoreV1().Nodes().Patch(ctx, node.Name, types.StrategicMergePatchType, status,
		metav1.PatchOptions{}, "status")
	return err == nil, nil
}

func describe(n, kubeletPort int, version string, now metav1.Time) *corev1.Node {
	resources := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("16"),
		corev1.ResourceMemory:           resource.MustParse("64Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("200Gi"),
		corev1.ResourcePods:             resource.MustParse("5000"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: Name(n), Labels: labels(n)},
		Status: corev1.NodeStatus{
			Capacity: resources, Allocatable: resources,
			Conditions: conditions(now),
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeInternalIP, Address: "127.0.0.1"},
				{Type: corev1.NodeHostName, Address: Name(n)},
			},
			DaemonEndpoints: corev1.NodeDaemonEndpoints{
				KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(kubeletPort)},
			},
			NodeInfo: corev1.NodeSystemInfo{
				OperatingSystem: "linux", Architecture: runtime.GOARCH,
				OSImage: "none (simulated node)", KernelVersion: "none",
				ContainerRuntimeVersion: "simulated://none",
				KubeletVersion:          version,
			},
		},
	}
}

func labels(n int) map[string]string {
	return map[string]string{
		corev1.LabelHostname:           Name(n),
		corev1.LabelOSStable:           "linux",
		corev1.LabelArchStable:         runtime.GOARCH,
		corev1.LabelTopologyRegion:     "practice",
		corev1.LabelTopologyZone:       "practice-" + string(rune('a'+n-1)),
		corev1.LabelInstanceTypeStable: "simulated",
	}
}

func conditions(now metav1.Time) []corev1.NodeCondition {
	condition := func(kind corev1.NodeConditionType, status corev1.ConditionStatus, message string) corev1.NodeCondition {
		return corev1.NodeCondition{
			Type: kind, Status: status, Reason: "Simulated", Message: message,
			LastHeartbeatTime: now, LastTransitionTime: now,
		}
	}
	return []corev1.NodeCondition{
		condition(corev1.NodeMemoryPressure, corev1.ConditionFalse, "no memory is used"),
		condition(corev1.NodeDiskPressure, corev1.ConditionFalse, "no disk is used"),
		condition(corev1.NodePIDPressure, corev1.ConditionFalse, "no process runs"),
		condition(corev1.NodeReady, corev1.ConditionTrue, "the simulated node takes pods"),
	}
}
