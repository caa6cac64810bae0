package supervise

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// Death is the end of a component that should still run.
type Death struct {
	Component string
	How       string
	LogPath   string
	LastLines []string
	// Times is how often the component died within Within, where that was too often; else 0.
	Times  int
	Within time.Duration
}

// Error describes the death in one line. The last lines of the component's log follow.
func (d *Death) Error() string {
	often := ""
	if d.Times > 1 {
		often = fmt.Sprintf(" %d times within %.0f minutes", d.Times, d.Within.Minutes())
	}
	text := fmt.Sprintf("%s stopped by itself%s (%s); its log: %s", d.Component, often, d.How, d.LogPath)
	for _, line := range d.LastLines {
		text += "\n  " + line
	}
	return text
}

// tailBytes bounds how much of a log is read to find its last lines.
const tailBytes = 8 << 10

// lastLines returns up to n of the last lines of a file, or none if it can't be read.
func lastLines(path string, n int) []string {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer func() { _ = file.Close() }()
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		_, _ = file.Seek(max(0, size-tailBytes), io.SeekStart)
	}
	tail, err := io.ReadAll(io.LimitReader(file, tailBytes))
	if err != nil {
		return nil
	}
	lines := strings.Split(strings.TrimRight(string(tail), "\n"), "\n")
	return lines[max(0, len(lines)-n):]
}
