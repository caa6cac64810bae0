package guard

import (
	"container/list"
	"net"
	"sync"
)

// maxStrangers is far more than the clients that connect at the same moment, and far less than the connections that a process may have.
const maxStrangers = 1024

// strangers are the connections whose client is not known yet. If there are too many, the oldest is closed. So idle connections can't
// keep out a client that has a token.
type strangers struct {
	max int

	mu    sync.Mutex
	queue *list.List // of net.Conn, oldest first
	by    map[net.Conn]*list.Element
}

func newStrangers(most int) *strangers {
	return &strangers{max: most, queue: list.New(), by: map[net.Conn]*list.Element{}}
}

func (s *strangers) addConnection(c net.Conn) {
	s.mu.Lock()
	var oldest net.Conn
	if s.queue.Len() >= s.max {
		oldest, _ = s.queue.Front().Value.(net.Conn)
	}
	s.by[c] = s.queue.PushBack(c)
	s.mu.Unlock()
	if oldest != nil {
		_ = oldest.Close() // Close also removes it from the queue
	}
}

func (s *strangers) remove(c net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at, ok := s.by[c]; ok {
		s.queue.Remove(at)
		delete(s.by, c)
	}
}
