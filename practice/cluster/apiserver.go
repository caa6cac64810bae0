package cluster

import (
	"context"
	"sync"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/fieldmark/fieldmark/practice/controlplane"
	"github.com/fieldmark/fieldmark/practice/supervise"
)

// apiServer is the one component that may go down and come back.
type apiServer struct {
	mu      sync.Mutex
	process *supervise.Process
	// downs are the processes that were ended on purpose.
	downs map[*supervise.Process]bool
}

func (a *apiServer) expected(process *supervise.Process) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.downs[process]
}

func (a *apiServer) current() *supervise.Process {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.process
}

// kill ends the running API server as a crash would: without a farewell to
// anyone who watches.
func (a *apiServer) kill() {
	a.mu.Lock()
	process := a.process
	if a.downs == nil {
		a.downs = map[*supervise.Process]bool{}
	}
	a.downs[process] = true
	a.mu.Unlock()
	process.Kill()
}

func (c *Cluster) launchAPIServer() error {
	process, err := c.component(controlplane.APIServer,
		controlplane.APIServerArgs(c.port.port, c.etcdPort, c.certs)...)
	if err != nil {
		return err
	}
	c.apiServer.mu.Lock()
	defer c.apiServer.mu.Unlock()
	c.apiServer.process = process
	return nil
}

// RestartAPIServer takes the API server down, leaves it down for a while, and
// returns when it is ready again: same port, same certificates.
func (c *Cluster) RestartAPIServer(ctx context.Context, down time.Duration) error {
	c.apiServer.kill()
	select {
	case <-time.After(down):
	case <-ctx.Done(): // it must come back nevertheless
	}
	if err := c.launchAPIServer(); err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.config("fieldmark-practice"))
	if err != nil {
		return err
	}
	return until(ctx, "API server", answers(client, "/readyz"))
}
