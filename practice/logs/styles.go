package logs

import (
	"fmt"
	"strings"
	"time"
)

// Styles of a log, for those who want to see how it is read. Each replaces the voice that a container would have.
const (
	// StyleJSON is one JSON object a line.
	StyleJSON = "json"
	// StyleText is a time, a level in words, and a sentence.
	StyleText = "text"
	// StyleANSI has colours and other attributes of a terminal, and lines that return to their beginning.
	StyleANSI = "ansi"
	// StyleHostile has what attacks a terminal, a page or its reader, and lines of 200 KB.
	StyleHostile = "hostile"
	// StyleBinary has bytes of all values.
	StyleBinary = "binary"
	// StyleEndless is one line that never ends.
	StyleEndless = "endless"
)

// styleVoice returns the voice of a style, or nothing for a style that doesn't exist.
func styleVoice(style string) (voice, bool) {
	v, known := map[string]voice{
		StyleJSON:    {rate: 1, opening: workerOpening, line: workerLine, closing: workerClosing},
		StyleText:    {rate: 1, line: textLine, closing: textClosing},
		StyleANSI:    {rate: 1, line: ansiLine, closing: textClosing},
		StyleHostile: {rate: 1, line: hostileLine, closing: textClosing},
		StyleBinary:  {rate: 1, line: binaryLine},
		StyleEndless: {rate: 1, line: endlessLine, open: true},
	}[style]
	return v, known
}

var textLevels = []string{"TRACE", "DEBUG", "INFO", "INFO", "INFO", "INFO", "INFO", "WARN", "ERROR", "FATAL"}

// sentence returns a level with words that go with it.
func sentence(d *dice) (level, words string) {
	level = pick(d, textLevels...)
	order := 1000 + d.below(9000)
	switch level {
	case "WARN":
		return level, fmt.Sprintf("order %d is slow: %d ms", order, 500+d.below(900))
	case "ERROR", "FATAL":
		return level, fmt.Sprintf("order %d failed: connection reset by peer", order)
	}
	return level, fmt.Sprintf("order %d is paid, %d parcels", order, 1+d.below(9))
}

func textLine(_ Source, at time.Time, d *dice) (string, bool) {
	level, words := sentence(d)
	return fmt.Sprintf("%s %-5s [orders] %s", at.Format("2006-01-02 15:04:05,000"), level, words), level == "ERROR" || level == "FATAL"
}

func textClosing(s Source, at func() time.Time) []Line {
	if killed(s) {
		return nil
	}
	when := at()
	return []Line{{At: when, Text: fmt.Sprintf("%s INFO  [orders] exit code %d (%s)", when.Format("2006-01-02 15:04:05,000"), s.ExitCode, s.Reason)}}
}

func ansiLine(_ Source, at time.Time, d *dice) (string, bool) {
	level, words := sentence(d)
	done := d.below(101)
	return pick(d,
		fmt.Sprintf("\x1b[2m%s\x1b[0m \x1b[3%dm%s\x1b[0m %s", at.Format(time.TimeOnly), 1+d.below(6), level, words),
		fmt.Sprintf("\x1b[1;38;5;%dm%s\x1b[22m %s\x1b[39m", 16+d.below(216), level, words),
		fmt.Sprintf("\x1b[38;2;%d;%d;%dm\x1b[4m%s\x1b[m", d.below(256), d.below(256), d.below(256), words),
		fmt.Sprintf("\x1b[7m %s \x1b[27m \x1b[9mold\x1b[29m \x1b[3mnew\x1b[23m", level),
		fmt.Sprintf("\x1b[30;4%dm%s\x1b[0m %s", 1+d.below(6), level, words),
		fmt.Sprintf("download 0 %%\rdownload %d %%\x1b[K", done),
	), false
}

// hostileLines are what a program may write that was told what to write by somebody else.
var hostileLines = []string{
	"\x1b]0;renamed by a log\x07a window title",
	"\x1b]2;renamed by a log\x1b\\a window title with another end",
	"\x1b]52;c;cm0gLXJmIC8K\x07the clipboard",
	"\x1b]8;;javascript:alert(1)\x1b\\a link\x1b]8;;\x1b\\",
	"\x1bP$q\"p\x1b\\\x1b[6n\x1b[c\x1b[>0qquestions to the terminal",
	"\x1b[2J\x1b[H\x1b[3Jthe screen is empty",
	"\x1b[?1049h\x1b[?25l\x1b[?2004hmodes that stay",
	"\x1b[8mhidden\x1b[99999999999999999999m\x1b[38;5mand sequences that don't end: \x1b[38;2;1",
	"\x1b]0;a title that never ends",
	"\u009b31mC1 control characters\u009d0;renamed\u009c",
	"<script>document.title = 'renamed by a log'</script><img src=x onerror=alert(1)>",
	`{"level":"info","msg":"<b>bold</b>","__proto__":{"polluted":true},"constructor":1,"time":"not a time","level":"twice"}`,
	`{"msg":` + strings.Repeat("[", 2000),
	`{"level":"info","msg":"a text that never ends`,
	"user=\u202egnp.exe\u202c \u2066isolated, and zero\u200bwidth \ufeffcharacters",
	"before a NUL\x00after it, \x7f and \b\b\b\bbackspaces",
	"half of a character: \xf0\x9f\x98, and none: \xff\xfe\xc0\x80",
	"harmless\rERROR a line that looks like two",
	"Z" + strings.Repeat("\u0351\u0360", 200) + " many marks on one letter",
	"http://example.com/\x1b[31m?q=<\"'>&amp; javascript:alert(1) data:text/html,x",
	"\t\v\f\u2028\u2029 separators of lines and paragraphs",
}

// longLine is how many bytes the long lines of StyleHostile have.
const longLine = 200_000

func hostileLine(_ Source, _ time.Time, d *dice) (string, bool) {
	n := d.below(len(hostileLines) + 1)
	if n == len(hostileLines) {
		return strings.Repeat("long ", longLine/5), false
	}
	return hostileLines[n], d.below(4) == 0
}

func binaryLine(_ Source, _ time.Time, d *dice) (string, bool) {
	line := make([]byte, 16+d.below(200))
	for i := range line {
		if line[i] = byte(d.nextNumber()); line[i] == '\n' { // that would be the end
			line[i] = 0
		}
	}
	return string(line), false
}

// chunk is how many bytes of a line without end are written at a time: a container runtime doesn't keep more for the rest of a line.
const chunk = 16 << 10

func endlessLine(_ Source, _ time.Time, d *dice) (string, bool) {
	return strings.Repeat(fmt.Sprintf("%015d ", d.nextNumber()%1e15), chunk/16), false
}
