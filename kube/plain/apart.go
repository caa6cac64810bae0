package plain

// Values are two different JSON values, each like Value. Long ones are cut so that both show the first difference.
func Values(a, b []byte) (x, y string) {
	if len(a) == 0 || len(b) == 0 {
		return Value(a), Value(b)
	}
	return Apart(Text(string(a)), Text(string(b)), longestValue)
}

// Apart are two different texts. If one is longer than most characters, both are cut so that they show the first difference.
func Apart(a, b string, most int) (x, y string) {
	first, second := []rune(a), []rune(b)
	if len(first) <= most && len(second) <= most {
		return a, b
	}
	same := 0
	for same < min(len(first), len(second)) && first[same] == second[same] {
		same++
	}
	from := max(0, same-most/3)
	return window(first, from, most), window(second, from, most)
}

// window is at most so many characters of a text, with "…" where something is left out.
func window(text []rune, from, most int) string {
	from = min(from, len(text))
	end := min(len(text), from+most)
	shown := string(text[from:end])
	if from > 0 {
		shown = "…" + shown
	}
	if end < len(text) {
		shown += "…"
	}
	return shown
}
