package promises

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// told returns an error unless an event after the first ones says that the step is in the state.
func (p *program) told(after int, step, state string) error {
	events, _ := p.soFar()
	for _, e := range events[after:] {
		if e.Step == step && e.State == state {
			return nil
		}
	}
	select {
	case <-p.ended:
		return fmt.Errorf("the program has ended: %w: %s", p.err, p.errs.String())
	default:
		return fmt.Errorf("%s was not told to be %s: %+v", step, state, events[after:])
	}
}

// kill ends a component as a shortage of memory does.
func (p *program) kill(t *testing.T, component string) {
	t.Helper()
	if err := syscall.Kill(componentOf(t, p.dir, component), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

func TestComponentsThatDieAreStartedAgain(t *testing.T) {
	t.Parallel()
	const mine = "/api/v1/namespaces/default/configmaps/mine"
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral")
	p.mustReach(t, "ready")
	address := p.config(t, admin).Host
	p.mustKubectl(t, "", "create", "configmap", "mine", "--from-literal=a=b")

	for n, c := range []struct{ component, step string }{
		{"kube-apiserver", "apiserver"},
		{"etcd", "etcd"},
		{"kube-controller-manager", "controllers"},
		{"kube-scheduler", "controllers"},
		{"nodes", "nodes"},
	} {
		t.Run(c.component, func(t *testing.T) {
			events, _ := p.soFar()
			p.kill(t, c.component)
			eventually(t, "its death is told", func() error { return p.told(len(events), c.step, "restarting") })
			eventually(t, "its return is told", func() error { return p.told(len(events), c.step, "done") })
			eventually(t, "the API server is ready", func() error {
				got, err := p.request(t, admin, http.MethodGet, "/readyz", "*/*", "")
				if err == nil && got.code != http.StatusOK {
					err = fmt.Errorf("%d %s", got.code, got.body)
				}
				return err
			})
			if got := p.get(t, admin, mine); got.code != http.StatusOK {
				t.Errorf("what was there is not found: %d %s", got.code, got.body)
			}
			p.mustRun(t, fmt.Sprintf("after-%d", n))
			p.mustKubectl(t, "", "logs", "--namespace=shop", "carts-db-0")
		})
	}
	if now := p.config(t, admin).Host; now != address {
		t.Errorf("the API server was at %s and is at %s", address, now)
	}
	if got := p.get(t, admin, inShop); got.code != http.StatusOK {
		t.Errorf("the aggregated API: %d %s", got.code, got.body)
	}
}

// mustRun takes controllers, scheduler and nodes to hold: all of them have a part in a Deployment's pod that runs.
func (p *program) mustRun(t *testing.T, name string) {
	t.Helper()
	labels := map[string]string{"app": name}
	deployments := p.client(t, admin).AppsV1().Deployments("default")
	_, err := deployments.Create(t.Context(), &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: appsv1.DeploymentSpec{
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "example.com/c:1"}}},
			},
		},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "a new Deployment is available", func() error {
		now, err := deployments.Get(t.Context(), name, metav1.GetOptions{})
		if err == nil && now.Status.AvailableReplicas != 1 {
			err = errors.New("no pod of it is available")
		}
		return err
	})
}

func TestAComponentThatDiesDuringTheStartIsStartedAgain(t *testing.T) {
	t.Parallel()
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral")
	p.mustReach(t, "apiserver")
	p.kill(t, "kube-apiserver")
	p.mustReach(t, "ready")
}

func TestAComponentThatDiesAgainAndAgainIsGivenUp(t *testing.T) {
	t.Parallel()
	p := start(t, filepath.Join(t.TempDir(), "cluster"), "--ephemeral")
	p.mustReach(t, "apiserver")
	eventually(t, "it ends", func() error {
		for id, line := range processesOf(p.dir) {
			if strings.HasPrefix(line, "fieldmark-practice kube-apiserver ") {
				_ = syscall.Kill(id, syscall.SIGKILL) // it may just have ended
			}
		}
		select {
		case <-p.ended:
			return nil
		default:
			return errors.New("it runs")
		}
	})
	if code := p.wait(t); code == 0 {
		t.Error("it exited with 0")
	}
	const words = "kube-apiserver stopped by itself 5 times within 2 minutes (signal: killed)"
	events, _ := p.soFar()
	last := events[len(events)-1]
	if last.State != "failed" || !strings.Contains(last.Message, words) || !strings.Contains(last.Message, "\n  ") {
		t.Errorf("the last event is %+v", last)
	}
	if !strings.Contains(p.errs.String(), words) {
		t.Errorf("it said %q", p.errs.String())
	}
	_, log, _ := strings.Cut(strings.SplitN(last.Message, "\n", 2)[0], "its log: ")
	t.Cleanup(func() { _ = os.Remove(log) })
	if info, err := os.Stat(log); err != nil || info.Size() == 0 {
		t.Errorf("its log: %v", err)
	}
	allGone(t, p)
}
