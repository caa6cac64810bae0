package object

import (
	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manifest"
)

// Bounds of what one page shows of an object. API servers take objects of more than a megabyte, and each line of one costs a page ten
// times its length: 30,000 keys were 28 MB. Besides the object itself, which is embedded for the living page, a document has some
// 3 MB at most, and says what it leaves out.
const (
	// mostBytes is of the lines that are laid out on the server, and mostText of a document without owners.
	mostBytes = 3 << 19
	mostText  = 3 << 19
	// mostManagers is how many managers have a column, a row, and a part in what is said of a line.
	mostManagers = components.MostListed
	// mostNamed is how many managers are named in one sentence.
	mostNamed = 12
	// mostFields is how many fields of the document have a column in the table of managers by fields.
	mostFields = 60
	// mostListed is how many of anything else are listed: values of a Secret, claims, conditions, objects that are owned.
	mostListed = 200
)

// cost is about how many bytes a line with its owners takes in a page.
func cost(l components.BlameLine) int {
	const fixed, strip, escaped = 500, 70, 2
	return fixed + strip*len(l.Columns) + 4*len(l.Path) + escaped*(len(l.Owners)+len(l.Said)+len(l.Hint)+len(l.Href)) + textCost(l.Line)
}

// textCost is about how many bytes a line without owners takes.
func textCost(l manifest.Line) int {
	n := 110
	for _, t := range l {
		n += 35 + len(t.Text)
	}
	return n
}

// fitting are the first lines of a document, as many as a page can have.
func fitting(lines []manifest.Line) (shown []manifest.Line, more int) {
	left := mostText
	for i, l := range lines {
		if left -= textCost(l); left < 0 && i > 0 {
			return lines[:i], len(lines) - i
		}
	}
	return lines, 0
}
