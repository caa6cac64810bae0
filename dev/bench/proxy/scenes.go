// Package proxy measures requests through Fieldmark beside the same requests to the bare API server and to kubectl proxy.
package proxy

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// The parts of this family.
var (
	Scenes    = lab.Of(measureScenes)
	Recording = lab.Of(measureRecording)
	Page      = lab.Of(measurePage)
)

// scene is a kind of request whose throughput is compared.
type scene struct {
	name   string
	path   string
	accept string
	goal   string
}

var scenes = []scene{
	{name: "small GET (one namespace, JSON)", path: "/api/v1/namespaces/shop", goal: "≥ 1.0"},
	{name: "list of 500 (pods as a Table)", path: lab.PodsPath + "?limit=500", accept: lab.AsTable, goal: likeProxy},
	{name: "list of 500 (pods as JSON)", path: lab.PodsPath + "?limit=500", goal: likeProxy},
}

// largeScenes are those of lists that are too long for the parts that send thousands of requests.
var largeScenes = []scene{
	{name: "list of 5,000 (pods as a Table)", path: lab.PodsPath + "?limit=5000", accept: lab.AsTable, goal: likeProxy},
	{name: "list of 5,000 (pods as JSON)", path: lab.PodsPath + "?limit=5000", goal: likeProxy},
}

// likeProxy is the goal for lists, as a ratio to kubectl proxy.
const likeProxy = "≥ 1.1"

// leastRounds are enough for quartiles.
const leastRounds = 7

// comparison is the result of a scene: the paces of each way, one for each round.
type comparison struct {
	scene scene
	bytes int64
	paces map[string][]pace
	// byWrk are the paces of Fieldmark and of kubectl proxy with the other client; nil: wrk is missing.
	byWrk map[string][]pace
}

// pace is how fast a way was in one round.
type pace struct {
	rate      float64 // requests a second
	processor float64 // that the way's own program took for a request, in seconds; 0: there is no such program, or the system doesn't say
}

// comparisons are those of all scenes.
type comparisons []comparison

// ratios are one way's rates to another's in the same rounds.
func (c comparison) ratios(name, to string) []float64 { return ratios(c.paces, name, to) }

func ratios(paces map[string][]pace, name, to string) (ratios []float64) {
	for i, p := range paces[name] {
		ratios = append(ratios, p.rate/paces[to][i].rate)
	}
	return ratios
}

// each are the rates of a way, and the processor times of a request.
func each(paces map[string][]pace, name string) (rates, processor []float64) {
	for _, p := range paces[name] {
		rates, processor = append(rates, p.rate), append(processor, p.processor)
	}
	return rates, processor
}

func targets(l *lab.Lab) []lab.Target {
	return []lab.Target{l.Bare, l.Fieldmark, l.Proxy, l.Bare.OverHTTP2(l.Plan.Connections)}
}

func measureScenes(ctx context.Context, l *lab.Lab) (comparisons, error) {
	var all comparisons
	for _, s := range slices.Concat(scenes, largeScenes) {
		lab.Say(s.name)
		result, err := measureScene(ctx, l, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, result)
	}
	return all, nil
}

// measureScene compares the ways round by round. Each way is measured with one client directly after the other.
func measureScene(ctx context.Context, l *lab.Lab, s scene) (comparison, error) {
	c := comparison{scene: s, paces: map[string][]pace{}}
	if withWrk() {
		c.byWrk = map[string][]pace{}
	}
	targets := targets(l)
	for _, t := range targets { // warm up, and check that all responses are equal
		if _, err := measurePace(ctx, l, t, s, l.Plan.Span/4); err != nil {
			return c, err
		}
	}
	err := lab.InTurn(max(l.Plan.Rounds, leastRounds), len(targets), func(way int) error {
		t := targets[way]
		p, err := measurePace(ctx, l, t, s, l.Plan.Span)
		c.paces[t.Name] = append(c.paces[t.Name], p)
		if err != nil || c.byWrk == nil || t.PID == 0 { // wrk has no client certificate for the API server itself
			return err
		}
		p, err = measureWrk(ctx, l, t, s, wrkSpan(l.Plan.Span, p.rate))
		c.byWrk[t.Name] = append(c.byWrk[t.Name], p)
		return err
	})
	if err != nil {
		return c, err
	}
	size, _, err := l.Bare.Send(ctx, http.MethodGet, l.Bare.Prefix+s.path, nil, false, "Accept", s.accept)
	c.bytes = size
	return c, err
}

// measurePace measures a way, with the plan's connections always busy.
func measurePace(ctx context.Context, l *lab.Lab, t lab.Target, s scene, span time.Duration) (pace, error) {
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	used, start := lab.CPU(t.PID), time.Now()
	for range l.Plan.Connections {
		wg.Go(func() {
			for time.Since(start) < span && failed.Load() == nil {
				if _, _, err := t.Send(ctx, http.MethodGet, t.Prefix+s.path, nil, false, "Accept", s.accept); err != nil {
					failed.Store(&err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return pace{}, *err
	}
	requests := float64(done.Load())
	return pace{rate: requests / time.Since(start).Seconds(), processor: (lab.CPU(t.PID) - used) / requests}, nil
}

func (all comparisons) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "Requests a second, as a ratio to the bare API server, with %d pods present. Fieldmark records each request. The first three ways use\n"+
		"HTTP/1.1 with kept connections at the client's side; the last is the bare API server over HTTP/2, as kubectl talks to it. Client, proxy and\n"+
		"API server share the cores. Ratios are medians of %d rounds of %s each, with the quartiles of the rounds beside them. Each round measures every\n"+
		"way in turn, with %d connections. The client is Go's.\n\n"+
		"| request | bytes | bare, req/s | Fieldmark | kubectl proxy | bare over HTTP/2 |\n|---|---|---|---|---|---|\n",
		p.Pods, max(p.Rounds, leastRounds), p.Span, p.Connections)
	for _, c := range all {
		rates, _ := each(c.paces, lab.BareName)
		fmt.Fprintf(b, "| %s | %d | %.0f | %s | %s | %s |\n", c.scene.name, c.bytes, figures.Middle(rates), figures.Quartiles("%.2f", c.ratios(lab.OurName, lab.BareName)),
			figures.Quartiles("%.2f", c.ratios(lab.KubectlProxy, lab.BareName)), figures.Quartiles("%.2f", c.ratios(lab.BareHTTP2, lab.BareName)))
	}
	all.writeClients(b)
	b.WriteString("\n`docs/decisions/0078` says where the processor time goes, and why the rest of it remains. `docs/decisions/0147` compares the clients.\n")
}

// writeClients compares Fieldmark with kubectl proxy, by both clients.
func (all comparisons) writeClients(b *strings.Builder) {
	b.WriteString("\nFieldmark × kubectl proxy, by two clients in the same rounds: Go's, and `wrk` with one thread. The goal is for the lower quartile. Processor time\n" +
		"is what the proxy itself took for a request. Other programs affect it less than requests a second. `wrk` measures slow requests for up to 10 s.\n\n" +
		"| request | client | requests a second, ratio | goal | processor, Fieldmark | kubectl proxy | ratio |\n|---|---|---|---|---|---|---|\n")
	for _, c := range all {
		c.writeClient(b, "Go", c.paces)
		if c.byWrk != nil {
			c.writeClient(b, "wrk", c.byWrk)
		}
	}
	if slices.ContainsFunc(all, func(c comparison) bool { return c.byWrk == nil }) {
		b.WriteString("\n`wrk` isn't installed on this machine, so only Go's client measured.\n")
	}
}

func (c comparison) writeClient(b *strings.Builder, client string, paces map[string][]pace) {
	_, ours := each(paces, lab.OurName)
	_, theirs := each(paces, lab.KubectlProxy)
	var processor []float64
	for i := range ours {
		processor = append(processor, ours[i]/theirs[i])
	}
	fmt.Fprintf(b, "| %s | %s | %s | %s | %.0f µs | %.0f µs | %s |\n", c.scene.name, client, figures.Quartiles("%.2f", ratios(paces, lab.OurName, lab.KubectlProxy)),
		c.scene.goal, 1e6*figures.Middle(ours), 1e6*figures.Middle(theirs), figures.Quartiles("%.2f", processor))
}
