package app

import "sync"

// queue is the inbox: events in their order, from any goroutine. put never blocks.
type queue struct {
	mu    sync.Mutex
	items []any
	some  chan struct{} // holds a token while there may be items
}

func newQueue() *queue { return &queue{some: make(chan struct{}, 1)} }

func (q *queue) put(item any) {
	q.mu.Lock()
	q.items = append(q.items, item)
	q.mu.Unlock()
	select {
	case q.some <- struct{}{}:
	default:
	}
}

func (q *queue) take() (item any, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil, false
	}
	item, q.items[0] = q.items[0], nil
	q.items = q.items[1:]
	return item, true
}

// before puts an event in front of all waiting events.
func (q *queue) before(item any) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append([]any{item}, q.items...)
}
