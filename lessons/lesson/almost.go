package lesson

import (
	"slices"
	"strconv"
	"strings"
)

// Almost tells whether two values differ only in how they are written: a number as a word, upper and lower case, one or many,
// spaces or quotes around.
func Almost(a, b string) bool {
	a, b = normalizedValue(a), normalizedValue(b)
	if a == "" || b == "" || a == b {
		return a != "" && a == b
	}
	return slices.ContainsFunc(singulars(a), func(one string) bool { return slices.Contains(singulars(b), one) })
}

// normalizedValue is a value in lower case, without what is around it, and with numbers in digits.
func normalizedValue(text string) string {
	text = strings.ToLower(strings.Trim(text, " \t\"'`“”‘’«»."))
	text = strings.Join(strings.Fields(text), " ")
	if n, ok := number(text); ok {
		return strconv.Itoa(n)
	}
	return text
}

// singulars are the words that a word may be the plural of, and the word itself. What ends in a digit and an s is none: 30s.
func singulars(word string) []string {
	all := []string{word}
	if one, is := strings.CutSuffix(word, "s"); is && strings.ContainsAny(one[max(0, len(one)-1):], "0123456789") {
		return all
	}
	if one, is := strings.CutSuffix(word, "ies"); is && one != "" {
		all = append(all, one+"y")
	}
	for _, ending := range []string{"s", "es"} {
		if one, is := strings.CutSuffix(word, ending); is && len(one) > 1 {
			all = append(all, one)
		}
	}
	return all
}

// The words for numbers.
var (
	ones = []string{
		"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
		"fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
	}
	tens = []string{"twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}
)

// number reads a whole number in digits or words: 2, 02, two, twenty-one, two hundred.
func number(text string) (int, bool) {
	if n, err := strconv.Atoi(text); err == nil {
		return n, true
	}
	if text == "none" || text == "no" {
		return 0, true
	}
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '-' })
	sum := 0
	for i, word := range words {
		one, ten := slices.Index(ones, word), slices.Index(tens, word)
		switch {
		case word == "and" && i > 0 && i < len(words)-1:
		case word == "hundred" && i == 1 && sum > 0 && sum < 10:
			sum *= 100
		case ten >= 0 && sum%100 == 0:
			sum += 10*ten + 20
		case one >= 0 && (sum%100 == 0 && (i == 0 || sum > 0) || one > 0 && one < 10 && sum%100 >= 20 && sum%10 == 0):
			sum += one
		default:
			return 0, false
		}
	}
	return sum, len(words) > 0
}
