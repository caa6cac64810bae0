package refusal

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// hard are texts of which a reader that isn't linear would never get to the end.
var hard = map[string]string{
	"conflicts":      `Apply failed with 1 conflict: conflict with "a": .b `,
	"managers":       `conflict with "a" using `,
	"paths":          "- .a\n",
	"open brackets":  `conflict with "a": .b[`,
	"open quotes":    `conflict with "\`,
	"escaped quotes": `\"`,
	"escaped lines":  "\\\"\n",
	"logs":           `err="conflict with "`,
	"objects":        `{"a":`,
	"objects in one": `{"a":"conflict with",`,
	"values":         `value: [{"a":`,
	"ended objects":  `{"a":{"a":{"a":{"a":1}}}} `,
	"subjects":       `a "b" is invalid: `,
	"fields":         `a "b" is invalid: a: Invalid value, `,
	"forbidden":      `a "b" is forbidden: User "`,
	"schemas":        `ValidationError(a): `,
	"flux":           `A/b/c dry-run failed: `,
	"helm":           ` object a/b c, Kind=`,
	"lines":          "a \"b\" is invalid: \n",
	"webhooks":       "admission webhook \"a\" denied the request: \n\n",
	"spaces":         "conflict with \"a\":" + " ",
	"colours":        "\x1b[",
	"titles":         "\x1b]",
	"letters":        "x",
	"a log":          `{"level":"info","ts":"2026-11-22T20:07:30Z","msg":"reconciled","name":"web","namespace":"shop"}` + "\n",
	"lines to join":  strings.Repeat("x", terminal) + "\n",
	"a kubectl run":  "deployment.apps/web serverside-applied\n",
}

// mostSteps is how much work a byte of a text may be. Steps are counted, because times differ from machine to machine.
const mostSteps = 3 * longest / 8

func steps(text string) (n int) {
	readWithSteps(context.Background(), text, &n)
	return n
}

func reading(text string) Reading { return Read(context.Background(), text) }

// counted ends after it was asked a number of times.
type counted struct {
	context.Context
	left int
}

func (c *counted) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Reading ends soon after nobody waits for it any longer, and keeps the refusals until then.
func TestReadingEndsWithItsContext(t *testing.T) {
	for name, piece := range hard {
		text := strings.Repeat(piece, 20_000/len(piece))
		whole := steps(text)
		var asked, n int
		for left := 0; ; left = 10*left + 7 {
			n = 0
			c := &counted{context.Background(), left}
			got := readWithSteps(c, text, &n)
			if c.left >= 0 {
				break // it ended by itself
			}
			if asked++; !got.Late || n > whole {
				t.Errorf("%s: %+v after %d steps", name, got, n)
			}
			if left == 0 && n > 4*len(text) {
				t.Errorf("%s: %d steps for %d bytes after the end", name, n, len(text))
			}
		}
		if asked == 0 {
			t.Errorf("%s: nobody asked whether to go on", name)
		}
	}
	text := strings.Repeat(hard["conflicts"]+"\n", 900)
	const plenty = 1 << 30
	all := &counted{context.Background(), plenty}
	readWithSteps(all, text, new(int))
	some := readWithSteps(&counted{context.Background(), (plenty - all.left) * 3 / 4}, text, new(int))
	if n := len(some.Refusals); n == 0 || n == 900 || !some.Late {
		t.Errorf("%d refusals", n)
	}
}

func TestTheWorkGrowsWithTheText(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	for name, piece := range hard {
		small, large := strings.Repeat(piece, 50_000/len(piece)), strings.Repeat(piece, 200_000/len(piece))
		if n := steps(large); n > mostSteps*len(large) || n > 8*steps(small)+1000 {
			t.Errorf("%s: %d steps for %d bytes, %d for %d", name, steps(small), len(small), n, len(large))
		}
	}
}

func FuzzTheWorkIsBounded(f *testing.F) {
	for _, piece := range hard {
		f.Add("", piece, "", uint16(100))
	}
	f.Fuzz(func(t *testing.T, before, again, after string, times uint16) {
		if len(again) > 1000 {
			t.Skip()
		}
		text := before + strings.Repeat(again, int(times)) + after
		if n := steps(text); n > mostSteps*(len(text)+10) {
			t.Errorf("%d steps for %d bytes", n, len(text))
		}
	})
}

func TestTheWorkIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("the work is the same on each platform")
	}
	for name, piece := range hard {
		got := reading(strings.Repeat(piece, 1<<20/len(piece)))
		if len(got.Refusals) > MaxRefusals {
			t.Errorf("%s: %d refusals", name, len(got.Refusals))
		}
	}
	if got := reading(strings.Repeat("x", MaxText+1)); !got.Cut {
		t.Error("a text that is too long is not cut")
	}
}

func BenchmarkRead(b *testing.B) {
	for name, piece := range hard {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(piece, 1<<20/len(piece))
			for b.Loop() {
				reading(text)
			}
		})
	}
}

func TestBinary(t *testing.T) {
	for _, text := range []string{"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", "\x1f\x8b\x08\x00\x00\xff\xfe\xfd", strings.Repeat("\x00", 100)} {
		if got := reading(text); !got.Binary || len(got.Refusals)+len(got.Rest) > 0 {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, all := range [][]sample{conflicts, invalids, denials, others} {
		for _, c := range all {
			f.Add(c.text)
		}
	}
	for _, piece := range hard {
		f.Add(strings.Repeat(piece, 3))
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := reading(text)
		if len(got.Refusals) > MaxRefusals {
			t.Errorf("%d refusals", len(got.Refusals))
		}
		for _, rest := range got.Rest {
			if !utf8.ValidString(rest) || rest == "" {
				t.Errorf("rest %q", rest)
			}
		}
		for _, no := range got.Refusals {
			for _, h := range no.Holdings() {
				if len(h.Paths) == 0 {
					t.Errorf("%q holds nothing", h.Name)
				}
			}
			for _, f := range no.Fields {
				if len(f.Owners) > 0 && !strings.HasPrefix(f.Path, ".") && !strings.HasPrefix(f.Path, "[") && no.Tool != Status {
					t.Errorf("path %q", f.Path)
				}
			}
		}
		if again := told(reading(text)); again != told(got) {
			t.Errorf("read again:\n%s\nand before:\n%s", again, told(got))
		}
	})
}
