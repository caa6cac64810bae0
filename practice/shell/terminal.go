package shell

import (
	"bytes"
	"io"
	"sync"
	"unicode/utf8"
)

// longestLine is how long a line in a terminal can be, as on Linux.
const longestLine = 4095

// Control characters.
const (
	ctrlC     = 3
	ctrlD     = 4
	backspace = 8
	ctrlU     = 21
	ctrlW     = 23
	escape    = 27
	del       = 127
)

// terminal turns keys into lines as a terminal does: it shows what is typed, lets it be corrected, and sends a line when it is complete.
type terminal struct {
	in        *input
	out       io.Writer
	interrupt func()
	line      []byte
}

func newTerminal(in *input, out io.Writer, interrupt func()) *terminal {
	return &terminal{in: in, out: out, interrupt: interrupt}
}

// feed reads keys until there are no more.
func (t *terminal) feed(keys io.Reader) {
	buffer := make([]byte, 4096)
	for {
		n, err := keys.Read(buffer)
		for _, key := range buffer[:n] {
			t.key(key)
		}
		if err != nil {
			return
		}
	}
}

func (t *terminal) key(key byte) {
	switch key {
	case '\r', '\n':
		t.show("\n")
		t.sendLine(append(t.line, '\n'))
	case ctrlC:
		t.line = t.line[:0]
		t.show("^C\n")
		t.interrupt()
	case ctrlD: // the line as it is; an empty one is the end of input
		t.sendLine(t.line)
	case backspace, del:
		t.erase()
	case ctrlU:
		for len(t.line) > 0 {
			t.erase()
		}
	case ctrlW:
		for len(t.line) > 0 && t.line[len(t.line)-1] == ' ' {
			t.erase()
		}
		for len(t.line) > 0 && t.line[len(t.line)-1] != ' ' {
			t.erase()
		}
	default:
		t.addKey(key)
	}
}

// addKey takes a key that is a part of the line.
func (t *terminal) addKey(key byte) {
	if len(t.line) >= longestLine {
		t.show("\a")
		return
	}
	t.line = append(t.line, key)
	if key < ' ' && key != '\t' {
		t.show("^" + string(rune(key+'@')))
		return
	}
	t.show(string([]byte{key}))
}

// erase removes the last character.
func (t *terminal) erase() {
	if len(t.line) == 0 {
		return
	}
	last, size := utf8.DecodeLastRune(t.line)
	t.line = t.line[:len(t.line)-size]
	t.show("\b \b")
	if last < ' ' && last != '\t' { // shown as two characters
		t.show("\b \b")
	}
}

func (t *terminal) sendLine(line []byte) {
	t.in.offer(line)
	t.line = t.line[:0]
}

func (t *terminal) show(text string) { _, _ = io.WriteString(t.out, text) }

// cooked is the output of a terminal: a new line also returns to the first column.
type cooked struct {
	mu  sync.Mutex
	out io.Writer
}

func (c *cooked) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.out.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(p), nil
}
