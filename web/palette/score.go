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
type text struct{ shown, folded string }

func newText(shown string) text { return text{shown, fold(shown)} }

// fold makes letters small, as long as they keep their length: what is found in the folded text is at the same
// place in the shown one.
func fold(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return unicode.ToLower(r) != r }) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		size := len(string(r))
		if r == utf8.RuneError {
			_, size = utf8.DecodeRuneInString(s[i:])
		}
		if small := unicode.ToLower(r); r != utf8.RuneError && utf8.RuneLen(small) == size {
			b.WriteRune(small)
		} else {
			b.WriteString(s[i : i+size])
		}
	}
	return b.String()
}

// grade says how well a folded word is found here.
func (t text) grade(word string) int {
	at := strings.Index(t.folded, word)
	switch {
	case at < 0:
		return t.gradeScattered(word)
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
func (t text) fromStart(word string, at int) int {
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

func (t text) gradeScattered(word string) int {
	if _, ok := t.initials(nil, word); ok {
		return initials
	}
	var room [48]int
	at, ok := t.scatter(room[:0], word)
	if !ok {
		return 0
	}
	return max(scattered-gapCost*gaps(at), scatteredLeast)
}

// marks are the places of the letters by which a word is found here, in order; none if it is not found.
func (t text) marks(word string) []int {
	at := strings.Index(t.folded, word)
	if at < 0 {
		if places, ok := t.initials([]int{}, word); ok {
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

// initials finds each letter of a word at the start of one of the text's words, in order. The places are appended
// to at, unless it is nil.
func (t text) initials(at []int, word string) (places []int, ok bool) {
	i := 0
	for _, r := range word {
		for i < len(t.folded) && !(t.starts(i) && strings.HasPrefix(t.folded[i:], string(r))) {
			i = t.after(i)
		}
		if i >= len(t.folded) {
			return nil, false
		}
		if at != nil {
			at = append(at, i)
		}
		i = t.after(i)
	}
	return at, true
}

// scatter finds the letters of a word one after the other, the first at the start of one of the text's words.
func (t text) scatter(at []int, word string) (places []int, ok bool) {
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
func (t text) after(i int) int {
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
func (t text) starts(i int) bool {
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

func maskOf(folded string) mask {
	var m mask
	for i := range len(folded) {
		m |= bit(folded[i])
	}
	return m
}

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
