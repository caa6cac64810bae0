package practice

import (
	"context"

	"github.com/fieldmark/fieldmark/server/cluster"
)

// Register adds the practice contexts to the registry. At first, their state is the progress. When the API server responds, they have their
// credentials. Register returns when the program or ctx has ended, so call it in its own goroutine. After the program's end, the state says why.
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
	for _, name := range p.Contexts() {
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

// Announce adds the practice contexts to the registry without credentials. Their state is the progress.
func Announce(p *Practice, r *cluster.Registry) {
	for _, name := range p.Contexts() {
		r.Put(r.Waiting(name, cluster.FromPractice, func() cluster.State { return StateOf(p.Progress()) }))
	}
}

// StateOf is the progress as a cluster's state, for the time before the API server responds.
func StateOf(g Progress) cluster.State {
	switch {
	case g.Build.failed():
		return cluster.State{Phase: cluster.Failed, Text: g.Summary(), Advice: "The first page of Fieldmark shows the log of the build. Correct the cause, then start Fieldmark with “make run” again. The build continues where it stopped."}
	case g.Failed != "":
		return cluster.State{Phase: cluster.Failed, Text: g.Summary(), Advice: "Correct the cause if the message names one, then start Fieldmark again. With --log-level debug, it prints the log of the practice cluster."}
	case g.Ended:
		return cluster.State{Phase: cluster.Unreachable, Text: g.Summary(), Advice: "Start Fieldmark again to get a new practice cluster."}
	case g.Build.underWay():
		return cluster.State{Phase: cluster.Compiling, Text: g.Summary(), Advice: "You can use your other clusters and read the field guide now. The practice cluster starts by itself after the compilation."}
	}
	return cluster.State{Phase: cluster.Starting, Text: g.Summary(), Advice: "The start takes some seconds."}
}

// interruption is the state of a cluster whose API server stopped by itself and starts again.
func interruption(g Progress) (state cluster.State, yes bool) {
	news, yes := g.Interrupted()
	return cluster.State{Phase: cluster.Starting, Text: news.Message, Advice: "The start takes some seconds."}, yes
}
