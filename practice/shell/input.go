package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// mostWaiting is how many bytes of input may wait to be read.
const mostWaiting = 256 << 10

// input is what a client has sent and nobody has read. Its chunks are read in their order. An empty chunk is the end of input for one reader: that
// is what Ctrl-D means in a terminal.
type input struct {
	mu          sync.Mutex
	news        *sync.Cond
	chunks      [][]byte
	size        int
	ended       bool
	interrupted bool
}

func newInput() *input {
	i := &input{}
	i.news = sync.NewCond(&i.mu)
	return i
}

// Write adds a chunk. It waits until there is room.
func (i *input) Write(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for i.size > mostWaiting && !i.ended {
		i.news.Wait()
	}
	if i.ended {
		return 0, io.ErrClosedPipe
	}
	i.addChunk(p)
	return len(p), nil
}

// offer adds a chunk if there is room.
func (i *input) offer(p []byte) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.size <= mostWaiting && !i.ended {
		i.addChunk(p)
	}
}

func (i *input) addChunk(p []byte) {
	i.chunks = append(i.chunks, slices.Clone(p))
	i.size += len(p)
	i.news.Broadcast()
}

// markEnded says that there is no more input.
func (i *input) markEnded() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	i.news.Broadcast()
}

// interrupt makes the one who waits for a line give up.
func (i *input) interrupt() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.interrupted = true
	i.news.Broadcast()
}

// unread puts bytes back, to be read before all others.
func (i *input) unread(p []byte) {
	if len(p) == 0 {
		return
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.chunks = slices.Insert(i.chunks, 0, p)
	i.size += len(p)
	i.news.Broadcast()
}

// takeChunk waits for the next chunk, and takes as much of it as cut says. It returns io.EOF at the end of input.
func (i *input) takeChunk(ctx context.Context, cut func(chunk []byte) int) ([]byte, error) {
	defer context.AfterFunc(ctx, func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.news.Broadcast()
	})()
	i.mu.Lock()
	defer i.mu.Unlock()
	for {
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case i.interrupted:
			i.interrupted = false
			return nil, errInterrupt
		case len(i.chunks) > 0:
			return i.cutChunk(cut)
		case i.ended:
			return nil, io.EOF
		}
		i.news.Wait()
	}
}

func (i *input) cutChunk(cut func(chunk []byte) int) ([]byte, error) {
	chunk := i.chunks[0]
	n := cut(chunk)
	i.size -= n
	i.news.Broadcast()
	if i.chunks[0] = chunk[n:]; n == len(chunk) {
		i.chunks = i.chunks[1:]
	}
	if len(chunk) == 0 {
		return nil, io.EOF
	}
	return chunk[:n], nil
}

// lines is an input as the shell reads it: at most a line at a time, so that the statement on this line can read what follows.
type lines struct {
	ctx context.Context // the parser's reader has no other way to end
	in  *input
	// size counts the bytes of one statement, which longestScript bounds.
	size int
	// open says that the last line has no newline yet.
	open bool
}

func (l *lines) Read(p []byte) (int, error) {
	got, err := l.in.takeChunk(l.ctx, func(chunk []byte) int {
		if end := bytes.IndexByte(chunk, '\n'); end >= 0 {
			chunk = chunk[:end+1]
		}
		return min(len(chunk), len(p))
	})
	if errors.Is(err, io.EOF) && l.open {
		got, err = []byte("\n"), nil // the parser wants one after each statement
	}
	if l.size += len(got); l.size > longestScript && err == nil {
		err = errTooLong
	}
	l.open = len(got) > 0 && got[len(got)-1] != '\n'
	return copy(p, got), err
}

// pump lets a statement read the input, and calls interrupt if it was interrupted when it had just begun. The function that it returns ends that,
// and puts back what wasn't read.
func (i *input) pump(interrupt func()) (*os.File, func(), error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, nil, fmt.Errorf("making a pipe: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	rest := make(chan []byte, 1)
	go func() {
		defer func() { _ = w.Close() }()
		for {
			chunk, err := i.takeChunk(ctx, func(chunk []byte) int { return min(len(chunk), 4096) })
			if errors.Is(err, errInterrupt) {
				interrupt()
				continue
			}
			if err != nil {
				rest <- nil
				return
			}
			if n, err := w.Write(chunk); err != nil {
				rest <- chunk[n:]
				return
			}
		}
	}()
	return r, func() {
		stop()
		_ = w.SetWriteDeadline(time.Now()) // it may be closed
		unwritten := <-rest
		_ = r.SetReadDeadline(time.Time{})
		unread, _ := io.ReadAll(r)
		_ = r.Close()
		i.unread(append(unread, unwritten...))
	}, nil
}
