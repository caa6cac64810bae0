package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestPositions(t *testing.T) {
	for _, c := range []struct {
		line string
		e    Encoding
		at   int // character
		byte int
	}{
		{"abc", UTF16, 2, 2},
		{"a🙂b", UTF16, 1, 1},
		{"a🙂b", UTF16, 2, 1}, // in the middle of the pair
		{"a🙂b", UTF16, 3, 5},
		{"a🙂b", UTF32, 2, 5},
		{"a🙂b", UTF8, 5, 5},
		{"a🙂b", UTF8, 3, 1},
		{"名前: 値", UTF16, 4, 8},
		{"名前: 値", UTF32, 4, 8},
		{"名前: 値", UTF8, 8, 8},
		{"👩‍👩‍👧x", UTF16, 8, len("👩‍👩‍👧")},
		{"é", UTF16, 1, 2},
		{"short", UTF16, 99, 5},
	} {
		if got := offset(c.line, c.at, c.e); got != c.byte {
			t.Errorf("%q, character %d in %s: byte %d, want %d", c.line, c.at, c.e, got, c.byte)
		}
	}
	x := New("a\n名🙂z")
	for e, want := range map[Encoding]int{UTF8: 7, UTF16: 3, UTF32: 2} {
		if got := x.Character(1, 7, e); got != want {
			t.Errorf("%s: %d, want %d", e, got, want)
		}
		if got := x.Offset(Position{1, want}, e); got != 7 {
			t.Errorf("%s: back %d, want 7", e, got)
		}
	}
}

func TestChoose(t *testing.T) {
	for want, known := range map[Encoding][]string{UTF16: nil, UTF8: {"utf-16", "utf-8"}, UTF32: {"utf-32", "utf-16"}} {
		if got := Choose(known); got != want {
			t.Errorf("%v: %s, want %s", known, got, want)
		}
	}
}

func TestReplace(t *testing.T) {
	for _, c := range []struct {
		text        string
		start, end  Position
		with, wants string
	}{
		{"a\nb\n", Position{0, 1}, Position{1, 0}, "", "ab\n"},
		{"a\nb", Position{1, 1}, Position{1, 1}, "\nc", "a\nb\nc"},
		{"a\nb", Position{9, 9}, Position{9, 9}, "!", "a\nb!"},
		{"a\rb", Position{1, 0}, Position{1, 0}, "\n", "a\r\nb"},
		{"a\r\nb", Position{0, 1}, Position{0, 9}, "x", "ax\r\nb"},
		{"a\nb\nc", Position{0, 0}, Position{2, 1}, "", ""},
		{"a: 🙂\n", Position{0, 3}, Position{0, 5}, "猫", "a: 猫\n"},
		{"ab", Position{0, 2}, Position{0, 1}, "x", "abx"},
		{"ab", Position{-1, -5}, Position{0, 1}, "x", "xb"},
	} {
		x := New(c.text)
		x.Replace(c.start, c.end, c.with, UTF16)
		if x.String() != c.wants || x.Len() != len(c.wants) {
			t.Errorf("%q with %q at %v to %v: %q of %d, want %q", c.text, c.with, c.start, c.end, x.String(), x.Len(), c.wants)
		}
	}
}

// same tells whether a text that was changed is the text as it would be read as a whole.
func same(t *testing.T, x *Text) {
	t.Helper()
	fresh := New(x.String())
	if fresh.Len() != x.Len() || fresh.Lines() != x.Lines() {
		t.Fatalf("%q: %d bytes and %d lines, read again %d and %d", x.String(), x.Len(), x.Lines(), fresh.Len(), fresh.Lines())
	}
	for i := range x.lines {
		if x.lines[i] != fresh.lines[i] {
			t.Fatalf("line %d: %q, read again %q", i, x.lines[i], fresh.lines[i])
		}
	}
}

// byOffset applies a change to a whole text by counting characters from its beginning: a second opinion that knows nothing of lines that are kept.
func byOffset(whole string, start, end Position, with string, e Encoding) string {
	at := func(p Position) int {
		from, lines := 0, split(whole, true)
		if p.Line < 0 {
			return 0
		}
		if p.Line >= len(lines) {
			return len(whole)
		}
		for _, line := range lines[:p.Line] {
			from += len(line)
		}
		return from + offset(strings.TrimRight(lines[p.Line], "\r\n"), p.Character, e)
	}
	from, to := at(start), max(at(start), at(end))
	return whole[:from] + with + whole[to:]
}

func FuzzIncrementalIsTheFullText(f *testing.F) {
	f.Add("a: b\r\nc: 🙂\n", uint64(1))
	f.Add("\r\n\r\r\n\n", uint64(7))
	f.Fuzz(func(t *testing.T, whole string, seed uint64) {
		whole = strings.ToValidUTF8(whole, "\uFFFD")
		random := rand.New(rand.NewPCG(seed, 0))
		parts := []string{"", "\n", "\r", "\r\n", "x", "🙂", "名前\n", "a: 1\r", "\nb", "---\n"}
		x := New(whole)
		for range 12 {
			e := []Encoding{UTF8, UTF16, UTF32}[random.IntN(3)]
			start := Position{random.IntN(x.Lines()+2) - 1, random.IntN(8) - 1}
			end := Position{start.Line + random.IntN(3) - 1, random.IntN(8) - 1}
			with := parts[random.IntN(len(parts))] + parts[random.IntN(len(parts))]
			whole = byOffset(whole, start, end, with, e)
			x.Replace(start, end, with, e)
			if x.String() != whole {
				t.Fatalf("%q, want %q", x.String(), whole)
			}
			same(t, x)
		}
	})
}

func BenchmarkAKeyInTenMegabytes(b *testing.B) {
	x := New(strings.Repeat("    image: registry.example.com/app:1 # comment\n", 10<<20/48))
	b.ResetTimer()
	for i := range b.N {
		x.Replace(Position{i % x.Lines(), 4}, Position{i % x.Lines(), 4}, "x", UTF16)
	}
}
