package check

import (
	"fmt"
	"io"
	"sync"
)

// progress says on a terminal how many documents are done, in one line that is taken back in the end.
type progress struct {
	out  io.Writer // nil: nobody looks
	word string
	of   int

	mu    sync.Mutex
	count int
}

func (p *progress) step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	if p.out != nil {
		_, _ = fmt.Fprintf(p.out, "\r%s %d of %d", p.word, p.count, p.of)
	}
}

// end takes the line back.
func (p *progress) end() {
	if p.out != nil {
		_, _ = io.WriteString(p.out, "\r\x1b[K")
	}
}
