package main

import (
	"context"
	"runtime"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
)

// What passes through Fieldmark is garbage at once, and what it keeps is little: so long, time matters more than memory,
// and the heap may grow to many times of what is in use before it is swept. With many pages open what it keeps is no
// longer little, and the heap may only double.
const (
	headroom    = 64 << 20 // bytes that may be garbage, if the bounds allow
	minGrowth   = 100      // percent of what is in use
	maxGrowth   = 400
	liveInBytes = "/gc/heap/live:bytes"
	sweeps      = "/gc/cycles/total:gc-cycles"
	// tidyEvery is how often what is not used is given back to the system, while little happens.
	tidyEvery = 30 * time.Second
)

func measured(name string) uint64 {
	sample := []runtimemetrics.Sample{{Name: name}}
	runtimemetrics.Read(sample)
	return sample[0].Value.Uint64()
}

// growth is how much the heap may grow before it is swept, in percent of what is in use.
func growth(live uint64) int {
	return int(min(max(100*headroom/max(live, 1), minGrowth), maxGrowth))
}

// keepHeadroom decides after every sweep when the next is due.
func keepHeadroom() {
	debug.SetGCPercent(growth(measured(liveInBytes)))
	type swept struct{ _ *int } // with a pointer in it, it is swept alone
	runtime.AddCleanup(&swept{}, func(int) { keepHeadroom() }, 0)
}

// tidy sweeps when that has not been due for a while, until ctx ends: with many pages open that follow what does not
// change, what it took to open them would stay for hours.
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
