package collection

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/watch"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/web/frame/wire"
)

// TestAPageOpenForEverTakesNoMore: objects come, change and go, most of them never seen before, with the pointer here and
// there; a page of as many rows as before takes as much memory as before.
func TestAPageOpenForEverTakesNoMore(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	m, _ := awake(t, "/api/v1/pods", "filter=row&sort=-Restarts")
	const rows, each = 500, 4_000
	next := 0
	churn := func() {
		for range each {
			next++
			changed := newRow(fmt.Sprintf("row-%d", next), fmt.Sprint(next))
			changed.Cells[1] = table.Cell(fmt.Sprint(next % 7))
			send(&m, happened(watch.Added, changed))
			changed.ResourceVersion += "0"
			send(&m, happened(watch.Modified, changed))
			if next > rows {
				send(&m, happened(watch.Deleted, newRow(fmt.Sprintf("row-%d", next-rows), "x")))
			}
			if next%50 == 0 {
				send(&m, page.Tick{Now: noon.Add(time.Duration(next) * time.Second)}, page.Pointed{Over: next%1000 < 500})
			}
		}
		send(&m, page.Pointed{})
	}
	churn()
	before := heap()
	churn()
	if grown := heap() - before; grown > 256<<10 {
		t.Errorf("%d bytes more after %d events more", grown, 3*each)
	}
	if l := m.live; l.rows.Len() != rows {
		t.Errorf("%d rows are there", l.rows.Len())
	}
}

// TestManyStatesTakeNoMoreThanOne: a page whose connection breaks again and again gets the whole state each time.
func TestManyStatesTakeNoMoreThanOne(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	m, _ := awake(t, "/api/v1/pods", "")
	state := func(gen uint32) {
		var rows table.Rows
		for i := range 2000 {
			rows = append(rows, newRow(fmt.Sprintf("row-%d-%d", i, gen%3), fmt.Sprint(gen)))
		}
		send(&m, received(wire.Message{Type: wire.Rows, Gen: gen, Columns: m.columns(), Rows: rows}), received(wire.Message{Type: wire.Synced, Gen: gen, ResourceVersion: "9"}))
	}
	for gen := range uint32(20) {
		state(gen + 2)
	}
	before := heap()
	for gen := range uint32(20) {
		state(gen + 22)
	}
	if grown := heap() - before; grown > 256<<10 || m.live.rows.Total() != 2000 {
		t.Errorf("%d rows, and %d bytes more after twenty states more", m.live.rows.Total(), grown)
	}
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
