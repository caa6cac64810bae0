package follow

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/fieldmark/fieldmark/server/api"
)

const (
	maxLine = 16 << 20 // bytes; the API server's own bound on objects is far below
	// readAtOnce is how much of a watch is read at once, and keptLine what is kept of a longer line's buffer.
	readAtOnce = 16 << 10
	keptLine   = 64 << 10
)

// lineReader reads the lines of a watch. There are many watches, and they are silent most of the time. So a buffer is
// allocated only when bytes arrive, and is freed when all of them have been read.
type lineReader struct {
	body   io.Reader
	buffer *lineBuffer // nil: nothing has arrived
	first  [1]byte     // the byte that arrived before there was a buffer
	ahead  bool        // first is still to be read
}

type lineBuffer struct {
	reader *bufio.Reader
	line   []byte
}

var lineBuffers = sync.Pool{New: func() any { return &lineBuffer{reader: bufio.NewReaderSize(nil, readAtOnce)} }}

// next waits for the next line. It is valid until the next call. A line that was cut off is an error, because it
// may look complete.
func (l *lineReader) next() ([]byte, error) {
	if l.empty() {
		if _, err := io.ReadFull(l.body, l.first[:]); err != nil {
			return nil, err
		}
		l.buffer, l.ahead = lineBuffers.Get().(*lineBuffer), true // the pool has nothing else
		l.buffer.reader.Reset((*withFirst)(l))
	}
	return l.buffer.next()
}

// empty tells whether everything that was read is in a line that was returned. It gives the buffer back then.
func (l *lineReader) empty() bool {
	if l.buffer != nil && l.buffer.reader.Buffered() == 0 && !l.ahead {
		l.close()
	}
	return l.buffer == nil
}

// close gives the buffer back.
func (l *lineReader) close() {
	if l.buffer == nil {
		return
	}
	l.buffer.reader.Reset(nil)
	if cap(l.buffer.line) > keptLine {
		l.buffer.line = nil
	}
	lineBuffers.Put(l.buffer)
	l.buffer = nil
}

// withFirst is the body from its first byte on.
type withFirst lineReader

// Read implements io.Reader.
func (l *withFirst) Read(p []byte) (int, error) {
	if l.ahead && len(p) > 0 {
		l.ahead = false
		return copy(p, l.first[:]), nil
	}
	return l.body.Read(p)
}

func (b *lineBuffer) next() ([]byte, error) {
	b.line = b.line[:0]
	for {
		part, err := b.reader.ReadSlice('\n')
		if len(b.line)+len(part) > maxLine {
			return nil, &api.BadAnswer{Why: fmt.Sprintf("one of its events is larger than %d MiB", maxLine>>20)}
		}
		b.line = append(b.line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) && len(b.line) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return b.line, err
	}
}
