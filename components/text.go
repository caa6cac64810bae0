package components

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fieldmark/fieldmark/kube/plain"
)

// Visible makes text from a cluster safe to show. Characters that aren't printable (package plain) are shown as code points, so no name can look
// like another. Line breaks and tabs are visible as layout. templ escapes markup.
func Visible(text string) string {
	return plain.Replaced(text, func(r rune) string {
		switch {
		case r == '\n' || r == '\t':
			return string(r)
		case r > 0xffff:
			return fmt.Sprintf("\\U%08x", r)
		}
		return fmt.Sprintf("\\u%04x", r)
	})
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
