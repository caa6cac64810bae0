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
	id    uint32 // guarded by the trunk's lock until the request is sent

	mu       sync.Mutex
	came     sync.Cond      // tells that something has arrived
	waiting  func()         // wants to be called when something arrives; nil: nobody does
	resp     *http.Response // until it is returned
	begun    bool           // there are headers of a response
	informed int            // 1xx responses
	rest     arrived
	room     int // bytes that the server may still send
	owed     int // bytes that were read, and that the server doesn't know of
	end      error
	unhook   func() bool // from the context
}

func newFlow(t *trunk) *flow {
	s := &flow{trunk: t, room: streamRoom}
	s.came.L = &s.mu
	return s
}

// wake tells those who wait that something has arrived. The caller holds the lock.
func (s *flow) wake() {
	s.came.Broadcast()
	if s.waiting != nil {
		go s.waiting()
		s.waiting = nil
	}
}

// notify calls wake in a goroutine as soon as a Read wouldn't wait.
func (s *flow) notify(wake func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.isSilent() {
		go wake()
		return
	}
	s.waiting = wake
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
	resp, err := s.awaitHead()
	switch {
	case resp != nil:
		return resp, nil
	case err == io.EOF: //nolint:errorlint // finish gets the bare value
		err = io.ErrUnexpectedEOF
	}
	s.abandon(err) // it may have ended before it had a number
	return nil, err
}

func (s *flow) awaitHead() (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.resp == nil && s.end == nil {
		s.came.Wait()
	}
	resp := s.resp
	s.resp = nil // a silent stream doesn't need them
	return resp, s.end
}

// receiveData adds data, which took size bytes of the stream's room. It returns false if there was no room.
func (s *flow) receiveData(data []byte, size int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.room -= size; s.room < 0 {
		return false
	}
	if s.end != nil || !s.begun { // nobody will read it
		return true
	}
	s.owed += size - len(data)
	s.rest.addData(data)
	s.wake()
	return true
}

// silent tells whether a Read would wait.
func (s *flow) silent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.isSilent()
}

func (s *flow) isSilent() bool { return s.rest.empty() && s.end == nil }

// Read implements io.Reader.
func (s *flow) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, credit, err := s.readData(p)
	if credit > 0 {
		s.trunk.writeFrame(func(f *http2.Framer) error { return f.WriteWindowUpdate(s.id, credit) })
	}
	return n, err
}

// readData waits until something has arrived, and takes it. The credit is how many bytes the server may send
// instead, if they are worth a frame.
func (s *flow) readData(p []byte) (n int, credit uint32, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.isSilent() {
		s.came.Wait()
	}
	if s.rest.empty() {
		return 0, 0, s.end
	}
	n = s.rest.takeData(p)
	if s.owed += n; s.owed >= streamRoom/4 && s.end == nil {
		credit = uint32(s.owed) // at most streamRoom
		s.room += s.owed
		s.owed = 0
	}
	return n, credit, nil
}

// Close implements io.Closer.
func (s *flow) Close() error {
	s.abandon(http.ErrBodyReadAfterClose)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rest.drop()
	return nil
}
