package practice

import (
	"context"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// Register makes the practice contexts known: at once, with the progress as their state, and with their
// credentials when the API server answers. It returns when the program has ended or ctx has; run it in a
// goroutine of its own. When the program has ended, the contexts' state says so.
func Register(ctx context.Context, p *Practice, r *cluster.Registry) error {
	Announce(p, r)
	select {
	case <-p.APIReady():
	case <-p.Done():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := r.AddFile(p.KubeconfigPath, cluster.FromPractice); err != nil {
		return err
	}
	for _, name := range []string{cluster.Practice, cluster.PracticeViewer} {
		r.Interrupt(name, func() (cluster.State, bool) { return interruption(p.Progress()) })
	}
	select {
	case <-p.Done():
		Announce(p, r)
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Announce makes the practice contexts known by their names alone, with the progress as their state.
func Announce(p *Practice, r *cluster.Registry) {
	for _, name := range []string{cluster.Practice, cluster.PracticeViewer} {
		r.Put(r.Waiting(name, cluster.FromPractice, func() cluster.State { return StateOf(p.Progress()) }))
	}
}

// StateOf is the progress as a cluster's state, for the time before the cluster can be asked itself.
func StateOf(g Progress) cluster.State {
	switch {
	case g.Failed != "":
		return cluster.State{Phase: cluster.Failed, Text: g.Summary(), Advice: "Start Fieldmark again; with --log-level debug it shows the practice cluster's own log."}
	case g.Ended:
		return cluster.State{Phase: cluster.Unreachable, Text: g.Summary(), Advice: "Start Fieldmark again to have a new one."}
	}
	return cluster.State{Phase: cluster.Starting, Text: g.Summary(), Advice: "Look again in a moment; this takes seconds."}
}

// interruption is the state of a cluster whose API server stopped by itself and starts again.
func interruption(g Progress) (state cluster.State, yes bool) {
	news, yes := g.Interrupted()
	return cluster.State{Phase: cluster.Starting, Text: news.Message, Advice: "Look again in a moment; this takes seconds."}, yes
}
