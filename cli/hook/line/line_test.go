package line

import (
	"fmt"
	"strings"
	"testing"
)

// shown is a line as text: words that are not known are "?", or "?*" if they can be several.
func shown(l Line) string {
	var b strings.Builder
	for _, c := range l.Calls {
		for _, w := range c.Words {
			switch {
			case w.Known && w.One:
				b.WriteString("«" + w.Text + "»")
			case w.One:
				b.WriteString("?")
			default:
				b.WriteString("?*")
			}
		}
		b.WriteString("; ")
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		`a b\ c 'd e' "f g" h"i"'j'`:           "«a»«b c»«d e»«f g»«hij»",
		`a "\$x" '\$x' \$x`:                    `«a»«$x»«\$x»«$x»`,
		`a $x "$x" "${x}" "${x:-y}" ${#x}`:     "«a»?*????*",
		`x=1; a $x "$x" "b$x"`:                 "«a»«1»«1»«b1»",
		`x=; a $x "$x"`:                        "«a»?*«»",
		`x=1 a $x`:                             "«a»?*",
		`a ~ ~/b ~ben "~" c~`:                  "«a»«/home»«/home/b»?«~»«c~»",
		`a *.yaml "*.yaml" x? [a] {a,b} \*`:    "«a»?*«*.yaml»?*?*?*«*»",
		`a "$@" $@ "$*"`:                       "«a»?*?*?",
		`a $'x' $'\x41' $((1)) "$(b)" $(b)`:    "«b»; «b»; «a»«x»????*",
		"env -u X A=b nice -n 3 c d":           "«c»«d»",
		"timeout -k 1 --signal=KILL 5 c":       "«c»",
		"xargs -n 1 -P4 c d":                   "«c»«d»",
		"sudo -u root c":                       "«c»",
		"command -v c":                         "«command»«-v»«c»",
		"x=1; unset x; a $x":                   "«unset»«x»; «a»?*",
		"x=1; f=$x; a $f":                      "«a»«1»",
		"x=1; x+=2; a $x":                      "«a»?*",
		"export x=1; a $x":                     "«a»«1»",
		"x=1; export x; a $x":                  "«a»«1»",
		"x=1; (x=2; a $x); a $x":               "«a»«2»; «a»«1»",
		"x=1; for x in 2; do a $x; done; b $x": "«a»?*; «b»?*",
		"a <<< $(b) > $(c)":                    "«b»; «c»; «a»",
	} {
		if got := shown(Read(text, "/work", "/home")); got != want {
			t.Errorf("%s\n\tis  %s\n\twant %s", text, got, want)
		}
	}
}

func TestDoubts(t *testing.T) {
	for _, text := range []string{"'", "a && ", "f() { a; }", "env --weird a", "env $X a", strings.Repeat("a", Longest+1)} {
		if l := Read(text, "/", "/"); len(l.Doubts) == 0 {
			t.Errorf("no doubt about %.40q", text)
		}
	}
}

func TestFolders(t *testing.T) {
	for text, want := range map[string]string{
		"a": "/work", "cd x; a": "/work/x", "cd x && a": "/work/x", "cd ..; a": "/", "cd /; a": "/", "cd; a": "/home", "cd -; a": "", "cd $X; a": "", "pushd x; a": "",
		"(cd x); a": "/work", "cd x | b; a": "", "b && cd x; a": "", "b || cd x; a": "", "if b; then cd x; fi; a": "", "CDPATH=/; cd x; a": "", "while a; do cd x; done": "", "$X; a": "",
	} {
		calls := Read(text, "/work", "/home").Calls
		for _, c := range calls {
			if c.Name() == "a" && c.Folder != want {
				t.Errorf("%s runs in %q, want %q", text, c.Folder, want)
			}
		}
	}
}

// FuzzRead finds texts that can't be read without a failure, and calls that have no words.
func FuzzRead(f *testing.F) {
	f.Add("cat <<EOF | a -f - > b\n$x `c` $(d)\nEOF\nfor i in *; do e \"$i\" & done")
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Read(text, "/work", "/home").Calls {
			if len(c.Words) == 0 && !c.Writes {
				t.Error(fmt.Sprint("an empty call in ", text))
			}
		}
	})
}
