package fleet

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// reading is what programs used during a time. Processor times are in seconds, and memory is in bytes.
type reading struct {
	seconds   float64
	replicas  []machineUse
	apiServer machineUse
	generator float64 // processor time of this program, with the proxy
	requests  float64 // requests of others than this program that the API server completed, without writes
	watches   float64 // open at the API server in the end
}

// machineUse is what one process used.
type machineUse struct {
	cpu        float64
	waited     float64 // time in which its threads could have run, but no processor was free
	heap       float64 // least that was in use: directly after a garbage collection
	stacks     float64 // at the moment of the least heap
	resident   float64 // most
	goroutines float64 // in the end
}

// inUse is the memory that isn't garbage.
func (m machineUse) inUse() float64 { return m.heap + m.stacks }

// replica is the sum of all replicas.
func (r reading) replica() (sum machineUse) {
	for _, one := range r.replicas {
		sum.cpu += one.cpu
		sum.heap += one.heap
		sum.stacks += one.stacks
		sum.resident += one.resident
		sum.goroutines += one.goroutines
	}
	return sum
}

// sampled is the pause between two samples of memory.
const sampled = 500 * time.Millisecond

// during reads what the programs use while do runs.
func (f *fleet) during(ctx context.Context, do func(context.Context) error) (reading, error) {
	r := reading{replicas: make([]machineUse, len(f.replicas))}
	before, err := readCounts(ctx, f.lab)
	if err != nil {
		return r, err
	}
	begun, used, waited := time.Now(), f.cpus(), queued(f.lab.APIServer())
	done := make(chan error, 1)
	go func() { done <- do(ctx) }()
	for running := true; running; {
		select {
		case err = <-done:
			running = false
		case <-time.After(sampled):
		}
		if err := f.sample(ctx, &r); err != nil && running {
			return r, err
		}
	}
	if err != nil {
		return r, err
	}
	r.seconds = time.Since(begun).Seconds()
	for i, now := range f.cpus() {
		switch spent := now - used[i]; {
		case i < len(f.replicas):
			r.replicas[i].cpu = spent
		case i == len(f.replicas):
			r.apiServer.cpu = spent
		default:
			r.generator = spent
		}
	}
	r.apiServer.waited = queued(f.lab.APIServer()) - waited
	after, err := readCounts(ctx, f.lab)
	r.requests, r.watches = after.requests-before.requests, after.watches
	return r, err
}

// queued is how long the threads of a process could have run, but no processor was free, in seconds; 0 where that can't be told.
func queued(pid int) (seconds float64) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, file := range threads {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if fields := strings.Fields(string(text)); len(fields) > 1 {
			nanoseconds, _ := strconv.ParseFloat(fields[1], 64)
			seconds += nanoseconds / 1e9
		}
	}
	return seconds
}

// hold reads what the programs use during a time.
func (f *fleet) hold(ctx context.Context, d time.Duration) (reading, error) {
	r, err := f.during(ctx, func(ctx context.Context) error { return lab.Pause(ctx, d) })
	if err == nil {
		lab.Say(r.String())
	}
	return r, err
}

// String is the reading in one line, for somebody who waits.
func (r reading) String() string {
	all := r.replica()
	return fmt.Sprintf("replica: %.1f %% of a core, %.1f MB in use, %.0f MB resident; API server: %.1f %% of a core, %.0f MB, %.1f requests/s, %.0f watches",
		100*all.cpu/r.seconds, all.inUse()/1e6, all.resident/1e6, 100*r.apiServer.cpu/r.seconds, r.apiServer.resident/1e6, r.requests/r.seconds, r.watches)
}

// cpus are the processor times of the replicas, of the API server and of this program, since each of them began.
func (f *fleet) cpus() []float64 {
	var all []float64
	for _, r := range f.replicas {
		all = append(all, lab.CPU(r.PID()))
	}
	return append(all, lab.CPU(f.lab.APIServer()), lab.Own())
}

// sample reads how much memory is in use.
func (f *fleet) sample(ctx context.Context, r *reading) error {
	for i, one := range f.replicas {
		m, err := one.Monitor.Metrics(ctx)
		if err != nil {
			return err
		}
		use := &r.replicas[i]
		if heap := m["go_memstats_heap_alloc_bytes"]; use.heap == 0 || heap < use.heap {
			use.heap, use.stacks = heap, m["go_memstats_stack_inuse_bytes"]
		}
		use.resident = max(use.resident, float64(lab.Resident(one.PID())))
		use.goroutines = m["go_goroutines"]
	}
	r.apiServer.resident = max(r.apiServer.resident, float64(lab.Resident(f.lab.APIServer())))
	return nil
}

// apiCounts are what the API server counts.
type apiCounts struct{ requests, watches float64 }

// readCounts reads the metrics of the API server. Writes aren't counted, because they are of this program.
func readCounts(ctx context.Context, l *lab.Lab) (c apiCounts, err error) {
	_, text, err := l.Bare.Do(ctx, http.MethodGet, "/metrics", nil)
	if err != nil {
		return c, fmt.Errorf("the API server's metrics: %w", err)
	}
	return countsIn(text), nil
}

// countsIn reads metrics in the text format.
func countsIn(text []byte) (c apiCounts) {
	const requests, long = "apiserver_request_total{", "apiserver_longrunning_requests{"
	for line := range bytes.Lines(text) {
		if !bytes.HasPrefix(line, []byte(requests)) && !bytes.HasPrefix(line, []byte(long)) {
			continue
		}
		end := bytes.LastIndexByte(line, ' ')
		value, err := strconv.ParseFloat(strings.TrimSpace(string(line[end+1:])), 64)
		switch {
		case err != nil:
		case bytes.HasPrefix(line, []byte(long)):
			if bytes.Contains(line, []byte(`verb="WATCH"`)) {
				c.watches += value
			}
		case !bytes.Contains(line, []byte(`verb="PUT"`)) && !bytes.Contains(line, []byte(`verb="PATCH"`)):
			c.requests += value
		}
	}
	return c
}
