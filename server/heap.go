package main

import (
	"runtime"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
)

// What passes through Fieldmark is garbage at once, and what it keeps is little: so long, time matters more than memory,
// and the heap may grow to many times of what is in use before it is swept. With many pages open what it keeps is no
// longer little, and the heap may only double.
const (
	headroom    = 64 << 20 // bytes that may be garbage, if the bounds allow
	minGrowth   = 100      // percent of what is in use
	maxGrowth   = 400
	liveInBytes = "/gc/heap/live:bytes"
)

// growth is how much the heap may grow before it is swept, in percent of what is in use.
func growth(live uint64) int {
	return int(min(max(100*headroom/max(live, 1), minGrowth), maxGrowth))
}

// keepHeadroom decides after every sweep when the next is due.
func keepHeadroom() {
	sample := []runtimemetrics.Sample{{Name: liveInBytes}}
	runtimemetrics.Read(sample)
	debug.SetGCPercent(growth(sample[0].Value.Uint64()))
	type swept struct{ _ *int } // with a pointer in it, it is swept alone
	runtime.AddCleanup(&swept{}, func(int) { keepHeadroom() }, 0)
}
