package relay

import (
	"container/list"

	"github.com/fieldmark/fieldmark/kube/watch"
)

// queue holds changes until the page takes them: of each object the newest state alone, in the order of these, unless
// every version is wanted. So whatever prefix a page has been told, it has been told all that happened up to the last
// version in it.
type queue struct {
	every bool      // every version is wanted
	order list.List // of *waiting
	byKey map[string]*list.Element
	bytes int
}

// waiting is what has happened to an object since the page heard of it.
type waiting struct {
	change
	// fresh says that it began with the object's addition.
	fresh bool
}

// put adds a change.
//
// An addition stays one when changes follow: the page has not heard of the object. A deletion is always told,
// even after an addition that was not: a server that repeats additions may have told the page of the object
// before, and to delete what is not there does no harm.
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

// take gives the oldest changes, up to n of them or to so many bytes, but one at least, and the version up to
// which nothing is missing with them.
func (q *queue) take(n, bytes int) (events []change, version string) {
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

// over tells whether more waits than may. A single object never is too much, or it could not be told at all.
func (q *queue) over() bool {
	return q.len() > maxWaiting || q.bytes > maxWaitingBytes && q.len() > 1
}

func (q *queue) drop() { *q = queue{every: q.every} }
