package refusal

import (
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

func TestTheWorkIsBounded(t *testing.T) {
	for name, piece := range hard {
		got := Read(strings.Repeat(piece, 1<<20/len(piece)))
		if len(got.Refusals) > MaxRefusals {
			t.Errorf("%s: %d refusals", name, len(got.Refusals))
		}
	}
	if got := Read(strings.Repeat("x", MaxText+1)); !got.Cut {
		t.Error("a text that is too long is not cut")
	}
}

func BenchmarkRead(b *testing.B) {
	for name, piece := range hard {
		b.Run(name, func(b *testing.B) {
			text := strings.Repeat(piece, 1<<20/len(piece))
			for b.Loop() {
				Read(text)
			}
		})
	}
}

func TestBinary(t *testing.T) {
	for _, text := range []string{"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", "\x1f\x8b\x08\x00\x00\xff\xfe\xfd", strings.Repeat("\x00", 100)} {
		if got := Read(text); !got.Binary || len(got.Refusals)+len(got.Rest) > 0 {
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
		got := Read(text)
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
		if again := told(Read(text)); again != told(got) {
			t.Errorf("read again:\n%s\nand before:\n%s", again, told(got))
		}
	})
}
