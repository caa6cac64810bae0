package upstream

import (
	"net"
	"sync"
)

// gather is a connection that is read in large pieces. crypto/tls reads one record at a time, with a system call each. API servers send records
// of 4 kB, and in a long response many of them have often arrived already.
//
// While little arrives at a time, a gather reads into a small buffer of its own. After a read that filled it, the next read borrows a large one.
// So connections that are idle, or that wait for a response, have no large buffer.
type gather struct {
	net.Conn
	own   [ownBuffer]byte
	large *largeBuffer // borrowed for rest; nil: rest is in own
	last  int          // bytes of the last read
	rest  []byte       // was received, and isn't read
}

// Sizes of the buffers of a gather.
const (
	ownBuffer = 16 << 10
	largest   = 128 << 10
)

type largeBuffer [largest]byte

var largeBuffers = sync.Pool{New: func() any { return new(largeBuffer) }}

// Read implements io.Reader.
func (g *gather) Read(p []byte) (int, error) {
	if len(g.rest) == 0 {
		if err := g.receive(); err != nil {
			return 0, err
		}
	}
	n := copy(p, g.rest)
	if g.rest = g.rest[n:]; len(g.rest) == 0 {
		g.giveBack()
	}
	return n, nil
}

// receive reads from the connection. An error that came with bytes comes again at the next read.
func (g *gather) receive() error {
	buffer := g.own[:]
	if g.last >= ownBuffer {
		g.large, _ = largeBuffers.Get().(*largeBuffer)
		buffer = g.large[:]
	}
	n, err := g.Conn.Read(buffer)
	if g.last, g.rest = n, buffer[:n]; n > 0 {
		return nil
	}
	g.giveBack()
	return err
}

func (g *gather) giveBack() {
	if g.rest = nil; g.large != nil {
		largeBuffers.Put(g.large)
		g.large = nil
	}
}

// NetConn gives the connection below, as tls.Conn does.
func (g *gather) NetConn() net.Conn { return g.Conn }
