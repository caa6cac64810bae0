// Package comment keeps one comment of a pull request up to date, with what a check found. It knows GitHub's comments, and the notes of GitLab's merge requests.
//
//	findings ──▶ Text: whole parts, as many as a comment holds ──▶ the comment with the check's mark: found, made or changed ──▶ else the job's summary
package comment

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/words"
)

// Part is what a comment says of one finding, as Markdown. It is never cut.
type Part struct {
	Short string // without ways out
	Long  string // with them; the same as Short if there are none
}

// Fold is a list of parts that its reader unfolds.
type Fold struct {
	Title string
	Parts []Part
}

// Text is what a comment says.
type Text struct {
	Name  string // of the check. Two checks of a pull request have a comment each
	Head  string // Markdown, short
	Parts []Part
	Folds []Fold
	// Empty says that there is nothing to tell. Then a comment is changed if there is one, and none is made.
	Empty bool
}

// mark is how the comment of a check begins. Nobody sees it.
func (t Text) mark() string { return "<!-- fieldmark check: " + t.Name + " -->" }

// Markdown is the text in at most so many bytes. Where there is no room for all of it, ways out are left out first, then findings from the end. It says how
// many are missing, and that rest has them.
func (t Text) Markdown(most int, rest string) string {
	left := most - len(t.mark()) - len(t.Head) - len("\n\n") - len(missing(1<<30, rest))
	for _, f := range t.Folds {
		left -= len(f.open()) + len(closing)
	}
	all := [][]Part{t.Parts}
	for _, f := range t.Folds {
		all = append(all, f.Parts)
	}
	texts, gone := fit(all, left)
	var b strings.Builder
	b.WriteString(t.mark() + "\n" + t.Head + "\n")
	b.WriteString(texts[0])
	for i, f := range t.Folds {
		if texts[i+1] != "" {
			b.WriteString(f.open() + texts[i+1] + closing)
		}
	}
	if gone > 0 {
		b.WriteString(missing(gone, rest))
	}
	return b.String()
}

const closing = "\n</details>\n"

func (f Fold) open() string { return "\n<details><summary>" + f.Title + "</summary>\n\n" }

func missing(n int, rest string) string {
	return "\n" + words.Count(int64(n), "more finding has", "more findings have") + fmt.Sprintf(" no room here. %s\n", rest)
}

// fit takes as many parts as there is room for: all in short, and then from the first on in full.
func fit(lists [][]Part, left int) (texts []string, gone int) {
	taken := make([]int, len(lists))
	full := false
	for i, parts := range lists {
		for _, p := range parts {
			if full = full || len(p.Short) > left; full {
				gone++
				continue
			}
			left -= len(p.Short)
			taken[i]++
		}
	}
	texts = make([]string, len(lists))
	for i, parts := range lists {
		for _, p := range parts[:taken[i]] {
			text := p.Short
			if more := len(p.Long) - len(p.Short); more <= left {
				left -= more
				text = p.Long
			}
			texts[i] += text
		}
	}
	return texts, gone
}
