package census

import (
	"bufio"
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/kube/census/reading"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/status"
	"github.com/fieldmark/fieldmark/kube/upgrade/gather"
	"github.com/fieldmark/fieldmark/server/api"
	"github.com/fieldmark/fieldmark/server/identity"
	"github.com/fieldmark/fieldmark/server/upstream"
	"github.com/fieldmark/fieldmark/server/wiretap"
)

// pass is one pass over a cluster.
type pass struct {
	*gather.Gathering

	owners   *owners
	reading  *reading.Reading
	panicked func(p any)
	over     atomic.Bool // all has been read, or the pass was stopped
}

// run reads the cluster. Definitions come first, because they decide about objects. The metrics may be long, so they arrive beside the objects.
func (w *pass) run(ctx context.Context) {
	defer w.over.Store(true)
	w.safely(func() {
		w.Definitions(ctx)
		w.Parts(ctx)
	})
	var metrics sync.WaitGroup
	metrics.Go(func() { w.safely(func() { w.Metrics(ctx) }) })
	w.reading.Run(ctx)
	metrics.Wait()
}

// safely keeps a panic from ending the process.
func (w *pass) safely(do func()) {
	defer func() {
		if p := recover(); p != nil {
			w.panicked(p)
		}
	}()
	do()
}

// report is the census as far as it is known. It reads until all parts of the pass have been read.
func (w *pass) report() report.Report {
	over := w.over.Load()
	r := w.reading.Report()
	if !over && r.Phase != report.Reading {
		r.Phase, r.Ended = report.Reading, time.Time{}
	}
	return r
}

// sender sends requests of a session. Each finds the cluster again, because tokens are renewed.
type sender struct {
	*Censuses

	session, cluster string
	login            <-chan struct{}
}

// client is the client for one request.
func (s *sender) client(ctx context.Context) (*api.Client, *status.Status) {
	found, err := s.opt.Resolve(identity.WithSession(ctx, s.session), s.cluster)
	if err != nil {
		return nil, refused(err)
	}
	select {
	case <-s.login:
		return nil, &status.Status{Message: "The credentials or the address in the kubeconfig changed."}
	default:
	}
	who := wiretap.Who{Session: s.session, Cluster: s.cluster, Origin: wiretap.Scan}
	return api.New(upstream.Target{Base: found.Base, Transport: s.opt.Tap.Transport(found.Transport, who)}), nil
}

func (s *sender) get(ctx context.Context, target, accept string) ([]byte, *status.Status) {
	client, no := s.client(ctx)
	if no != nil {
		return nil, no
	}
	return get(ctx, client, target, accept)
}

// Bounds of a text that is read line by line.
const (
	longestLine = 1 << 20
	longestText = 256 << 20 // the metrics of a large API server have 50 MB
)

// lines reads a text line by line, and keeps none of them.
func (s *sender) lines(ctx context.Context, target string, take func(line string)) *status.Status {
	client, no := s.client(ctx)
	if no != nil {
		return no
	}
	ctx, cancel := context.WithTimeout(ctx, reading.Patience)
	defer cancel()
	body, _, err := client.Stream(ctx, api.Request{Path: target, Accept: "text/plain", MaxBytes: longestText})
	if err != nil {
		return refused(err)
	}
	defer body.Close()
	all := bufio.NewScanner(body)
	all.Buffer(nil, longestLine)
	for all.Scan() {
		take(all.Text())
	}
	if err := all.Err(); err != nil {
		return refused(err)
	}
	return nil
}
