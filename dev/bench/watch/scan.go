package watch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// scanCost is what a scan for contention costs while much happens.
type scanCost struct {
	objects, events int
	asked           int     // events a second that were to happen
	seconds         float64 // in which the events were seen
	fieldmark       float64 // processor seconds
	bytes           int64   // of memory, resident
}

const (
	scanNamespace = "scan"
	scanObjects   = 10_000
	scanEvents    = 500
	scanSpan      = 20 * time.Second
	scanPage      = "/c/" + lab.ContextName + "/-/contention"
)

// scanned is what is read of a scan.
type scanned struct {
	Phase  string `json:"phase"`
	Report struct {
		Objects int `json:"objects"`
		Events  int `json:"events"`
	} `json:"report"`
}

// measureScan lets a scan watch ConfigMaps that are rewritten straight in the store.
func measureScan(ctx context.Context, l *lab.Lab) (scanCost, error) {
	c := scanCost{asked: scanEvents}
	calm, err := l.Storm(ctx, scanNamespace, scanObjects, scanEvents)
	if err != nil {
		return c, err
	}
	defer calm()
	pid := l.PIDOf("fieldmark")
	before := lab.Resident(pid)
	if err := l.Fieldmark.Submit(ctx, scanPage, url.Values{"act": {"start"}, "types": {"configmaps"}, "namespace": {scanNamespace}, "seconds": {"300"}}); err != nil {
		return c, err
	}
	if err := l.Until(ctx, func() bool {
		s, err := readScan(ctx, l)
		return err == nil && s.Phase == "watching" && s.Report.Events > 0
	}); err != nil {
		return c, err
	}
	first, err := readScan(ctx, l)
	if err != nil {
		return c, err
	}
	used, begun := lab.CPU(pid), time.Now()
	if err := lab.Pause(ctx, scanSpan); err != nil {
		return c, err
	}
	c.fieldmark, c.seconds, c.bytes = lab.CPU(pid)-used, time.Since(begun).Seconds(), lab.Resident(pid)-before
	last, err := readScan(ctx, l)
	c.objects, c.events = last.Report.Objects, last.Report.Events-first.Report.Events
	return c, errors.Join(err, l.Fieldmark.Submit(ctx, scanPage, url.Values{"act": {"stop"}}))
}

func readScan(ctx context.Context, l *lab.Lab) (s scanned, err error) {
	err = l.Fieldmark.Read(ctx, scanPage, "application/vnd.fieldmark.scan+json", &s)
	return s, err
}

func (c scanCost) WriteSection(b *strings.Builder, _ lab.Plan) {
	if runtime.GOOS != "linux" || c.seconds == 0 {
		return
	}
	fmt.Fprintf(b, "%d ConfigMaps are rewritten straight in the store, %d times a second in all. The scan saw %.0f events a second of %d objects and took\n"+
		"**%.0f %% of a core** (goal ≤ 50) and %d MB of memory.\n", scanObjects, c.asked, float64(c.events)/c.seconds, c.objects, 100*c.fieldmark/c.seconds, c.bytes>>20)
}
