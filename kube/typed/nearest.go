package typed

import "strings"

// Nearest is the word that was probably meant in place of another one. It is empty if none of the words is similar.
func Nearest(word string, words []string) string {
	best, least := "", 1+max(1, min(len(word)/3, 3))
	for _, w := range words {
		if d := Typos(strings.ToLower(word), strings.ToLower(w), least); d < least && w != word {
			best, least = w, d
		}
	}
	return best
}

// DidYouMean asks whether one of the words was meant in place of another one, as a sentence after a space. It is empty if none of them is similar.
func DidYouMean(word string, words []string) string {
	if near := Nearest(word, words); near != "" {
		return " Did you mean " + near + "?"
	}
	return ""
}

// longest is how many letters a word has at most that is compared; longer ones are as different as can be.
const longest = 100

// Typos is how many letters are missing, added, wrong or swapped with their neighbors; at least enough, if there are so many.
func Typos(a, b string, enough int) int {
	s, t := []rune(a), []rune(b)
	if len(s)-len(t) >= enough || len(t)-len(s) >= enough || len(s) > longest {
		return enough
	}
	var before []int
	last, row := make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			wrong := 1
			if s[i-1] == t[j-1] {
				wrong = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+wrong)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, make([]int, len(t)+1)
	}
	return min(last[len(t)], enough)
}
