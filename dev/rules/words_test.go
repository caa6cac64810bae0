package rules

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// wordsFile lists what doesn't come back.
const wordsFile = "dev/rules/words.txt"

// covered says where people read our words: for each kind of text, its files and how it is taken out of one.
var covered = []struct {
	what     string
	patterns []string
	except   *regexp.Regexp
	passages func(t *testing.T, name string) []passage
}{
	{
		"templ files: text, expressions, and attributes that are read", []string{"*.templ"}, nil, templPassages,
	},
	{
		"lessons, chapters and the glossary", []string{"lessons/guide/*.md", "lessons/guide/*.yaml"}, nil, wholeFile,
	},
	{
		"documents",
		[]string{"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "SECURITY.md", "CHANGELOG.md", "docs/*.md", "lessons/README.md", "practice/README.md"},
		regexp.MustCompile(`^docs/(decisions|reference)/`), wholeFile, // decisions are history; the reference is made of literals
	},
	{
		"string literals with a space in them",
		[]string{"web/*.go", "components/*.go", "server/*.go", "cli/*.go", "kube/*.go", "lessons/*.go", "practice/*.go"},
		regexp.MustCompile(`_test\.go$|_templ\.go$|/testdata/`), literalPassages,
	},
}

// TestPlainWords holds what people read to plain words.
func TestPlainWords(t *testing.T) {
	w := readWords(t)
	found := map[string][]string{}
	for _, c := range covered {
		seen := 0
		for _, name := range files(t, c.patterns...) {
			if c.except != nil && c.except.MatchString(name) {
				continue
			}
			for _, p := range c.passages(t, name) {
				seen++
				for _, hit := range w.find(p.text) {
					found[name] = append(found[name], p.where(name, hit.at)+hit.String())
				}
			}
		}
		if seen == 0 {
			t.Errorf("no file was found for %s: check the patterns of this rule", c.what)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s has words that %s lists. Readers whose first language isn't English stumble over them. Write:\n%s", name, wordsFile, strings.Join(found[name], "\n"))
	}
}

// straight is an apostrophe of a keyboard in a word of a text.
var straight = regexp.MustCompile(`\pL'(?:d|ll|m|re|s|t|ve)\b`)

// theirs has texts of other programs, which are compared with what these programs print.
var theirs = regexp.MustCompile(`_test\.go$|_templ\.go$|/testdata/|^web/frame/palette/refused\.go$`)

// TestApostrophes holds the texts of pages to one apostrophe: ’.
func TestApostrophes(t *testing.T) {
	for _, c := range []struct {
		patterns []string
		passages func(t *testing.T, name string) []passage
	}{
		{[]string{"*.templ"}, templPassages},
		{[]string{"web/*.go", "components/*.go", "server/pages/*.go"}, literalPassages},
	} {
		for _, name := range files(t, c.patterns...) {
			if theirs.MatchString(name) {
				continue
			}
			for _, p := range c.passages(t, name) {
				for _, at := range straight.FindAllStringIndex(p.text, -1) {
					t.Errorf("%s“%s” has a straight apostrophe. Pages have ’", p.where(name, at[0]), around(p.text, at[0], at[1]))
				}
			}
		}
	}
}

// words finds words that don't come back.
type words struct {
	pattern *regexp.Regexp
	better  map[string]string // by phrase, in small letters where it matches at the beginning of a sentence, too
}

// hit is a word that was found.
type hit struct {
	at     int
	found  string
	around string // it, with the words beside it
	better string
}

func (h hit) String() string {
	return fmt.Sprintf("“%s” in “%s”: better “%s”", h.found, h.around, h.better)
}

func readWords(t *testing.T) words {
	t.Helper()
	return newWords(t, string(read(t, wordsFile)))
}

// newWords reads a list with a line for each phrase: phrase => better.
func newWords(t *testing.T, list string) words {
	t.Helper()
	w := words{better: map[string]string{}}
	var phrases []string
	for line := range strings.SplitSeq(list, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		phrase, better, ok := strings.Cut(line, " => ")
		if !ok {
			t.Fatalf("%s: %q is not of the form: phrase => better", wordsFile, line)
		}
		if w.better[phrase] != "" {
			t.Errorf("%s has %q twice", wordsFile, phrase)
		}
		w.better[phrase] = better
		phrases = append(phrases, phrase)
	}
	slices.SortFunc(phrases, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }) // the longest first
	for i, phrase := range phrases {
		parts := strings.Fields(phrase)
		for j, part := range parts {
			parts[j] = regexp.QuoteMeta(part)
		}
		if first, size := utf8.DecodeRuneInString(parts[0]); unicode.IsLower(first) {
			parts[0] = "[" + string(unicode.ToUpper(first)) + string(first) + "]" + parts[0][size:]
		}
		phrases[i] = strings.Join(parts, `\s+`)
	}
	w.pattern = regexp.MustCompile(strings.Join(phrases, "|"))
	return w
}

// find finds all words in a text, in their order.
func (w words) find(text string) []hit {
	var all []hit
	for _, at := range w.pattern.FindAllStringIndex(text, -1) {
		if found := text[at[0]:at[1]]; alone(text, at[0], at[1]) {
			phrase := strings.Join(strings.Fields(found), " ")
			better := w.better[phrase]
			if better == "" {
				first, size := utf8.DecodeRuneInString(phrase)
				better = w.better[string(unicode.ToLower(first))+phrase[size:]]
			}
			all = append(all, hit{at[0], phrase, around(text, at[0], at[1]), better})
		}
	}
	return append(all, twice(text)...)
}

// around is a part of a text with a few words before and after it, in one line.
func around(text string, from, to int) string {
	before, after := strings.Fields(text[:from]), strings.Fields(text[to:])
	return strings.TrimSpace(strings.Join(before[max(0, len(before)-3):], " ") + " " + text[from:to] + " " + strings.Join(after[:min(3, len(after))], " "))
}

// alone tells whether a part of a text consists of whole words.
func alone(text string, from, to int) bool {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' }
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	last, _ := utf8.DecodeLastRuneInString(text[from:to])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !inWord(before) && (!inWord(last) || !inWord(after))
}

var (
	meanwhile = regexp.MustCompile(`\b[mM]eanwhile\b`)
	paragraph = regexp.MustCompile(`\n[ \t]*\n`)
)

// twice finds each "meanwhile" after the first of a paragraph.
func twice(text string) []hit {
	var all []hit
	begin := 0
	for _, gap := range append(paragraph.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		for i, at := range meanwhile.FindAllStringIndex(text[begin:gap[0]], -1) {
			if from, to := begin+at[0], begin+at[1]; i > 0 {
				all = append(all, hit{from, "meanwhile", around(text, from, to), "once a paragraph; in the meantime"})
			}
		}
		begin = gap[1]
	}
	return all
}

func TestWordsAreFound(t *testing.T) {
	w := newWords(t, "# a comment\n\nanew => again\nbegin anew => start over\nHead => Headers\nRight. => Correct.\nat hand => available\nserver's answer => response\n")
	for _, c := range []struct {
		text string
		want []string
	}{
		{"It is sent anew.", []string{"anew"}},
		{"Anew it is sent, and anew.", []string{"Anew", "anew"}},
		{"You can begin anew.", []string{"begin anew"}}, // the longest one, once
		{"renewanew anew2 anew_name x-anew ganew", nil}, // parts of words
		{"the head, a HEAD request, Header, headHead", nil},
		{"Head", []string{"Head"}},
		{"(Head)", []string{"Head"}},
		{"Right. That is it.", []string{"Right."}},
		{"Right? Right away. Bright.", nil},
		{"what is at\n    hand", []string{"at hand"}}, // across lines
		{"at handover", nil},
		{"the API server's answer", []string{"server's answer"}},
		{"the server’s own", nil},
		{"Meanwhile one, meanwhile two.\n\nMeanwhile three.", []string{"meanwhile"}},
		{"Meanwhile one.\n \t\nmeanwhile two.", nil},
		{"", nil},
	} {
		var got []string
		for _, h := range w.find(c.text) {
			got = append(got, h.found)
			if h.better == "" {
				t.Errorf("%q: nothing better is said for %q", c.text, h.found)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q has %q, not %q", c.text, got, c.want)
		}
	}
}
