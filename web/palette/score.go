package palette

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How well a word is found in a text: the higher, the better; nothing is 0. A word whose letters are scattered loses
// a little for every gap, down to scatteredLeast.
const (
	exact          = 1000
	prefix         = 800
	wordStart      = 600 // where a word of the text begins: after - . / and spaces, and in camelCase
	inside         = 400
	initials       = 300 // each letter begins a word: cm for ConfigMaps
	scattered      = 200
	scatteredLeast = 100
	gapCost        = 10
)

// text is something that can be found: as it is shown, and folded, byte for byte at the same places.
type text struct {
	shown, folded string
	holds, begins mask // its characters, and those that its words begin with
}

func newText(shown string) text {
	t := text{shown: shown, folded: fold(shown)}
	within := false
	for i := range len(t.folded) {
		c := t.folded[i]
		b := bit(c)
		t.holds |= b
		if !within || c != shown[i] && t.starts(i) {
			t.begins |= b
		}
		within = wordly(c)
	}
	return t
}

// fold makes letters small, as long as they keep their length: what is found in the folded text is at the same
// place in the shown one.
func fold(s string) string {
	i := 0
	for i < len(s) && s[i] < utf8.RuneSelf && !upper(s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	s = s[i:]
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if small := unicode.ToLower(r); r != utf8.RuneError && utf8.RuneLen(small) == size {
			b.WriteRune(small)
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// word is what is looked for: folded, and not empty.
type word struct {
	text  string
	holds mask
}

func newWord(folded string) word {
	w := word{text: folded}
	for i := range len(folded) {
		w.holds |= bit(folded[i])
	}
	return w
}

// grade says how well a word is found here.
func (t *text) grade(w word) int {
	if !t.holds.has(w.holds) {
		return 0
	}
	word := w.text
	at := strings.Index(t.folded, word)
	switch {
	case at < 0:
		return t.gradeScattered(w)
	case at == 0 && len(word) == len(t.folded):
		return exact
	case at == 0:
		return prefix
	case t.fromStart(word, at) >= 0:
		return wordStart
	default:
		return inside
	}
}

// fromStart is where a word is found at the start of one of the text's, not before at; -1 if nowhere.
func (t *text) fromStart(word string, at int) int {
	for {
		if t.starts(at) {
			return at
		}
		next := strings.Index(t.folded[at+1:], word)
		if next < 0 {
			return -1
		}
		at += 1 + next
	}
}

func (t *text) gradeScattered(w word) int {
	if !t.begins.has(bit(w.text[0])) {
		return 0
	}
	var room [48]int
	if _, ok := t.initials(room[:0], w); ok {
		return initials
	}
	at, ok := t.scatter(room[:0], w.text)
	if !ok {
		return 0
	}
	return max(scattered-gapCost*gaps(at), scatteredLeast)
}

// marks are the places of the bytes by which a word is found here, in order.
func (t *text) marks(w word) []int {
	word := w.text
	at := strings.Index(t.folded, word)
	if at < 0 {
		if places, ok := t.initials(nil, w); ok {
			return places
		}
		places, _ := t.scatter(nil, word)
		return places
	}
	if start := t.fromStart(word, at); start >= 0 {
		at = start
	}
	var places []int
	for i := range word {
		places = append(places, at+i)
	}
	return places
}

// initials finds each letter of a word at the start of one of the text's words, in order.
func (t *text) initials(at []int, w word) (places []int, ok bool) {
	if !t.begins.has(w.holds) {
		return nil, false
	}
	n := 0
	for i := 0; i < len(t.folded) && n < len(w.text); i++ {
		if t.folded[i] == w.text[n] && t.starts(i) {
			at = append(at, i)
			n++
		}
	}
	return at, n == len(w.text)
}

// scatter finds the letters of a word one after the other, the first at the start of one of the text's words.
func (t *text) scatter(at []int, word string) (places []int, ok bool) {
	from := 0
	for n, r := range word {
		i := strings.IndexRune(t.folded[from:], r)
		for n == 0 && i >= 0 && !t.starts(from+i) {
			from = t.after(from + i)
			i = strings.IndexRune(t.folded[from:], r)
		}
		if i < 0 {
			return nil, false
		}
		at = append(at, from+i)
		from = t.after(from + i)
	}
	return at, true
}

// after is the place behind the character at a place.
func (t *text) after(i int) int {
	if t.folded[i] < utf8.RuneSelf {
		return i + 1
	}
	_, size := utf8.DecodeRuneInString(t.folded[i:])
	return i + size
}

func gaps(at []int) int {
	n := 0
	for i := 1; i < len(at); i++ {
		if at[i] != at[i-1]+1 {
			n++
		}
	}
	return n
}

// starts tells whether one of the text's words begins at a place.
func (t *text) starts(i int) bool {
	if i == 0 {
		return true
	}
	before, here := t.shown[i-1], t.shown[i]
	if !wordly(before) {
		return wordly(here)
	}
	return upper(here) && (!upper(before) || i+1 < len(t.shown) && lower(t.shown[i+1]))
}

func upper(c byte) bool { return 'A' <= c && c <= 'Z' }
func lower(c byte) bool { return 'a' <= c && c <= 'z' }

// wordly tells bytes of words from what stands between them.
func wordly(c byte) bool {
	return upper(c) || lower(c) || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}

// mask says which characters a text holds, so that most texts need no closer look: a text can only hold a word whose
// bits it has.
type mask uint64

func bit(c byte) mask {
	switch {
	case lower(c):
		return 1 << (c - 'a')
	case '0' <= c && c <= '9':
		return 1 << (26 + c - '0')
	default:
		return 1 << (36 + c%28)
	}
}

func (m mask) has(all mask) bool { return m&all == all }
