package components_test

import (
	"math"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/plain"
)

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "",
		"web-1":                      "web-1",
		"<script>":                   "<script>", // markup is templ's to escape
		"line\nand\ttab":             "line\nand\ttab",
		"Grüße, 世界 👩\u200d🚀":         "Grüße, 世界 👩\u200d🚀",
		"invoice-\u202efdp.exe":      `invoice-\u202efdp.exe`,
		"ad\u200bmin":                `ad\u200bmin`,
		"\u200e\u200f\u061c":         `\u200e\u200f\u061c`,
		"\u2066\u2067\u2068\u2069":   `\u2066\u2067\u2068\u2069`,
		"\x1b[31mred\x1b[0m":         `\u001b[31mred\u001b[0m`,
		"\x00\x07\r\x7f\u0085\u009b": `\u0000\u0007\u000d\u007f\u0085\u009b`,
		"\ufeffx\u00ady":             `\ufeffx\u00ady`,
		"tag\U000e0041":              `tag\U000e0041`,
	} {
		if got := components.Visible(text); got != want {
			t.Errorf("Visible(%+q) = %+q, want %+q", text, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, text := range hostileTexts {
		f.Add(text)
	}
	f.Add("plain")
	f.Add("\xff\xfe\u202e")
	f.Fuzz(func(t *testing.T, text string) {
		shown := components.Visible(text)
		for _, r := range shown {
			if laidOut := strings.ContainsRune("\n\t\u200d\ufe0e\ufe0f", r); !laidOut && !plain.Printable(r) {
				t.Errorf("Visible(%+q) still holds %U", text, r)
			}
		}
		if again := components.Visible(shown); again != shown {
			t.Errorf("Visible(%+q) = %+q, and of that %+q", text, shown, again)
		}
		if !strings.ContainsFunc(text, func(r rune) bool { return !plain.Printable(r) }) && shown != text {
			t.Errorf("plain text %+q became %+q", text, shown)
		}
	})
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 812: "812 B", 999: "999 B", 1000: "1 kB", 1234: "1.23 kB", 99_900: "99.9 kB", 999_499: "999 kB",
		999_500: "1 MB", 1_900_000: "1.9 MB", 37_000_000: "37 MB", 999_500_000: "1 GB", 53_000_000_000: "53 GB",
		999_499_999_999: "999 GB", 2_000_000_000_000: "2 TB", math.MaxInt64: "9.22 EB",
	} {
		if got := components.Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestCellTone(t *testing.T) {
	for _, c := range []struct {
		column, text string
		want         components.Tone
	}{
		{"Status", "Running", components.Good},
		{"STATUS", "running", components.Good},
		{"Status", "Ready,SchedulingDisabled", components.Good},
		{"Status", "NotReady,SchedulingDisabled", components.Bad},
		{"Status", " Pending ", components.Busy},
		{"Phase", "Bound", components.Good},
		{"State", "Unknown", components.Warn},
		{"Conditions", "Denied", components.Bad},
		{"Status", "CrashLoopBackOff", components.Bad},
		{"Status", "Init:CrashLoopBackOff", components.Bad},
		{"Status", "Init:0/1", components.Calm},
		{"Status", "Something of its own", components.Calm},
		{"Status", "", components.Calm},
		{"Name", "running", components.Calm},
		{"Reason", "Failed", components.Calm},
	} {
		if got := components.CellTone(c.column, c.text); got != c.want {
			t.Errorf("CellTone(%q, %q) = %q, want %q", c.column, c.text, got, c.want)
		}
	}
}
