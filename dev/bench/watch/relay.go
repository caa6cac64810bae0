// Package watch measures what following costs: events, open pages in which nothing happens, and a scan for contention.
package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
	"github.com/fieldmark/fieldmark/dev/bench/socket"
)

// The parts of this family.
var (
	Relay   = lab.Of(measureRelay)
	Sockets = lab.Of(measureSockets)
	Scan    = lab.Of(measureScan)
)

// relayTimes is the cost of following.
type relayTimes struct {
	crowds []crowd
	idle   idleCost
	asked  int // the planned number of events per second
}

// crowd is a number of pages that follow the same events.
type crowd struct {
	name      string
	sockets   int
	stuck     bool            // another page of the session reads nothing
	events    int             // the number of events of the direct watch
	missed    int             // those that didn't arrive at a socket, of all sockets
	seconds   float64         // the duration in seconds
	added     []time.Duration // per event and socket: the delay after the direct watch
	relay     float64         // processor seconds of Fieldmark
	apiServer float64         // processor seconds of the API server, with the direct watch
}

// idleCost is the cost of pages that follow objects without changes.
type idleCost struct {
	sessions, each int
	bytes          int64 // of memory, resident, in all
}

const (
	relayNamespace = "relay"
	relayPath      = "/api/v1/namespaces/" + relayNamespace + "/configmaps"
	relaySockets   = 10
	// settled is the wait before idle sessions are measured. Memory that was needed to open them is free by then.
	settled = 100 * time.Second
	// settling is the wait after the watches were opened.
	settling = 500 * time.Millisecond
)

// measureRelay compares the events that pages get with those of a direct watch of the API server at the same time.
func measureRelay(ctx context.Context, l *lab.Lab) (relayTimes, error) {
	t := relayTimes{asked: l.Plan.Events}
	for _, c := range []struct {
		crowd
		sessions int
	}{
		{crowd{name: "10 pages of one session"}, 1},
		{crowd{name: "the same, and one more page that reads nothing", stuck: true}, 1},
		{crowd{name: "10 pages of 10 sessions"}, relaySockets},
	} {
		measured, err := measureCrowd(ctx, l, c.crowd, c.sessions)
		if err != nil {
			return t, fmt.Errorf("%s: %w", c.name, err)
		}
		t.crowds = append(t.crowds, measured)
	}
	var err error
	t.idle, err = measureIdle(ctx, l)
	return t, err
}

func measureCrowd(ctx context.Context, l *lab.Lab, c crowd, sessions int) (crowd, error) {
	c.sockets = relaySockets
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	calm, err := l.Storm(ctx, relayNamespace, 500, l.Plan.Events)
	if err != nil {
		return c, err
	}
	defer calm()
	all := make([]*socket.Arrivals, relaySockets+1)
	for i := range all {
		all[i] = &socket.Arrivals{At: map[string]time.Time{}}
	}
	followed, err := follow(ctx, l, sessions, all[1:], c.stuck)
	if err != nil {
		return c, err
	}
	defer followed.Close()
	if err := watchDirectly(ctx, l, all[0]); err != nil {
		return c, err
	}
	time.Sleep(settling) // what happened while the watches were opened isn't compared
	relay, server := l.PIDOf("fieldmark"), l.APIServer()
	beforeRelay, beforeServer, begun := lab.CPU(relay), lab.CPU(server), time.Now()
	if err := lab.Pause(ctx, 2*l.Plan.Span); err != nil {
		return c, err
	}
	ended := time.Now()
	c.relay, c.apiServer, c.seconds = lab.CPU(relay)-beforeRelay, lab.CPU(server)-beforeServer, ended.Sub(begun).Seconds()
	time.Sleep(time.Second) // wait until events on their way arrive
	c.compare(all, begun, ended)
	if len(c.added) == 0 {
		return c, errors.New("no event arrived both ways")
	}
	return c, nil
}

// compare uses the events of the direct watch in this time.
func (c *crowd) compare(all []*socket.Arrivals, begun, ended time.Time) {
	first := all[0].Copy()
	for version, direct := range first {
		if direct.Before(begun) || direct.After(ended) {
			delete(first, version)
		}
	}
	c.events = len(first)
	for _, a := range all[1:] {
		for version, at := range a.Copy() {
			if direct, ok := first[version]; ok {
				c.added = append(c.added, at.Sub(direct))
			}
		}
	}
	c.missed = c.events*len(all[1:]) - len(c.added)
}

// follow opens a socket for each of the arrivals, spread over sessions, and one that nobody reads if that is wanted.
func follow(ctx context.Context, l *lab.Lab, sessions int, all []*socket.Arrivals, stuck bool) (socket.Sockets, error) {
	var open socket.Sockets
	var cookies []string
	for range sessions {
		cookie, err := socket.SignIn(ctx, l.Fieldmark, url.Values{"token": {l.Token}})
		if err != nil {
			return nil, err
		}
		cookies = append(cookies, cookie)
	}
	if stuck {
		all = append([]*socket.Arrivals{nil}, all...)
	}
	for i, a := range all {
		s, err := socket.Dial(ctx, l.Fieldmark.Origin, cookies[i%sessions])
		if err != nil {
			open.Close()
			return nil, err
		}
		open = append(open, s)
		if err := s.Subscribe(1, relayPath); err != nil {
			open.Close()
			return nil, err
		}
		if a != nil {
			go s.Receive(a)
		}
	}
	return open, nil
}

// watchDirectly watches the API server itself, and returns once it answers.
func watchDirectly(ctx context.Context, l *lab.Lab, a *socket.Arrivals) error {
	direct := l.Bare.OverHTTP2(1)
	version, err := versionNow(ctx, l, relayPath)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, direct.Origin+relayPath+"?watch=1&resourceVersion="+version, nil)
	if err != nil {
		return fmt.Errorf("watching: %w", err)
	}
	request.Header.Set("Accept", lab.AsTable)
	answer, err := direct.Client.Do(request) //nolint:bodyclose // closed by whoever reads it
	if err != nil {
		return fmt.Errorf("watching: %w", err)
	}
	go func() {
		defer answer.Body.Close()
		for r := bufio.NewReaderSize(answer.Body, 64<<10); ; {
			line, err := r.ReadBytes('\n')
			if err != nil {
				return
			}
			a.See(line, time.Now())
		}
	}()
	return nil
}

// versionNow is the version of a collection. A watch that begins with it has events of changes only, and none for objects that exist.
func versionNow(ctx context.Context, l *lab.Lab, path string) (string, error) {
	_, text, err := l.Bare.Do(ctx, http.MethodGet, path+"?limit=1", nil)
	if err != nil {
		return "", fmt.Errorf("the version of a collection: %w", err)
	}
	var list struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return "", fmt.Errorf("the version of a collection: %w", err)
	}
	return list.Metadata.ResourceVersion, nil
}

// measureIdle opens sessions whose pages follow what doesn't change, and weighs Fieldmark before and after.
func measureIdle(ctx context.Context, l *lab.Lab) (idleCost, error) {
	cost := idleCost{sessions: l.Plan.Sessions, each: len(socket.Quiet)}
	fieldmark, err := l.StartFieldmark(ctx) // one that has done nothing yet
	if err != nil {
		return cost, err
	}
	defer l.StopLast()
	before := lab.Resident(fieldmark.PID)
	open, err := socket.OpenQuiet(ctx, fieldmark, cost.sessions, 1, cost.each, func(int) url.Values { return url.Values{"token": {l.Token}} })
	defer func() { open.Close() }()
	if err != nil {
		return cost, err
	}
	time.Sleep(settled)
	cost.bytes = lab.Resident(fieldmark.PID) - before
	return cost, nil
}

func (t relayTimes) WriteSection(b *strings.Builder, _ lab.Plan) {
	fmt.Fprintf(b, "500 ConfigMaps are rewritten straight in the store, %d times a second in all. Each event's time at a page's socket is compared\n"+
		"with its time at a watch of the API server itself, in the same process and the same moments (goal for the 99th percentile ≤ 50 ms).\n"+
		"Fieldmark gathers events for 12 ms. Processor time is that of the whole program in the span (goal: no more than the API server's).\n"+
		"Browsers of a local Fieldmark share a watch, so 10 sessions need one.\n\n"+
		"| | events/s | deliveries/s | missed | added, median | p99 | Fieldmark's processor | API server's |\n|---|---|---|---|---|---|---|---|\n", t.asked)
	for _, c := range t.crowds {
		fmt.Fprintf(b, "| %s | %.0f | %.0f | %d | %.1f ms | **%.1f ms** | %.0f %% of a core | %.0f %% |\n", c.name, float64(c.events)/c.seconds, float64(len(c.added))/c.seconds, c.missed,
			figures.MS(figures.Quantile(c.added, 0.5)), figures.MS(figures.Quantile(c.added, 0.99)), 100*c.relay/c.seconds, 100*c.apiServer/c.seconds)
	}
	if runtime.GOOS == "linux" && t.idle.sessions > 0 {
		fmt.Fprintf(b, "\n%d sessions, each with one page of %d subscriptions to what doesn't change: **%.0f kB** of memory a session (goal ≤ 100).\n",
			t.idle.sessions, t.idle.each, float64(t.idle.bytes)/float64(t.idle.sessions)/1000)
	}
}
