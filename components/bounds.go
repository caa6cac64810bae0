package components

import "github.com/fieldmark/fieldmark/words"

// MostListed is the maximum length of a list whose length a cluster decides, such as the managers of an object. Longer lists would be
// unreadable and slow to load.
const MostListed = 60

// First returns the first items of a list, and the number of the others.
func First[T any](all []T, most int) (shown []T, more int) {
	shown = all[:min(len(all), most)]
	return shown, len(all) - len(shown)
}

// LeftOut says how many items aren't shown, and where to find them; empty: all are shown. One and many are the words after the number, such
// as "more manager isn’t shown." and "more managers aren’t shown."
func LeftOut(more int, one, many, where string) string {
	if more == 0 {
		return ""
	}
	return "… " + words.Count(int64(more), one, many) + " " + where
}

// InCall is the usual place to find all items, for LeftOut.
const InCall = "The API call has all of them."
