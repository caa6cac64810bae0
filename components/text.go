package components

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible makes text from a cluster safe to show. Invisible characters, and characters that change the direction of text (controls,
// bidirectional overrides, zero-width characters), are shown as code points, so no name can look like another. templ escapes markup.
func Visible(text string) string {
	if strings.IndexFunc(text, deceptive) < 0 {
		return text
	}
	var b strings.Builder
	runes := []rune(text)
	for i, r := range runes {
		if deceptive(r) && !(r == joiner && joins(runes, i)) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// joiner is a part of many emoji and of words in some scripts. Between Latin letters, it has no visible effect.
const joiner = '\u200d'

func joins(runes []rune, i int) bool {
	return i > 0 && i+1 < len(runes) && runes[i-1] > unicode.MaxLatin1 && runes[i+1] > unicode.MaxLatin1
}

func deceptive(r rune) bool {
	switch r {
	case '\n', '\t': // they are visible as layout
		return false
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// Sentence makes a sentence of words: with a capital letter, and a full stop.
func Sentence(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(first)) + text[size:]
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune(".!?…:", last) {
		return text
	}
	return text + "."
}

// Bytes is a size in words, in decimal units: "812 B", "1.9 MB".
func Bytes(n int64) string {
	units := []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	if n < 1000 {
		return fmt.Sprintf("%d B", n)
	}
	size := float64(n) / 1000
	for _, u := range units[:len(units)-1] {
		if size < 999.5 {
			return fmt.Sprintf("%.3g %s", size, u)
		}
		size /= 1000
	}
	return fmt.Sprintf("%.3g %s", size, units[len(units)-1])
}
