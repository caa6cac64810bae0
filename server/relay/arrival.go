package relay

import (
	"cmp"
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/kube/table"
)

// arrival is a whole state on its way to pages, or the rest of one. It grows as it comes from the API server, and
// each page takes it at its own pace.
type arrival struct {
	mu      sync.Mutex
	columns []table.Column
	items   []*item // nil: overtaken by a later one, or deleted since
	mixed   bool    // they are not in the order of lists yet
	all     int64   // how many there are in all, or unknown
	done    bool
	version string // once it is done
}

// unknown is a number that is not known.
const unknown = -1

func newArrival() *arrival { return &arrival{all: unknown} }

// wholeArrival is one that is complete, of items in any order.
func wholeArrival(columns []table.Column, items []*item, version string) *arrival {
	return &arrival{columns: columns, items: items, mixed: true, version: version, done: true}
}

func (a *arrival) define(columns []table.Column) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.columns = columns
}

// add appends items. all is how many there are in all, or unknown.
func (a *arrival) add(items []*item, all int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.items = append(a.items, items...)
	a.all = all
}

// grow appends one item, and gives its place.
func (a *arrival) grow(i *item) (at int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.items = append(a.items, i)
	if a.all <= int64(len(a.items)) {
		a.all = unknown // there are more than were counted
	}
	return len(a.items) - 1
}

// overtake takes an item out that is no longer true.
func (a *arrival) overtake(at int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.items[at] = nil
}

// expect says how many objects there will be in all.
func (a *arrival) expect(all int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if all > int64(len(a.items)) && !a.done {
		a.all = all
	}
}

func (a *arrival) finish(version string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.version, a.done = version, true
}

// next gives the items of the next message: those from at on, as many as fit, and where the next begins. A state
// that is empty has one message, too, for its columns. more is false when there is nothing to tell yet, or any more.
func (a *arrival) next(at int, begun bool) (items []*item, to int, more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.order()
	bytes := 0
	for to = at; to < len(a.items) && len(items) < perMessage; to++ {
		i := a.items[to]
		if i == nil {
			continue
		}
		bytes += len(i.row) + len(i.object)
		if bytes > messageBytes && len(items) > 0 {
			break
		}
		items = append(items, i)
	}
	return items, to, len(items) > 0 || a.done && !begun
}

func (a *arrival) order() {
	if a.mixed {
		slices.SortFunc(a.items, func(a, b *item) int { return cmp.Compare(a.rank, b.rank) })
		a.mixed = false
	}
}

// whole tells whether all of it was given, up to at, and of which version it is.
func (a *arrival) whole(at int) (version string, whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for ; at < len(a.items); at++ {
		if a.items[at] != nil {
			return "", false
		}
	}
	return a.version, a.done
}

// remaining is how many objects come after at; nil where that can't be known.
func (a *arrival) remaining(at int) *int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.all
	if a.done {
		all = int64(len(a.items))
	}
	if all == unknown {
		return nil
	}
	left := all - int64(at)
	return &left
}

func (a *arrival) count() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return int64(len(a.items))
}

func (a *arrival) known() []table.Column {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.columns
}
