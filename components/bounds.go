package components

import "github.com/fieldmark/fieldmark/words"

// MostListed is how many of anything a list shows whose length others decide, such as the managers of an object: a few thousand would
// make a page that nobody can read, and that takes long to load.
const MostListed = 60

// First are the first of many, and more how many others there are.
func First[T any](all []T, most int) (shown []T, more int) {
	shown = all[:min(len(all), most)]
	return shown, len(all) - len(shown)
}

// LeftOut says that more are not shown, and where they are; empty: all are shown.
func LeftOut(more int, one, many, where string) string {
	if more == 0 {
		return ""
	}
	verb := " aren’t shown. "
	if more == 1 {
		verb = " isn’t shown. "
	}
	return "… " + words.Count(int64(more), "more "+one, "more "+many) + verb + where
}

// InCall is where all there is can be seen.
const InCall = "The API call has all of them."
