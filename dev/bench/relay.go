package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
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
	added     []time.Duration // per event and socket: the delay after the direct watch, sorted
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
func (l *lab) measureRelay(ctx context.Context) (relayTimes, error) {
	t := relayTimes{asked: l.plan.events}
	for _, c := range []struct {
		crowd
		sessions int
	}{
		{crowd{name: "10 pages of one session"}, 1},
		{crowd{name: "the same, and one more page that reads nothing", stuck: true}, 1},
		{crowd{name: "10 pages of 10 sessions"}, relaySockets},
	} {
		measured, err := l.measureCrowd(ctx, c.crowd, c.sessions)
		if err != nil {
			return t, fmt.Errorf("%s: %w", c.name, err)
		}
		t.crowds = append(t.crowds, measured)
	}
	var err error
	t.idle, err = l.measureIdle(ctx)
	return t, err
}

// arrivals are the times at which versions were seen first.
type arrivals struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (a *arrivals) see(text []byte, now time.Time) {
	const mark = `"resourceVersion":"`
	a.mu.Lock()
	defer a.mu.Unlock()
	for {
		i := bytes.Index(text, []byte(mark))
		if i < 0 {
			return
		}
		text = text[i+len(mark):]
		end := bytes.IndexByte(text, '"')
		if end < 0 {
			return
		}
		if version := string(text[:end]); a.at[version].IsZero() {
			a.at[version] = now
		}
	}
}

// noteVersions notes the versions of rows in a message to a page. In each event, a row is a string with fields separated by tabs: uid,
// namespace, name, version and more.
func (a *arrivals) noteVersions(text []byte, now time.Time) {
	const mark, version = `"row":"`, 3
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, row := range bytes.Split(text, []byte(mark))[1:] {
		fields := bytes.SplitN(row, []byte(`\t`), version+2)
		if len(fields) <= version {
			continue
		}
		if version := string(fields[version]); a.at[version].IsZero() {
			a.at[version] = now
		}
	}
}

func (l *lab) measureCrowd(ctx context.Context, c crowd, sessions int) (crowd, error) {
	c.sockets = relaySockets
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := l.churn(ctx); err != nil {
		return c, err
	}
	defer l.calm(context.WithoutCancel(ctx))
	all := make([]*arrivals, relaySockets+1)
	for i := range all {
		all[i] = &arrivals{at: map[string]time.Time{}}
	}
	followed, err := l.follow(ctx, sessions, all[1:], c.stuck)
	if err != nil {
		return c, err
	}
	defer followed.close()
	if err := l.watchDirectly(ctx, all[0]); err != nil {
		return c, err
	}
	time.Sleep(settling) // what happened while the watches were opened isn't compared
	relay, server := l.pidOf("fieldmark"), l.apiServer()
	beforeRelay, beforeServer, begun := cpu(relay), cpu(server), time.Now()
	select {
	case <-ctx.Done():
		return c, ctx.Err()
	case <-time.After(2 * l.plan.span):
	}
	ended := time.Now()
	c.relay, c.apiServer, c.seconds = cpu(relay)-beforeRelay, cpu(server)-beforeServer, ended.Sub(begun).Seconds()
	time.Sleep(time.Second) // wait until events on their way arrive
	c.compare(all, begun, ended)
	if len(c.added) == 0 {
		return c, errors.New("no event arrived both ways")
	}
	return c, nil
}

// compare uses the events of the direct watch in this time.
func (c *crowd) compare(all []*arrivals, begun, ended time.Time) {
	first := all[0].copy()
	for version, direct := range first {
		if direct.Before(begun) || direct.After(ended) {
			delete(first, version)
		}
	}
	c.events = len(first)
	for _, a := range all[1:] {
		for version, at := range a.copy() {
			if direct, ok := first[version]; ok {
				c.added = append(c.added, at.Sub(direct))
			}
		}
	}
	c.missed = c.events*len(all[1:]) - len(c.added)
	slices.Sort(c.added)
}

func (a *arrivals) copy() map[string]time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.at)
}

// quantile is that of what was added.
func (c crowd) quantile(q float64) time.Duration { return c.added[int(q*float64(len(c.added)-1))] }

// churn makes things happen: straight in the store, since the machine can't take so many writes through the API server.
func (l *lab) churn(ctx context.Context) error {
	body := fmt.Sprintf(`{"apiVersion":"practice.fieldmark.dev/v1alpha1","kind":"Scenario","metadata":{"name":"relay"},"spec":{"actors":[`+
		`{"name":"c","storm":{"namespace":%q,"objects":500,"perSecond":%d}}]}}`, relayNamespace, l.plan.events)
	if _, _, err := l.bare.do(ctx, http.MethodPost, fillPath, strings.NewReader(body)); err != nil {
		return fmt.Errorf("making things happen: %w", err)
	}
	return l.until(ctx, func() bool {
		_, text, err := l.bare.do(ctx, http.MethodGet, fillPath+"/relay", nil)
		return err == nil && bytes.Contains(text, []byte(`"state":"Running"`))
	})
}

// calm ends what churn began.
func (l *lab) calm(ctx context.Context) {
	if _, _, err := l.bare.do(ctx, http.MethodDelete, fillPath+"/relay", nil); err != nil {
		say(err.Error())
	}
	if err := l.until(ctx, func() bool {
		_, _, err := l.bare.do(ctx, http.MethodGet, fillPath+"/relay", nil)
		return err != nil
	}); err != nil {
		say(err.Error())
	}
}

func (l *lab) until(ctx context.Context, so func() bool) error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline) && ctx.Err() == nil; time.Sleep(100 * time.Millisecond) {
		if so() {
			return nil
		}
	}
	return errors.New("it did not come about in time")
}

// sockets are those that follow something.
type sockets []*socket

func (s sockets) close() {
	for _, one := range s {
		_ = one.conn.Close()
	}
}

// follow opens a socket for each of the arrivals, spread over sessions, and one that nobody reads if that is wanted.
func (l *lab) follow(ctx context.Context, sessions int, all []*arrivals, stuck bool) (sockets, error) {
	var open sockets
	var cookies []string
	for range sessions {
		cookie, err := l.signIn(ctx)
		if err != nil {
			return nil, err
		}
		cookies = append(cookies, cookie)
	}
	if stuck {
		all = append([]*arrivals{nil}, all...)
	}
	for i, a := range all {
		s, err := l.dial(ctx, cookies[i%sessions])
		if err != nil {
			open.close()
			return nil, err
		}
		open = append(open, s)
		if err := s.subscribe(1, relayPath); err != nil {
			open.close()
			return nil, err
		}
		if a != nil {
			go s.receive(a)
		}
	}
	return open, nil
}

func (s *socket) subscribe(id int, path string) error {
	err := s.sendText(fmt.Sprintf(`{"type":"subscribe","id":%d,"cluster":%q,"path":%q,"as":"table"}`, id, contextName, path))
	if err != nil {
		return fmt.Errorf("subscribing: %w", err)
	}
	return nil
}

// receive notes what comes, and gives credit back, until the socket is closed.
func (s *socket) receive(a *arrivals) {
	buffer := make([]byte, 0, 1<<20)
	for {
		text, err := s.nextMessage(buffer)
		if err != nil {
			return
		}
		a.noteVersions(text, time.Now())
		if s.sendText(`{"type":"credit","id":1,"n":1}`) != nil {
			return
		}
	}
}

// watchDirectly watches the API server itself, and returns once it answers.
func (l *lab) watchDirectly(ctx context.Context, a *arrivals) error {
	direct := l.bare.overHTTP2(1)
	version, err := l.versionNow(ctx, relayPath)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, direct.origin+relayPath+"?watch=1&resourceVersion="+version, nil)
	if err != nil {
		return fmt.Errorf("watching: %w", err)
	}
	request.Header.Set("Accept", asTable)
	answer, err := direct.client.Do(request) //nolint:bodyclose // closed by whoever reads it
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
			a.see(line, time.Now())
		}
	}()
	return nil
}

// versionNow is the version of a collection. A watch that begins with it has events of changes only, and none for objects that exist.
func (l *lab) versionNow(ctx context.Context, path string) (string, error) {
	_, text, err := l.bare.do(ctx, http.MethodGet, path+"?limit=1", nil)
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

// quiet are paths of collections that don't change.
var quiet = []string{
	"/api/v1/namespaces/shop/pods", "/api/v1/namespaces/shop/services", "/api/v1/namespaces/shop/configmaps", "/api/v1/namespaces/shop/secrets",
	"/api/v1/namespaces/shop/serviceaccounts", "/apis/apps/v1/namespaces/shop/deployments", "/apis/apps/v1/namespaces/shop/replicasets",
	"/apis/apps/v1/namespaces/shop/statefulsets", "/apis/batch/v1/namespaces/shop/jobs", "/apis/batch/v1/namespaces/shop/cronjobs",
}

// measureIdle opens sessions whose pages follow what doesn't change, and weighs Fieldmark before and after.
func (l *lab) measureIdle(ctx context.Context) (idleCost, error) {
	cost := idleCost{sessions: l.plan.sessions, each: len(quiet)}
	busy := l.fieldmark
	defer func() { l.fieldmark = busy }()
	var err error
	if l.fieldmark, err = l.startFieldmark(ctx); err != nil { // one that has done nothing yet
		return cost, err
	}
	defer l.stopLast()
	pid := l.pidOfLast()
	before := resident(pid)
	var open sockets
	defer func() { open.close() }()
	for range cost.sessions {
		cookie, err := l.signIn(ctx)
		if err != nil {
			return cost, err
		}
		s, err := l.dial(ctx, cookie)
		if err != nil {
			return cost, err
		}
		open = append(open, s)
		if err := s.followQuiet(len(quiet)); err != nil {
			return cost, err
		}
		go s.receive(&arrivals{at: map[string]time.Time{}})
	}
	time.Sleep(settled)
	cost.bytes = resident(pid) - before
	return cost, nil
}

// synced waits until so many subscriptions are.
func (s *socket) synced(n int) error {
	buffer := make([]byte, 0, 1<<20)
	for n > 0 {
		text, err := s.nextMessage(buffer)
		if err != nil {
			return err
		}
		if bytes.HasPrefix(text, []byte(`{"type":"failed"`)) {
			return fmt.Errorf("a subscription failed: %s", text)
		}
		if bytes.HasPrefix(text, []byte(`{"type":"synced"`)) {
			n--
		}
	}
	return nil
}

// pidOfLast is the process of the program that was started last.
func (l *lab) pidOfLast() int { return l.running[len(l.running)-1].command.Process.Pid }

// pidOf is the process of a program that runs.
func (l *lab) pidOf(name string) int {
	for _, p := range l.running {
		if p.name == name {
			return p.command.Process.Pid
		}
	}
	return 0
}

// apiServer is the process of the API server, a child of the practice cluster's; 0 where that can't be told.
func (l *lab) apiServer() int {
	parent := strconv.Itoa(l.pidOf("fieldmark-practice"))
	found, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range found {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte("kube-apiserver")) {
			continue
		}
		status, err := os.ReadFile(filepath.Join(filepath.Dir(file), "status"))
		if err == nil && strings.Contains(string(status), "PPid:\t"+parent+"\n") {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			return pid
		}
	}
	return 0
}

// cpu is the processor time that a process has used, in seconds; 0 where that can't be told.
func cpu(pid int) float64 {
	const hertz, user, system = 100, 11, 12 // the fields after the name
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	u, _ := strconv.ParseFloat(fields[user], 64)
	s, _ := strconv.ParseFloat(fields[system], 64)
	return (u + s) / hertz
}

// resident is a process's memory, in bytes; 0 where that can't be told.
func resident(pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	pages, _ := strconv.ParseInt(fields[1], 10, 64)
	return pages * int64(os.Getpagesize())
}

func (t relayTimes) writeSection(b *strings.Builder, _ plan) {
	fmt.Fprintf(b, "500 ConfigMaps are rewritten straight in the store, %d times a second in all. Each event's time at a page's socket is compared\n"+
		"with its time at a watch of the API server itself, in the same process and the same moments (goal for the 99th percentile ≤ 50 ms).\n"+
		"Fieldmark gathers events for 12 ms. Processor time is that of the whole program in the span (goal: no more than the API server's).\n"+
		"Browsers of a local Fieldmark share a watch, so 10 sessions need one.\n\n"+
		"| | events/s | deliveries/s | missed | added, median | p99 | Fieldmark's processor | API server's |\n|---|---|---|---|---|---|---|---|\n", t.asked)
	for _, c := range t.crowds {
		fmt.Fprintf(b, "| %s | %.0f | %.0f | %d | %.1f ms | **%.1f ms** | %.0f %% of a core | %.0f %% |\n", c.name, float64(c.events)/c.seconds, float64(len(c.added))/c.seconds, c.missed,
			ms(c.quantile(0.5)), ms(c.quantile(0.99)), 100*c.relay/c.seconds, 100*c.apiServer/c.seconds)
	}
	if runtime.GOOS == "linux" && t.idle.sessions > 0 {
		fmt.Fprintf(b, "\n%d sessions, each with one page of %d subscriptions to what doesn't change: **%.0f kB** of memory a session (goal ≤ 100).\n",
			t.idle.sessions, t.idle.each, float64(t.idle.bytes)/float64(t.idle.sessions)/1000)
	}
}
