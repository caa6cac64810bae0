package cluster

import (
	"context"
	"slices"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/fieldmark/fieldmark/practice/progress"
	"github.com/fieldmark/fieldmark/practice/supervise"
)

// process is one process of the cluster, with what its restarts need.
type process struct {
	name string
	// program has the component; empty means this program.
	program string
	// step is the progress step that reports the component.
	step  progress.Step
	args  []string
	needs func(context.Context) error
	ready func(context.Context) error
}

// keep starts a component, and starts it again when it ends by itself. A component that ends again and again ends the
// cluster.
func (c *Cluster) keep(ctx context.Context, x process) (*supervise.Keeper, error) {
	log := c.folder.LogPath(x.name)
	k := &supervise.Keeper{
		Rule:  supervise.UsualRule(),
		Start: func() (*supervise.Process, error) { return c.spawner.Component(x.program, x.name, log, x.args...) },
		Needs: x.needs, Ready: x.ready,
		Died: func(death *supervise.Death, wait time.Duration) { c.died(x, death, wait) },
		Back: func() { c.back(x) },
		GivenUp: func(death *supervise.Death) {
			select {
			case c.deaths <- death:
			default: // another component was given up before
			}
		},
	}
	if err := k.Launch(); err != nil {
		return nil, err
	}
	c.keeping.Go(func() { k.Keep(ctx) })
	return k, nil
}

// died reports that a component starts again.
func (c *Cluster) died(x process, death *supervise.Death, wait time.Duration) {
	c.log.Warn("a component stopped by itself", "component", x.name, "how", death.How, "restart_in", wait)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.down[x.step], x.name) {
		c.down[x.step] = append(c.down[x.step], x.name)
	}
	c.report.Report(x.step, progress.Restarting, "%s stopped by itself (%s) and starts again", x.name, death.How)
}

// back reports that a component runs again. A step is done again when all its components run. If it was never done, the
// start reports it.
func (c *Cluster) back(x process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	down := c.down[x.step]
	at := slices.Index(down, x.name)
	if at < 0 {
		return // it was stopped on purpose
	}
	c.log.Info("a component runs again", "component", x.name)
	c.down[x.step] = slices.Delete(down, at, at+1)
	if c.done[x.step] && len(c.down[x.step]) == 0 {
		c.report.Report(x.step, progress.Done, "%s runs again", x.name)
	}
}

// RestartAPIServer takes the API server down, leaves it down for a while, and
// returns when it is ready again: same port, same certificates.
func (c *Cluster) RestartAPIServer(ctx context.Context, down time.Duration) error {
	if err := c.apiServer.Restart(ctx, down); err != nil {
		return err
	}
	return c.apiServerAnswers(ctx, "/readyz")
}

// apiServerAnswers waits until the API server responds with 200 at the path.
func (c *Cluster) apiServerAnswers(ctx context.Context, path string) error {
	client, err := kubernetes.NewForConfig(c.config("fieldmark-practice"))
	if err != nil {
		return err
	}
	return until(ctx, "the API server", answers(client, path))
}
