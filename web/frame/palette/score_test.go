package palette

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestAWordIsWorthWhatItsPlaceIs(t *testing.T) {
	for _, c := range []struct {
		word, in string
		want     int
	}{
		{"pods", "Pods", exact},
		{"po", "Pods", prefix},
		{"maps", "ConfigMaps", wordStart},
		{"route", "HTTPRoutes", wordStart},
		{"web", "shop-web", wordStart},
		{"ca", "kube-root-ca.crt", wordStart},
		{"crt", "kube-root-ca.crt", wordStart},
		{"io", "cert-manager.io/v1", wordStart},
		{"v1", "cert-manager.io/v1", wordStart},
		{"b", "a b", wordStart},
		{"web", "cobweb-web", wordStart}, // the second one counts
		{"web", "cobwebs", inside},
		{"ttp", "HTTPRoutes", inside},
		{"cm", "ConfigMaps", initials},
		{"pdb", "PodDisruptionBudgets", initials},
		{"kr", "kube-root-ca.crt", initials},
		{"dply", "Deployments", scattered - 2*gapCost},
		{"dpmt", "Deployments", scattered - 3*gapCost},
		{"abcdefghijklmn", "axbxcxdxexfxgxhxixjxkxlxmxn", scatteredLeast},
		{"kubsys", "kube-system", scattered - gapCost},
		{"wbcfg", "web-config", 0}, // letters scattered over two words
		{"webcon", "web-config", scattered - gapCost},
		{"wc", "web-config", initials},
		{"wcf", "web-config-file", initials},
		{"dplset", "DeploymentSet", 0},
		{"deset", "DeploymentSet", scattered - gapCost},
		{"rolb", "RoleBindings", scattered - gapCost},
		{"rlbng", "RoleBindings", 0},
		{"restart", "replica-set-chart", 0},
		{"abc", "aBxc", 0},
		{"web", "worker-7d4b9c6f5", 0}, // b begins no word, and is not in the word of the e
		{"abc", "ab-axbxc-abxc", scattered - gapCost},
		{"abd", "abc-abcd", scattered - gapCost},
		{"köln", "Köln", exact},
		{"ö", "Köln", inside},
		{"kn", "Köln", scattered - gapCost},
		{"łódź", "ŁÓDŹ", exact},
		{"eploy", "Deployments", inside},
		{"eply", "Deployments", 0}, // scattered letters begin where a word begins
		{"podss", "Pods", 0},
		{"sdop", "Pods", 0},
		{"x", "", 0},
	} {
		text := newText(c.in)
		if got := text.grade(newWord(c.word)); got != c.want {
			t.Errorf("%q in %q is worth %d, want %d", c.word, c.in, got, c.want)
		}
	}
}

func TestMarksAreWhereTheWordWasFound(t *testing.T) {
	for _, c := range []struct{ word, in, want string }{
		{"po", "Pods", "[Po]ds"},
		{"web", "cobweb-web", "cobweb-[web]"},
		{"web", "cobwebs", "cob[web]s"},
		{"cm", "ConfigMaps", "[C]onfig[M]aps"},
		{"dply", "Deployments", "[D]e[pl]o[y]ments"},
		{"ö", "Köln", "K[ö]ln"},
		{"kn", "Köln", "[K]öl[n]"},
		{"kubsys", "kube-system", "[kub]e-[sys]tem"},
		{"webcfg", "web-config-cfg", "[web]-config-[cfg]"},
	} {
		text := newText(c.in)
		got := ""
		for _, p := range pieces(c.in, text.marks(newWord(c.word))) {
			if p.Hit {
				got += "[" + p.Text + "]"
			} else {
				got += p.Text
			}
		}
		if got != c.want {
			t.Errorf("%q is marked as %q, want %q", c.word, got, c.want)
		}
	}
}

func TestFoldingMovesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"":            "",
		"web-1":       "web-1",
		"HTTPRoute":   "httproute",
		"aÄÖb":        "aäöb",
		"\u0130K":     "\u0130k", // its small letter would be longer
		"\u212a":      "\u212a",  // its small letter is the plain k, and shorter
		"a\xffB\xc3C": "a\xffb\xc3c",
		"\ufffdB":     "\ufffdb",
	} {
		if got := fold(in); got != want {
			t.Errorf("fold(%q) = %q, want %q", in, got, want)
		}
	}
}

// holds tells in another way whether a word is found in a text at all.
func holds(shown, word string) bool {
	const start = "\ue000"
	marked, folded := "", ""
	runes := []rune(shown)
	for i, r := range runes {
		if begins(runes, i) {
			marked += start
		}
		if small := unicode.ToLower(r); utf8.RuneLen(small) == utf8.RuneLen(r) {
			r = small
		}
		marked, folded = marked+string(r), folded+string(r)
	}
	pattern, across := "", ""
	for i, r := range []rune(word) {
		if i == 0 {
			pattern = start + regexp.QuoteMeta(string(r))
			across = pattern
		} else {
			pattern += "[^" + start + "]*" + regexp.QuoteMeta(string(r))
			across += "(?:(?s:.)*" + start + ")?" + regexp.QuoteMeta(string(r))
		}
	}
	return strings.Contains(folded, word) || regexp.MustCompile(pattern+"|"+across).MatchString(marked)
}

func begins(shown []rune, i int) bool {
	ascii := func(r rune, within *unicode.RangeTable) bool { return r < utf8.RuneSelf && unicode.Is(within, r) }
	word := func(r rune) bool {
		return r >= utf8.RuneSelf || ascii(r, unicode.Letter) || ascii(r, unicode.Digit)
	}
	switch {
	case i == 0:
		return true
	case !word(shown[i-1]):
		return word(shown[i])
	case !ascii(shown[i], unicode.Upper):
		return false
	default:
		return !ascii(shown[i-1], unicode.Upper) || i+1 < len(shown) && ascii(shown[i+1], unicode.Lower)
	}
}

func FuzzScore(f *testing.F) {
	for _, seed := range [][2]string{
		{"ConfigMaps", "cm"},
		{"kube-root-ca.crt", "krc"},
		{"Köln", "kn"},
		{"\u0130", "i"},
		{"a\xffb", "ab"},
		{"HTTPRoute", "hr"},
		{"é", "\u00c9"},
		{"-a", "-a"},
		{"a-\u2014b", "\u2014"},
		{"aaaa", "aa"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, shown, typed string) {
		if len(shown) > 300 || len(typed) > 100 || strings.Contains(shown+typed, "\ue000") {
			t.Skip("longer than names are, or with what holds uses as a mark")
		}
		words, _ := parseQuery(typed, Everything)
		text := newText(shown)
		if len(text.folded) != len(text.shown) {
			t.Fatalf("%q folds to %q", shown, text.folded)
		}
		for _, w := range words {
			checkWord(t, &text, newWord(w))
		}
	})
}

func checkWord(t *testing.T, in *text, w word) {
	t.Helper()
	worth := in.grade(w)
	if worth < 0 || worth > exact {
		t.Fatalf("%q in %q is worth %d", w.text, in.shown, worth)
	}
	if (worth > 0) != holds(in.shown, w.text) {
		t.Fatalf("%q in %q is worth %d", w.text, in.shown, worth)
	}
	if _, size := utf8.DecodeLastRuneInString(w.text); len(w.text) > size && worth > 0 && in.grade(newWord(w.text[:len(w.text)-size])) == 0 {
		t.Fatalf("%q holds %q, but not what that begins with", in.shown, w.text)
	}
	if worth == 0 {
		return
	}
	marks := in.marks(w)
	all, hit := "", ""
	for _, p := range pieces(in.shown, marks) {
		all += p.Text
		if p.Hit {
			hit += p.Text
		}
	}
	if all != in.shown || fold(hit) != w.text || !slices.IsSorted(marks) {
		t.Fatalf("%q in %q is marked as %q at %v, in %q", w.text, in.shown, hit, marks, all)
	}
}
