package upstream

import (
	"io"
	"net/http"
	"sync"

	"golang.org/x/net/http2"
)

// flow is one stream of a trunk, and the body of its response. While nothing arrives, it has no buffer.
type flow struct {
	trunk *trunk
	id    uint32        // guarded by the trunk's lock until the request is sent
	came  chan struct{} // gets a value when something arrives; one goroutine waits for it

	mu       sync.Mutex
	resp     *http.Response
	informed int    // 1xx responses
	rest     []byte // what arrived and is not read
	room     int    // bytes that the server may still send
	owed     int    // bytes that were read, and that the server doesn't know of
	end      error
	unhook   func() bool // from the context
}

// wake lets the goroutine look that waits.
func (s *flow) wake() {
	select {
	case s.came <- struct{}{}:
	default:
	}
}

// hook notes how to leave the context when the stream ends.
func (s *flow) hook(unhook func() bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unhook = unhook; s.end != nil {
		unhook()
	}
}

// finish ends the stream. What has arrived can still be read.
func (s *flow) finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end != nil {
		return
	}
	s.end = err
	if s.unhook != nil {
		s.unhook()
	}
	s.wake()
}

// abandon ends the stream at the client's wish.
func (s *flow) abandon(err error) {
	s.finish(err)
	s.trunk.mu.Lock()
	id := s.id
	s.trunk.mu.Unlock()
	s.trunk.cancel(id)
}

// head waits for the headers of the response.
func (s *flow) head() (*http.Response, error) {
	for {
		s.mu.Lock()
		resp, err := s.resp, s.end
		s.mu.Unlock()
		switch {
		case resp != nil:
			return resp, nil
		case err == io.EOF: //nolint:errorlint // finish gets the bare value
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			s.abandon(err) // it may have ended before it had a number
			return nil, err
		}
		<-s.came
	}
}

// take adds data, which took size bytes of the stream's room. It returns false if there was no room.
func (s *flow) take(data []byte, size int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room -= size; s.room < 0 {
		return false
	}
	if s.end != nil || s.resp == nil { // nobody will read it
		return true
	}
	s.owed += size - len(data)
	s.rest = append(s.rest, data...)
	s.wake()
	return true
}

// silent tells whether a Read would wait.
func (s *flow) silent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rest) == 0 && s.end == nil
}

// await returns when a Read wouldn't wait.
func (s *flow) await() {
	for s.silent() {
		<-s.came
	}
}

// Read implements io.Reader.
func (s *flow) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.await()
	n, credit, err := s.read(p)
	if credit > 0 {
		s.trunk.write(func(f *http2.Framer) error { return f.WriteWindowUpdate(s.id, credit) })
	}
	return n, err
}

// read takes what has arrived, and how many bytes the server may send instead, if they are worth a frame.
func (s *flow) read(p []byte) (n int, credit uint32, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rest) == 0 {
		return 0, 0, s.end
	}
	n = copy(p, s.rest)
	if s.rest = s.rest[n:]; len(s.rest) == 0 {
		s.rest = nil
	}
	if s.owed += n; s.owed >= streamRoom/4 && s.end == nil {
		credit = uint32(s.owed) //nolint:gosec // at most streamRoom
		s.room += s.owed
		s.owed = 0
	}
	return n, credit, nil
}

// Close implements io.Closer.
func (s *flow) Close() error {
	s.abandon(errClosedBody)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest = nil
	return nil
}
