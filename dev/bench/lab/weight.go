package lab

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Weight is what a process needs.
type Weight struct {
	Heap       float64 // bytes in use after a garbage collection
	Stacks     float64 // bytes
	Resident   float64 // bytes
	Goroutines float64
}

// Less subtracts what was there before.
func (w Weight) Less(before Weight) Weight {
	return Weight{w.Heap - before.Heap, w.Stacks - before.Stacks, w.Resident - before.Resident, w.Goroutines - before.Goroutines}
}

// Collections is how many garbage collections must pass before a process is weighed. By then, what was only needed to open the pages is
// free. If nothing happens, Fieldmark collects garbage every 30 seconds.
const Collections = 3

// Weigh waits for these collections, and weighs a process directly after the last. monitor has the metrics of the process.
func Weigh(ctx context.Context, monitor Target, pid int) (Weight, error) {
	const every = 200 * time.Millisecond
	first := -1.0
	for {
		m, err := monitor.Metrics(ctx)
		if err != nil {
			return Weight{}, err
		}
		if first < 0 {
			first = m["go_gc_duration_seconds_count"]
		}
		if m["go_gc_duration_seconds_count"] >= first+Collections {
			return Weight{
				Heap: m["go_memstats_heap_alloc_bytes"], Stacks: m["go_memstats_stack_inuse_bytes"], Resident: float64(Resident(pid)), Goroutines: m["go_goroutines"],
			}, nil
		}
		if err := Pause(ctx, every); err != nil {
			return Weight{}, err
		}
	}
}

// Metrics are those of Fieldmark that have no labels.
func (t Target) Metrics(ctx context.Context) (map[string]float64, error) {
	_, text, err := t.Send(ctx, http.MethodGet, "/metrics", nil, true)
	if err != nil {
		return nil, err
	}
	return withoutLabels(text), nil
}

// withoutLabels reads the metrics of a text that have no labels.
func withoutLabels(text []byte) map[string]float64 {
	values := map[string]float64{}
	for line := range bytes.Lines(text) {
		name, number, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		if value, err := strconv.ParseFloat(number, 64); ok && err == nil {
			values[name] = value
		}
	}
	return values
}
