package promises

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestWhatSleptBecomesReadyAgain stops the simulated nodes as a laptop that sleeps does, until the real node lifecycle
// controller has given them up: after its grace period, about a minute.
func TestWhatSleptBecomesReadyAgain(t *testing.T) {
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral")
	p.mustReach(t, "ready")
	nodes := componentOf(t, p.dir, "nodes")
	if err := syscall.Kill(nodes, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(nodes, syscall.SIGCONT) }) // it may be gone by then
	eventually(t, "nodes and pods are given up", func() error {
		ready, of := p.readiness(t)
		if ready.nodes > 0 || ready.pods > 0 || ready.endpoints > 0 {
			return fmt.Errorf("ready are %+v of %+v", ready, of)
		}
		return nil
	})
	if err := syscall.Kill(nodes, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, "all are ready again", func() error {
		ready, of := p.readiness(t)
		if ready != of || of.taints > 0 {
			return fmt.Errorf("ready are %+v of %+v", ready, of)
		}
		return nil
	})
}

// amounts are how many nodes there are, of the shop's storefront pods and endpoints, and of taints on the nodes.
type amounts struct{ nodes, pods, endpoints, taints int }

// readiness counts what is ready, and what there is.
func (p *program) readiness(t *testing.T) (ready, of amounts) {
	t.Helper()
	client := p.client(t, admin)
	nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range nodes.Items {
		of.nodes++
		of.taints += len(nodes.Items[i].Spec.Taints)
		for _, c := range nodes.Items[i].Status.Conditions {
			if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue {
				ready.nodes++
			}
		}
	}
	ready.taints = of.taints
	pods, err := client.CoreV1().Pods("shop").List(t.Context(), metav1.ListOptions{LabelSelector: "app=storefront"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range pods.Items {
		of.pods++
		for _, c := range pods.Items[i].Status.Conditions {
			if c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue {
				ready.pods++
			}
		}
	}
	slices, err := client.DiscoveryV1().EndpointSlices("shop").List(t.Context(), metav1.ListOptions{LabelSelector: "kubernetes.io/service-name=storefront"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range slices.Items {
		for _, e := range slices.Items[i].Endpoints {
			of.endpoints++
			if e.Conditions.Ready != nil && *e.Conditions.Ready {
				ready.endpoints++
			}
		}
	}
	return ready, of
}
