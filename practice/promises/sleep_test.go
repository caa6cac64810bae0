package promises

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// TestWhatSleptBecomesReadyAgain stops the simulated nodes as a laptop that sleeps does, until the real node lifecycle
// controller has given them up: after its grace period, about a minute.
func TestWhatSleptBecomesReadyAgain(t *testing.T) {
	t.Parallel()
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
	p.readyAgain(t)
}

// asleep is longer than the node lifecycle controller waits for a node that it hears nothing of, which is 50 seconds, and than a node's lease.
const asleep = 58 * time.Second

// TestALaptopThatSlept stops all processes of a cluster at once, for longer than nodes may be silent. All of them go on at the same moment, so it is
// open which of them is first: the controller that gives nodes up, or the nodes.
func TestALaptopThatSlept(t *testing.T) {
	t.Parallel()
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral")
	p.mustReach(t, "ready")
	before := p.mustKubectl(t, "", "logs", "--namespace=shop", "carts-db-0")
	all := processesOf(p.dir)
	wake := func() {
		for id := range all {
			_ = syscall.Kill(id, syscall.SIGCONT) // it may be gone by then
		}
	}
	t.Cleanup(wake)
	for id := range all {
		if err := syscall.Kill(id, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(asleep) // the test is about this time
	wake()
	p.readyAgain(t)
	eventually(t, "the log goes on where it was", func() error { // kubectl gives up a connection on which nothing is heard for 45 seconds
		if now := p.mustKubectl(t, "", "logs", "--namespace=shop", "carts-db-0"); !strings.HasPrefix(now, before) || now == before {
			return fmt.Errorf("%d bytes after %d: %q", len(now), len(before), now)
		}
		return nil
	})
	p.mustKubectl(t, "", "create", "deployment", "after-sleep", "--namespace=shop", "--image=registry.example.com/a", "--replicas=2")
	p.mustKubectl(t, "", "rollout", "status", "--namespace=shop", "deployment/after-sleep", "--timeout=60s")
	for _, e := range p.soFarOf("restarting") {
		t.Errorf("a component was started again: %+v", e)
	}
}

// soFarOf returns the progress of one state.
func (p *program) soFarOf(state string) []event {
	events, _ := p.soFar()
	return slices.DeleteFunc(events, func(e event) bool { return e.State != state })
}

// readyAgain waits until all nodes and pods are ready, and nothing keeps pods from the nodes.
func (p *program) readyAgain(t *testing.T) {
	t.Helper()
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
	endpoints, err := client.DiscoveryV1().EndpointSlices("shop").List(t.Context(), metav1.ListOptions{LabelSelector: "kubernetes.io/service-name=storefront"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range endpoints.Items {
		for _, e := range endpoints.Items[i].Endpoints {
			of.endpoints++
			if e.Conditions.Ready != nil && *e.Conditions.Ready {
				ready.endpoints++
			}
		}
	}
	return ready, of
}
