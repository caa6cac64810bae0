package plain_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/fieldmark/fieldmark/kube/plain"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"gitops":                          "gitops",
		"a\x1b[31mred\r\nb":               "a·[31mred··b",
		"invoice-\u202efdp":               "invoice-·fdp",
		"größe 5 µs — 全部":                 "größe 5 µs — 全部",
		"ad\u200bmin\u2028\ufeffa\u00adb": "ad·min··a·b",
		"a\U000e0041\u009b\u3164\u2800":   "a····",
		"👩\u200d🚀 ❤\ufe0f a\u200db\ufe0f": "👩\u200d🚀 ❤\ufe0f a·b·",
	} {
		if got := plain.Text(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"gitops (Apply)":               "gitops (Apply)",
		"a|b":                          `a\|b`,
		"# head\n<b>":                  `\# head·\<b\>`,
		"`x` [a](b) ![c](d)":           "\\`x\\` \\[a\\](b) !\\[c\\](d)",
		"@everyone, me@example.com":    "@<!-- -->everyone, me@<!-- -->example.com",
		"see #12":                      `see \#<!-- -->12`,
		"https://evil.example/?q=1":    "https:<!-- -->//evil.example/?q=1",
		"www.evil.example":             "www<!-- -->.evil.example",
		"at 12:00, by @, no. # and ww": `at 12:00, by @, no. \# and ww`,
	} {
		if got := plain.Markdown(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestCode(t *testing.T) {
	for text, want := range map[string]string{
		".spec.replicas":           "`.spec.replicas`",
		"@everyone <b> #1 $x$ *a*": "`@everyone <b> #1 $x$ *a*`",
		"a|b":                      "<code>a&#124;b</code>",
		"a\\|b":                    "<code>a&#92;&#124;b</code>",
		"`":                        "<code>&#96;</code>",
		" a ":                      "<code> a </code>",
		"</code>|":                 "<code>&#60;&#47;code&#62;&#124;</code>",
		"a\nb":                     "`a·b`",
		"":                         "<code></code>",
	} {
		if got := plain.Code(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestValue(t *testing.T) {
	if got := plain.Value(nil); got != "nothing" {
		t.Error(got)
	}
	if got := plain.Value([]byte(strings.Repeat("ä", 201))); got != strings.Repeat("ä", 200)+"…" {
		t.Error(got)
	}
}

func TestObject(t *testing.T) {
	if got := plain.Object("Deployment", "shop", "web\n"); got != "Deployment shop/web" {
		t.Errorf("%q", got)
	}
	if got := plain.Object("Node", "", "a\x07"); got != "Node a·" {
		t.Errorf("%q", got)
	}
}

// FuzzCode proves that a piece of code ends where it should, and stays in its line and its cell.
func FuzzCode(f *testing.F) {
	for _, text := range []string{"", "a", "`", "``", "a|b", "\\", "\\`", "</code>", "&#96;", "a\r\n\r\nb", "\u202e", " x", "<!--"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := plain.Code(text)
		if strings.IndexFunc(got, unicode.IsControl) >= 0 || strings.ContainsAny(got, "|\\") {
			t.Errorf("%q: %q", text, got)
		}
		if inner, is := strings.CutPrefix(got, "<code>"); is {
			inner, is = strings.CutSuffix(inner, "</code>")
			if !is || strings.ContainsAny(inner, "<>`*_[]@") {
				t.Errorf("%q: %q", text, got)
			}
		} else if len(got) < 3 || strings.Count(got, "`") != 2 || got[0] != '`' || got[len(got)-1] != '`' {
			t.Errorf("%q: %q", text, got)
		}
		if fence := plain.Fence(text); len(fence) < 3 || strings.Contains(text, fence) {
			t.Errorf("%q in %q", text, fence)
		}
	})
}

func TestCSV(t *testing.T) {
	got := plain.CSV([][]string{{"name", "why"}, {"=HYPERLINK(1)", "+1"}, {"@x", "-2"}, {"a,b", "say \"no\"\n::error::"}, {"\x1b[31m", ""}})
	want := "name,why\n'=HYPERLINK(1),'+1\n'@x,'-2\n\"a,b\",\"say \"\"no\"\"·::error::\"\n·[31m,\n"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
