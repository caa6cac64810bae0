package terminal

import (
	"fmt"
	"io"
	"sync"
)

// Progress shows on a terminal how many of something are done. It is one line, which ClearLine deletes.
type Progress struct {
	Out  io.Writer // nil: no progress is shown
	Word string
	Of   int // 0: nobody knows how many there will be

	mu    sync.Mutex
	count int
}

// Watching is a progress of nobody knows how many, shown on this output if it is a terminal and not used for other lines.
func Watching(word string, out io.Writer, used bool) *Progress {
	p := &Progress{Word: word}
	if IsTerminal(out) && !used {
		p.Out = out
	}
	return p
}

// Step says that one more is done.
func (p *Progress) Step() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	if p.Out == nil {
		return
	}
	of := ""
	if p.Of > 0 {
		of = fmt.Sprintf(" of %d", p.Of)
	}
	_, _ = fmt.Fprintf(p.Out, "\r%s %d%s", p.Word, p.count, of)
}

// ClearLine deletes the line.
func (p *Progress) ClearLine() {
	if p.Out != nil {
		_, _ = io.WriteString(p.Out, "\r\x1b[K")
	}
}
