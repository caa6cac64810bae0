package check

import (
	"fmt"
	"io"
	"sync"
)

// progress shows on a terminal how many documents are done. It is one line, which end deletes.
type progress struct {
	out  io.Writer // nil: no progress is shown
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

// clearLine deletes the line.
func (p *progress) clearLine() {
	if p.out != nil {
		_, _ = io.WriteString(p.out, "\r\x1b[K")
	}
}
