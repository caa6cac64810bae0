package relay

import (
	"cmp"
	"slices"
	"sync"

	"github.com/fieldmark/fieldmark/kube/table"
)

// arrival is an initial state, or the rest of one, that is being sent to pages. It grows as it arrives from the API server, and each
// page receives it at its own pace.
type arrival struct {
	mu      sync.Mutex
	columns []table.Column
	items   []*item // nil: the object was changed or deleted since
	mixed   bool    // the items are not sorted as in lists yet
	all     int64   // how many objects the state will have, or unknown
	done    bool
	version string // the version of the complete state
}

// unknown is a number that is not known.
const unknown = -1

func newArrival() *arrival { return &arrival{all: unknown} }

// wholeArrival is a complete arrival, of items in any order.
func wholeArrival(columns []table.Column, items []*item, version string) *arrival {
	return &arrival{columns: columns, items: items, mixed: true, version: version, done: true}
}

func (a *arrival) define(columns []table.Column) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.columns = columns
}

// addItems appends items. all is how many objects the state will have, or unknown.
func (a *arrival) addItems(items []*item, all int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.items = append(a.items, items...)
	a.all = all
}

// grow appends one item, and returns its index.
func (a *arrival) grow(i *item) (at int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.items = append(a.items, i)
	if a.all <= int64(len(a.items)) {
		a.all = unknown // more objects arrived than were counted
	}
	return len(a.items) - 1
}

// removeItem removes an item, because its object has changed since.
func (a *arrival) removeItem(at int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.items[at] = nil
}

// expect sets how many objects the state will have.
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

// nextItems returns the items of the next message, from the index at on, as many as fit. to is where the message after it begins. An empty
// state also has one message, for its columns. more is false if there is no message, for now or at all.
func (a *arrival) nextItems(at int, begun bool) (items []*item, to int, more bool) {
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

// whole tells whether the state is complete and next has returned all of it, up to at. version is its version.
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

// remaining is how many objects follow after the index at; nil: unknown.
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

func (a *arrival) itemCount() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return int64(len(a.items))
}

func (a *arrival) known() []table.Column {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.columns
}
