package relay

import (
	"container/list"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// queue holds changes until the page accepts them. It keeps only the newest change of each object, ordered by these changes, unless
// the page wants every version. So a page that got the first n changes has everything up to the version of the n-th.
type queue struct {
	every bool      // every version is wanted
	order list.List // of *waiting
	byKey map[string]*list.Element
	bytes int
}

// waiting is what has happened to an object since the last change that the page got.
type waiting struct {
	change
	// fresh says that its first change was an addition.
	fresh bool
}

// put adds a change.
//
// An addition stays an addition when changes follow, because the page does not know the object. A deletion is always sent, even after
// an addition that was not sent: a server that repeats additions may have sent the object before. Deleting an unknown object does
// no harm.
func (q *queue) put(c change) {
	w := &waiting{change: c, fresh: c.kind == watch.Added}
	q.bytes += c.size
	if q.every {
		q.order.PushBack(w)
		return
	}
	if old, ok := q.byKey[c.item.key]; ok {
		w.fresh = q.remove(old).fresh
	}
	if c.kind != watch.Deleted {
		w.kind = watch.Modified
		if w.fresh {
			w.kind = watch.Added
		}
	}
	if q.byKey == nil {
		q.byKey = map[string]*list.Element{}
	}
	q.byKey[c.item.key] = q.order.PushBack(w)
}

// takeChanges returns the oldest changes: at most n, and at most so many bytes, but at least one. After them, the page has everything up to
// version.
func (q *queue) takeChanges(n, bytes int) (events []change, version string) {
	for first := q.order.Front(); first != nil && len(events) < n; first = q.order.Front() {
		w, _ := first.Value.(*waiting)
		if bytes -= w.size; bytes < 0 && len(events) > 0 {
			break
		}
		q.remove(first)
		events, version = append(events, w.change), w.version
	}
	return events, version
}

// perMessage is how many changes a message has at most.
func (q *queue) perMessage() int {
	if q.every {
		return perStretch
	}
	return perMessage
}

func (q *queue) remove(e *list.Element) *waiting {
	w, _ := q.order.Remove(e).(*waiting)
	delete(q.byKey, w.item.key)
	q.bytes -= w.size
	return w
}

func (q *queue) len() int { return q.order.Len() }

// over tells whether too much waits. A single object is never too much, because it could never be sent then.
func (q *queue) over() bool {
	return q.len() > maxWaiting || q.bytes > maxWaitingBytes && q.len() > 1
}

func (q *queue) drop() { *q = queue{every: q.every} }
