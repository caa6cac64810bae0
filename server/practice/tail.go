package practice

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/kube/status"
)

// tail keeps the end of what is written to it, and logs its whole lines at debug.
type tail struct {
	log *slog.Logger

	mu   sync.Mutex
	kept []byte
}

// Write keeps the last maxStderr bytes.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxStderr; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	for line := range bytes.Lines(p) {
		if text := status.Excerpt(line, maxWords); text != "" && t.log != nil {
			t.log.Debug("practice cluster", "stderr", text)
		}
	}
	return len(p), nil
}

// lastLine is the last line with something in it.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return status.Excerpt([]byte(lines[len(lines)-1]), maxWords)
}
