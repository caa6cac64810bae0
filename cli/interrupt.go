package cli

import (
	"context"
	"io"
)

// interruptible is a standard input whose Read returns when the context ends. Bytes that arrive later are lost.
type interruptible struct {
	ctx   context.Context // io.Reader's Read takes none
	in    io.Reader
	asked chan []byte
	got   chan answer
}

type answer struct {
	n   int
	err error
}

func interruptibly(ctx context.Context, in io.Reader) io.Reader {
	return &interruptible{ctx: ctx, in: in}
}

// Unwrap is the input itself.
func (r *interruptible) Unwrap() io.Reader { return r.in }

// startReader starts a goroutine that reads, because a read that has begun can't be ended.
func (r *interruptible) startReader() {
	r.asked, r.got = make(chan []byte), make(chan answer, 1)
	go func() {
		for space := range r.asked {
			n, err := r.in.Read(space)
			r.got <- answer{n, err}
		}
	}()
}

func (r *interruptible) Read(p []byte) (int, error) {
	if r.asked == nil {
		r.startReader()
	}
	space := make([]byte, len(p))
	select {
	case r.asked <- space:
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
	select {
	case a := <-r.got:
		copy(p, space[:a.n])
		return a.n, a.err
	case <-r.ctx.Done():
		return 0, r.ctx.Err()
	}
}
