package palette

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Scores of a word in a text: higher is better, and 0 means not found. A word with scattered letters loses a little for every gap, down to
// scatteredLeast.
const (
	exact          = 1000
	prefix         = 800
	wordStart      = 600 // at the beginning of a word in the text: after - . / and spaces, and in camelCase
	inside         = 400
	initials       = 300 // each letter begins a word: cm for ConfigMaps
	scattered      = 200
	scatteredLeast = 100
	gapCost        = 10
)

// belonging is the score of an item that is found by the name of what contains it, such as its namespace. grade is the score of the word in that name. A
// whole name scores more than letters inside the item's own name. Anything else scores hardly more than scattered letters.
func belonging(grade int) int {
	if grade == exact {
		return inside + 50
	}
	return grade / 4
}

// text is a text to search in: as it is shown, and folded. Both have the same length, so that places in them are the same.
type text struct {
	shown, folded string
	holds, begins mask // its characters, and the first characters of its words
}

func newText(shown string) text {
	shown = strings.ToValidUTF8(shown, "\ufffd")
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

// fold makes letters lower case, except those whose length in bytes would change. So places in both texts are the same.
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

// word is one word of a query: folded, and not empty.
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

// grade is the score of a word in the text; 0 if it isn't found.
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

// fromStart is the first place, from at on, where a word is found at the beginning of a word in the text; -1 if there is none.
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
	if _, ok := t.initials(nil, w, false); ok {
		return initials
	}
	var room [1024]uint8
	gaps, _ := least(t.lastRow(t.align(w.text, room[:], false)))
	if gaps == never {
		gaps, _ = least(t.lastRow(t.align(w.text, room[:], true)))
	}
	if gaps == never {
		return 0
	}
	return max(scattered-gapCost*int(gaps), scatteredLeast)
}

// marks are the places of the bytes in the text that match a word, in order.
func (t *text) marks(w word) []int {
	word := w.text
	at := strings.Index(t.folded, word)
	if at < 0 {
		if places, ok := t.initials(nil, w, true); ok {
			return places
		}
		if places := t.trace(t.align(word, nil, false)); places != nil {
			return places
		}
		return t.trace(t.align(word, nil, true))
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

// initials finds each letter of a word at the beginning of a word in the text, in order. If wanted is true, it appends the places to at.
func (t *text) initials(at []int, w word, wanted bool) (places []int, ok bool) {
	if !t.begins.has(w.holds) {
		return nil, false
	}
	n := 0
	for i := 0; i < len(t.folded) && n < len(w.text); i++ {
		if t.folded[i] == w.text[n] && t.starts(i) {
			n++
			if wanted {
				at = append(at, i)
			}
		}
	}
	return at, n == len(w.text)
}

// never is more gaps than a text can have.
const never = 255

// align finds the letters of a word in the text, in order. The first must be at the beginning of a word in the text. All letters are in this one word,
// with other letters between them (dply for Deployments). Or, if across is true, they are the beginnings of several words (kubsys for kube-system).
// Letters that are scattered over several words would be found in almost every long name.
//
// The result has a row for every byte of the word. The row has, for every byte of the text, the fewest gaps if the letter is found there. Letters of more
// than one byte stay whole. The rows use the memory of room, if it is large enough.
func (t *text) align(word string, room []uint8, across bool) (rows []uint8) {
	n := len(t.folded)
	if len(word)*n > len(room) {
		room = make([]uint8, len(word)*n)
	}
	for j := range len(word) {
		row := room[j*n : (j+1)*n]
		if j == 0 {
			t.alignFirst(row, word[0])
		} else {
			t.alignNext(row, room[(j-1)*n:j*n], word[j], across)
		}
	}
	return room[:len(word)*n]
}

func (t *text) alignFirst(row []uint8, c byte) {
	for i := range row {
		row[i] = never
		if t.folded[i] == c && t.starts(i) {
			row[i] = 0
		}
	}
}

func (t *text) alignNext(row, before []uint8, c byte, across bool) {
	within, anywhere := uint8(never), uint8(never) // the fewest gaps until here, in this word and in the whole text
	for i := range row {
		start := t.starts(i)
		if start {
			within = never
		}
		row[i] = never
		if t.folded[i] == c {
			if i > 0 && (across || !start) {
				row[i] = before[i-1]
			}
			switch {
			case !utf8.RuneStart(c):
			case start && across:
				row[i] = min(row[i], oneMore(anywhere))
			case !start && !across:
				row[i] = min(row[i], oneMore(within))
			}
		}
		within, anywhere = min(within, before[i]), min(anywhere, before[i])
	}
}

func oneMore(gaps uint8) uint8 {
	if gaps >= never-1 {
		return gaps
	}
	return gaps + 1
}

func (t *text) lastRow(rows []uint8) []uint8 { return rows[max(0, len(rows)-len(t.folded)):] }

func least(row []uint8) (gaps uint8, at int) {
	gaps = never
	for i, g := range row {
		if g < gaps {
			gaps, at = g, i
		}
	}
	return gaps, at
}

// trace is the best places of the letters. It goes back through the rows, from the best place in the last one.
func (t *text) trace(rows []uint8) []int {
	n := len(t.folded)
	gaps, i := least(t.lastRow(rows))
	if gaps == never {
		return nil
	}
	places := make([]int, len(rows)/n)
	for j := len(places) - 1; j > 0; j-- {
		places[j] = i
		before := rows[(j-1)*n : j*n]
		if i > 0 && before[i-1] == rows[j*n+i] {
			i--
			continue
		}
		from := 0
		if !t.starts(i) {
			from = t.wordOf(i)
		}
		_, at := least(before[from:i])
		i = from + at
	}
	places[0] = i
	return places
}

// wordOf is the beginning of the word that has a place.
func (t *text) wordOf(i int) int {
	for !t.starts(i) {
		i--
	}
	return i
}

// starts tells whether a word of the text begins at a place.
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

// wordly tells whether a byte is part of a word.
func wordly(c byte) bool {
	return upper(c) || lower(c) || '0' <= c && c <= '9' || c >= utf8.RuneSelf
}

// mask is a set of characters, one bit for each group. A text can have a word only if it has all bits of the word. So most texts need no search.
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
