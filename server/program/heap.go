package program

import (
	"context"
	"runtime"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
)

// Data that passes through Fieldmark is garbage at once, and Fieldmark keeps little. So the heap may grow to many times of what is in
// use before a garbage collection, which saves time. With many pages open, Fieldmark keeps more. Then the heap may only double.
const (
	headroom    = 64 << 20 // bytes that may be garbage, if the bounds allow
	minGrowth   = 100      // percent of what is in use
	maxGrowth   = 400
	liveInBytes = "/gc/heap/live:bytes"
	sweeps      = "/gc/cycles/total:gc-cycles"
	// tidyEvery is how often unused memory is returned to the system while little happens.
	tidyEvery = 30 * time.Second
)

func measured(name string) uint64 {
	sample := []runtimemetrics.Sample{{Name: name}}
	runtimemetrics.Read(sample)
	return sample[0].Value.Uint64()
}

// growth is how much the heap may grow before a garbage collection, in percent of what is in use.
func growth(live uint64) int {
	return int(min(max(100*headroom/max(live, 1), minGrowth), maxGrowth))
}

// keepHeadroom sets the growth again after every garbage collection.
func keepHeadroom() {
	debug.SetGCPercent(growth(measured(liveInBytes)))
	type swept struct{ _ *int } // the pointer makes the runtime collect it alone
	runtime.AddCleanup(&swept{}, func(int) { keepHeadroom() }, 0)
}

// tidy collects garbage if that has not happened for a while, until ctx ends. Otherwise, if many open pages follow collections that
// don't change, the memory that was needed to open them would stay allocated for hours.
func tidy(ctx context.Context) {
	every := time.NewTicker(tidyEvery)
	defer every.Stop()
	for before := measured(sweeps); ; before = measured(sweeps) {
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
		if measured(sweeps)-before < 2 {
			debug.FreeOSMemory()
		}
	}
}
