package kubelet

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/utils/exec"

	"github.com/fieldmark/fieldmark/practice/filesystem"
	"github.com/fieldmark/fieldmark/practice/shell"
)

// limit is generous: what a test waits for takes a moment.
const limit = 30 * time.Second

// written tells when something is written.
type written struct{ begun chan struct{} }

func (w written) Write(p []byte) (int, error) {
	select {
	case w.begun <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (written) Close() error { return nil }

// TestACommandEndsWithItsContainer runs a command that doesn't end by itself.
func TestACommandEndsWithItsContainer(t *testing.T) {
	for name, end := range map[string]func(ctx context.Context, cluster kubernetes.Interface) error{
		"crashed": func(ctx context.Context, cluster kubernetes.Interface) error {
			p := pod()
			p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{StartedAt: started, FinishedAt: metav1.Now(), ExitCode: 1}}
			_, err := cluster.CoreV1().Pods("shop").UpdateStatus(ctx, p, metav1.UpdateOptions{})
			return err
		},
		"restarted": func(ctx context.Context, cluster kubernetes.Interface) error {
			p := pod()
			p.Status.ContainerStatuses[0].State.Running.StartedAt = metav1.Now()
			_, err := cluster.CoreV1().Pods("shop").UpdateStatus(ctx, p, metav1.UpdateOptions{})
			return err
		},
		"deleted": func(ctx context.Context, cluster kubernetes.Interface) error {
			return cluster.CoreV1().Pods("shop").Delete(ctx, "web", metav1.DeleteOptions{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			cluster := fake.NewClientset(pod())
			k := &kubelet{client: cluster, log: slog.New(slog.DiscardHandler), host: shell.NewHost(), containers: &containers{files: map[string]*filesystem.FS{}}}
			out, ended := written{make(chan struct{}, 1)}, make(chan error, 1)
			in, _ := io.Pipe()
			go func() {
				ended <- (&streams{k, ctx, "shop"}).ExecInContainer(ctx, "web", "", "app", []string{"sh", "-c", "echo begun; cat"}, in, out, out, false, nil, 0)
			}()
			<-out.begun
			if err := end(ctx, cluster); err != nil {
				t.Fatal(err)
			}
			var code exec.CodeExitError
			if err := <-ended; !errors.As(err, &code) || code.Code != 137 || ctx.Err() != nil {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// collected is what is written so far.
type collected struct {
	mu   sync.Mutex
	text strings.Builder
}

func (c *collected) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(p)
}

func (*collected) Close() error { return nil }

func (c *collected) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

// TestWhatIsAttachedSeesWhatIsWrittenUntilTheEnd attaches to a program that doesn't read.
func TestWhatIsAttachedSeesWhatIsWrittenUntilTheEnd(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	p := pod()
	p.Annotations = map[string]string{StyleAnnotation: "text", RateAnnotation: "50"}
	cluster := fake.NewClientset(p)
	k := &kubelet{client: cluster, log: slog.New(slog.DiscardHandler), host: shell.NewHost(), containers: &containers{files: map[string]*filesystem.FS{}}}
	out, ended := &collected{}, make(chan error, 1)
	go func() {
		ended <- (&streams{k, ctx, "shop"}).AttachContainer(ctx, "web", "", "app", nil, out, nil, true, nil)
	}()
	for ; strings.Count(out.String(), "\r\n") < 5; time.Sleep(time.Millisecond) {
		select {
		case err := <-ended:
			t.Fatalf("it ended with %v after %q", err, out)
		default:
		}
	}
	p.Status.ContainerStatuses[0].State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		StartedAt: started, FinishedAt: metav1.Now(), ExitCode: 7, Reason: "Error",
	}}
	if _, err := cluster.CoreV1().Pods("shop").UpdateStatus(ctx, p, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || !strings.HasSuffix(out.String(), "exit code 7 (Error)\r\n") {
		t.Errorf("it ended with %v after %q", err, out)
	}
}
