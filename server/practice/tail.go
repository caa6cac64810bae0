package practice

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"

	"github.com/fieldmark/fieldmark/kube/status"
)

// tail keeps the last maxStderr bytes that are written to it, and logs lines at level debug.
type tail struct {
	log *slog.Logger

	mu   sync.Mutex
	kept []byte
}

// Write keeps the end of what was written.
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

// lines are the last lines that aren't empty, at most n.
func (t *tail) lines(n int) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []string
	for line := range strings.Lines(string(t.kept)) {
		if text := status.Excerpt([]byte(line), maxWords); text != "" {
			all = append(all, text)
		}
	}
	return all[max(0, len(all)-n):]
}

// lastLine is the last line that isn't empty.
func (t *tail) lastLine() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.kept)), "\n")
	return status.Excerpt([]byte(lines[len(lines)-1]), maxWords)
}
