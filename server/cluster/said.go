package cluster

import (
	"crypto/rand"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/server/redact"
)

// A credentials plugin may print on stderr what it waits for: an address to open, or a device to touch. The process that runs the plugin
// (PluginMain) keeps its last line in a file, and pages show the line while the plugin runs. A credential comes on stdout, which is never kept.
//
//	plugin ── stderr ──▶ saying: whole lines, printable, redacted, short ──▶ file ──▶ said ──▶ State.Text
//	       ── stdout ──▶ client-go

const (
	maxLine = 4096 // of what a plugin prints, in bytes; a longer line is left out
	maxSaid = 300  // of what a page shows, in characters
)

// saying writes the last line of a plugin into a file that it makes.
type saying struct {
	file *os.File
	line []byte
}

// newSaying makes the file, which only this user can read. Without it, nothing is kept.
func newSaying(path string) *saying {
	if path == "" {
		return &saying{}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return &saying{}
	}
	return &saying{file: file}
}

// Write takes in what the plugin prints.
func (s *saying) Write(p []byte) (int, error) {
	for _, b := range p {
		switch {
		case b == '\n':
			s.writeLine()
			s.line = s.line[:0]
		case len(s.line) <= maxLine:
			s.line = append(s.line, b)
		}
	}
	return len(p), nil
}

// writeLine keeps a whole line. The end of a line that is still being printed could be half a credential.
func (s *saying) writeLine() {
	text := shown(s.line)
	if s.file == nil || text == "" || s.file.Truncate(0) != nil {
		return
	}
	_, _ = s.file.WriteAt([]byte(text), 0) // without it, the page says less
}

// close removes the file.
func (s *saying) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// escapes are the sequences with which programs color their words and move the cursor.
var escapes = regexp.MustCompile("\x1b(\\[[^@A-Za-z~]*[@A-Za-z~]|\\][^\x07\x1b]*(\x07|\x1b\\\\))")

// shown is a line of a plugin as a page may show it: printable, without what looks like a credential, and short. A line of a single word may
// be a bare password, so it is left out.
func shown(line []byte) string {
	if len(line) > maxLine {
		return ""
	}
	text := plain.Replaced(strings.ToValidUTF8(escapes.ReplaceAllString(string(line), ""), " "), func(rune) string { return " " })
	words := strings.Fields(text)
	if len(words) < 2 {
		return ""
	}
	clean := []rune(redact.Text(strings.Join(words, " ")))
	if len(clean) > maxSaid {
		return string(clean[:maxSaid-1]) + "…"
	}
	return string(clean)
}

// sayingPath is a new path that nobody can guess.
func sayingPath() string {
	var name [16]byte
	_, _ = rand.Read(name[:]) // it never fails
	return filepath.Join(os.TempDir(), "fieldmark-plugin-"+hex.EncodeToString(name[:]))
}

// said is the last line of the plugin that runs now; empty: there is none.
func (c *Cluster) said() string {
	if c.of != nil {
		return c.of.said()
	}
	path := c.saying.Load()
	if path == nil {
		return ""
	}
	text, err := os.ReadFile(*path)
	if err != nil || len(text) > maxLine {
		return ""
	}
	return shown(text)
}
