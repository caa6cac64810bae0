package main

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// scene is a kind of request whose throughput is compared.
type scene struct {
	name   string
	path   string
	accept string
	goal   string
}

var scenes = []scene{
	{name: "small GET (one namespace, JSON)", path: "/api/v1/namespaces/shop", goal: "≥ 0.85 of bare"},
	{name: "list of 500 (pods as a Table)", path: podsPath + "?limit=500", accept: asTable, goal: likeProxy},
	{name: "list of 500 (pods as JSON)", path: podsPath + "?limit=500", goal: likeProxy},
}

// largeScenes are those of lists that are too long for the parts that send thousands of requests.
var largeScenes = []scene{
	{name: "list of 5,000 (pods as a Table)", path: podsPath + "?limit=5000", accept: asTable, goal: likeProxy},
	{name: "list of 5,000 (pods as JSON)", path: podsPath + "?limit=5000", goal: likeProxy},
}

// Names of the ways, and the goal of a list.
const (
	bareName     = "bare API server"
	ourName      = "Fieldmark"
	kubectlProxy = "kubectl proxy"
	bareHTTP2    = "bare API server, HTTP/2"
	likeProxy    = "≥ 1.0 × kubectl proxy"
)

// comparison is the result of a scene: the paces of each way, one for each round.
type comparison struct {
	scene scene
	bytes int64
	paces map[string][]pace
}

// pace is how fast a way was in one round.
type pace struct {
	rate      float64 // requests a second
	processor float64 // that the way's own program took for a request, in seconds; 0: there is no such program, or the system doesn't say
}

// comparisons are those of all scenes.
type comparisons []comparison

// ratios are one way's rates to another's in the same rounds.
func (c comparison) ratios(name, to string) (ratios []float64) {
	for i, p := range c.paces[name] {
		ratios = append(ratios, p.rate/c.paces[to][i].rate)
	}
	return ratios
}

// each are the rates of a way, and the processor times of a request.
func (c comparison) each(name string) (rates, processor []float64) {
	for _, p := range c.paces[name] {
		rates, processor = append(rates, p.rate), append(processor, p.processor)
	}
	return rates, processor
}

func (l *lab) targets() []target {
	return []target{l.bare, l.fieldmark, l.proxy, l.bare.overHTTP2(l.plan.connections)}
}

func (l *lab) measureScenes(ctx context.Context) (comparisons, error) {
	var all comparisons
	for _, s := range slices.Concat(scenes, largeScenes) {
		say(s.name)
		result, err := l.measureScene(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		all = append(all, result)
	}
	return all, nil
}

// measureScene compares the ways round by round. Each round begins with another way, so no way
// has a better position in all rounds.
func (l *lab) measureScene(ctx context.Context, s scene) (comparison, error) {
	c := comparison{scene: s, paces: map[string][]pace{}}
	targets := l.targets()
	for _, t := range targets { // warm up, and check that all responses are equal
		if _, err := l.pace(ctx, t, s, l.plan.span/4); err != nil {
			return c, err
		}
	}
	for round := range l.plan.rounds {
		for i := range targets {
			t := targets[(round+i)%len(targets)]
			p, err := l.pace(ctx, t, s, l.plan.span)
			if err != nil {
				return c, err
			}
			c.paces[t.name] = append(c.paces[t.name], p)
		}
	}
	size, _, err := l.bare.sendRequest(ctx, http.MethodGet, l.bare.prefix+s.path, s.accept, nil, false)
	c.bytes = size
	return c, err
}

// pace measures a way, with the plan's connections always busy.
func (l *lab) pace(ctx context.Context, t target, s scene, span time.Duration) (pace, error) {
	var done atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	used, start := cpu(t.pid), time.Now()
	for range l.plan.connections {
		wg.Go(func() {
			for time.Since(start) < span && failed.Load() == nil {
				if _, _, err := t.sendRequest(ctx, http.MethodGet, t.prefix+s.path, s.accept, nil, false); err != nil {
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
	return pace{rate: requests / time.Since(start).Seconds(), processor: (cpu(t.pid) - used) / requests}, nil
}

// pageTimes are medians over many alternating requests.
type pageTimes struct {
	api, page time.Duration // the API server's own answer for the first chunk; the whole page
	extra     time.Duration // median of the differences
	apiBytes  int64
	htmlBytes int64
	requests  int
}

// measurePage compares the collection page of all the pods with the API server's own time for the
// page's first chunk.
func (l *lab) measurePage(ctx context.Context) (pageTimes, error) {
	const times = 60
	p := pageTimes{requests: times}
	var api, page, extra []time.Duration
	for i := range times + 5 {
		a, bytes, err := l.clock(ctx, l.bare, podsPath+"?limit=500", asTable)
		if err != nil {
			return p, err
		}
		h, html, err := l.clock(ctx, l.fieldmark, "/c/"+contextName+podsPath, "text/html")
		if err != nil {
			return p, err
		}
		if p.apiBytes, p.htmlBytes = bytes, html; i < 5 {
			continue // warming up
		}
		api, page, extra = append(api, a), append(page, h), append(extra, h-a)
	}
	p.api, p.page, p.extra = middle(api), middle(page), middle(extra)
	return p, nil
}

func (l *lab) clock(ctx context.Context, t target, path, accept string) (time.Duration, int64, error) {
	if accept != "text/html" {
		path = t.prefix + path
	}
	start := time.Now()
	size, _, err := t.sendRequest(ctx, http.MethodGet, path, accept, nil, false)
	return time.Since(start), size, err
}

func middle(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// startTimes are the times of all starts.
type startTimes []time.Duration

// measureStarts measures the time from starting fieldmark without a practice cluster to its ready line.
func (l *lab) measureStarts(ctx context.Context) (startTimes, error) {
	var times startTimes
	for range l.plan.rounds {
		start := time.Now()
		if _, err := l.startFieldmark(ctx); err != nil {
			return nil, fmt.Errorf("starting fieldmark: %w", err)
		}
		times = append(times, time.Since(start))
		l.stopLast()
	}
	return times, nil
}

func (all comparisons) writeSection(b *strings.Builder, p plan) {
	fmt.Fprintf(b, "Requests a second, as a ratio to the bare API server, with %d pods present. Fieldmark records each request. The first three ways use\n"+
		"HTTP/1.1 with kept connections at the client's side; the last is the bare API server over HTTP/2, as kubectl talks to it. Client, proxy and\n"+
		"API server share the cores. Ratios are medians of %d rounds of %s each, with the range of the rounds beside them. Each round measures every\n"+
		"way in turn, with %d connections.\n\n"+
		"| request | bytes | bare, req/s | Fieldmark | kubectl proxy | bare over HTTP/2 | Fieldmark × kubectl proxy | goal for Fieldmark |\n|---|---|---|---|---|---|---|---|\n",
		p.pods, p.rounds, p.span, p.connections)
	for _, c := range all {
		rates, _ := c.each(bareName)
		fmt.Fprintf(b, "| %s | %d | %.0f | %s | %s | %s | %s | %s |\n", c.scene.name, c.bytes, quantileOf(rates, 0.5), spread(c.ratios(ourName, bareName)),
			spread(c.ratios(kubectlProxy, bareName)), spread(c.ratios(bareHTTP2, bareName)), spread(c.ratios(ourName, kubectlProxy)), c.scene.goal)
	}
	b.WriteString("\nProcessor time that the proxy itself took for a request, in the same rounds. Other programs affect it less than requests a second.\n\n" +
		"| request | Fieldmark | kubectl proxy | Fieldmark × kubectl proxy |\n|---|---|---|---|\n")
	for _, c := range all {
		_, ours := c.each(ourName)
		_, theirs := c.each(kubectlProxy)
		us, them := quantileOf(ours, 0.5), quantileOf(theirs, 0.5)
		fmt.Fprintf(b, "| %s | %.0f µs | %.0f µs | **%.2f** |\n", c.scene.name, 1e6*us, 1e6*them, us/them)
	}
	b.WriteString("\n`docs/decisions/0078` says where the processor time goes, and why the rest of it remains.\n")
}

// spread is the median with the range.
func spread(all []float64) string {
	return fmt.Sprintf("**%.2f** (%.2f–%.2f)", quantileOf(all, 0.5), slices.Min(all), slices.Max(all))
}

func (t pageTimes) writeSection(b *strings.Builder, p plan) {
	fmt.Fprintf(b, "%d pods, first chunk of 500 rows; medians of %d alternating requests.\n\n"+
		"| | time | bytes |\n|---|---|---|\n| API server's own answer for the first chunk | %.1f ms | %d |\n| the page, HTML complete | %.1f ms | %d |\n"+
		"| **over the API server's own time** (median of the differences; goal ≤ 60 ms) | **%.1f ms** | |\n",
		p.pods, t.requests, ms(t.api), t.apiBytes, ms(t.page), t.htmlBytes, ms(t.extra))
}

func (all startTimes) writeSection(b *strings.Builder, _ plan) {
	fmt.Fprintf(b, "`bin/fieldmark --practice off`, from its start to the line that says it is ready: **%.0f ms** (median of %d; goal ≤ 500 ms).\n",
		ms(middle(slices.Clone(all))), len(all))
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
