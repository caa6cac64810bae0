package podlog

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPlain(t *testing.T) {
	red := Style{Color: Red}
	for _, tt := range []struct {
		name, line, text string
		parts            []Part
	}{
		{"text", "GET /cart 200", "GET /cart 200", nil},
		{"tabs stay", "a\tb", "a\tb", nil},
		{"other control characters go", "a\x00b\x08c\x7fd\u0085e", "abcde", nil},
		{"bytes that aren't text", "a\xff\xfeb", "a\ufffd\ufffdb", nil},
		{"the line end of Windows", "a\r", "a", nil},
		{"progress that is overwritten", "10 %\r50 %\rdone", "done", nil},
		{"a color", "\x1b[31mred\x1b[0m and not", "red and not", []Part{{0, 3, red}}},
		{"a color up to the end", "so \x1b[31mred", "so red", []Part{{3, 6, red}}},
		{"without parameters it is a reset", "\x1b[31mred\x1b[m.", "red.", []Part{{0, 3, red}}},
		{"several codes", "\x1b[1;4;91mred", "red", []Part{{0, 3, Style{Color: Red, Bold: true, Underlined: true}}}},
		{"a weight ends", "\x1b[1;3;9ma\x1b[22;23;29mb", "ab", []Part{{0, 1, Style{Bold: true, Italic: true, Struck: true}}}},
		{"of 256 colors", "\x1b[38;5;196ma\x1b[39mb", "ab", []Part{{0, 1, red}}},
		{"of all colors", "\x1b[38;2;20;200;210ma", "a", []Part{{0, 1, Style{Color: Cyan}}}},
		{"with colons", "\x1b[38:5:196ma", "a", []Part{{0, 1, red}}},
		{"a background counts for nothing", "\x1b[48;5;196;1ma", "a", []Part{{0, 1, Style{Bold: true}}}},
		{"a palette without a color", "\x1b[38;5ma", "a", nil},
		{"a style without text", "\x1b[31m\x1b[0m", "", nil},
		{"the cursor moves", "a\x1b[2K\x1b[1Gb\x1b[?25l", "ab", nil},
		{"hostile log: a window's title", "\x1b]0;pwned\x07a", "a", nil},
		{"hostile log: the clipboard", "\x1b]52;c;cm0gLXJmIC8=\x1b\\a", "a", nil},
		{"hostile log: a link", "\x1b]8;;https://evil.example\x1b\\a\x1b]8;;\x1b\\", "a", nil},
		{"hostile log: a string without an end", "a\x1b]0;pwned", "a", nil},
		{"hostile log: a device control string", "\x1bP$q\"p\x1b\\a", "a", nil},
		{"hostile log: the same with one character", "a\u009d0;pwned", "a0;pwned", nil},
		{"a private sequence", "\x1b[>4;2ma", "a", nil},
		{"a character set", "\x1b(Ba", "a", nil},
		{"an escape at the end", "a\x1b", "a", nil},
		{"a sequence that is broken off", "a\x1b[31", "a", nil},
		{"a sequence that isn't one", "\x1b[31\x01a", "a", nil},
		{"a number that is too large", "\x1b[99999999999999999999ma", "a", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, parts := stripControls([]byte(tt.line))
			if text != tt.text || !reflect.DeepEqual(parts, tt.parts) {
				t.Errorf("plain(%q) = %q, %+v; want %q, %+v", tt.line, text, parts, tt.text, tt.parts)
			}
		})
	}
}

func TestNearestColor(t *testing.T) {
	for n, want := range map[int]Color{
		0: Black, 1: Red, 7: White, 9: Red, 15: White, 16: Black, 21: Blue, 46: Green, 51: Cyan, 196: Red, 201: Magenta, 226: Yellow, 231: White, 232: Black, 255: White,
		-1: NoColor, 256: NoColor,
	} {
		if got := numbered(n); got != want {
			t.Errorf("color %d of 256 is %d, want %d", n, got, want)
		}
	}
}

func FuzzPlain(f *testing.F) {
	for _, seed := range []string{"a\x1b[31mb\x1b[0m", "\x1b]52;c;x\x07", "\x1bP\x1b", "\x1b[38;2;1;2;3m\r\xff", "\x1b \x1b"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		text, parts := stripControls(line)
		if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) }) {
			t.Errorf("plain(%q) has control characters: %q", line, text)
		}
		at := 0
		for _, p := range parts {
			if p.From < at || p.To <= p.From || p.To > len(text) || p.Style == (Style{}) {
				t.Errorf("plain(%q) = %q with the parts %+v", line, text, parts)
			}
			at = p.To
		}
	})
}
