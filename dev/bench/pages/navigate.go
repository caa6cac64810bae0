package pages

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/dev/bench/browser"
	"github.com/fieldmark/fieldmark/dev/bench/figures"
	"github.com/fieldmark/fieldmark/dev/bench/lab"
)

// way is one way from a page to another page, and back. Times are milliseconds from the click to the paint of the page.
type way struct {
	What  string    `json:"what"`
	From  string    `json:"from"` // the program of the first page
	To    string    `json:"to"`   // … of the other page
	Seen  []float64 `json:"seen"` // there, with its title; more of it may be awaited
	There []float64 `json:"there"`
	Back  []float64 `json:"back"`
	// Loaded is how often the browser loaded a document on the way there; Reloaded and Restored are about the way back. A restored
	// page comes from the browser's cache of whole pages.
	Loaded   int `json:"loaded"`
	Reloaded int `json:"reloaded"`
	Restored int `json:"restored"`
	// Scrolled is how often the first page was scrolled when it was left, Kept how often it was there again at the first paint, and
	// Settled how often it was there a little later.
	Scrolled int `json:"scrolled"`
	Kept     int `json:"kept"`
	Settled  int `json:"settled"`
}

// ways are all of them.
type ways []way

// navigateRounds is the number of times that each way is gone.
const navigateRounds = 7

// measureNavigate goes from page to page in a real browser.
func measureNavigate(ctx context.Context, l *lab.Lab) (ways, error) {
	var all ways
	err := browser.Run(ctx, &all, "pages/navigate", l.Fieldmark.Origin, l.Token, "/c/"+lab.ContextName, lab.PodsPath, strconv.Itoa(navigateRounds))
	return all, err
}

// programs tells from which program to which a way leads.
func (w way) programs() string {
	if w.From == w.To {
		return w.From
	}
	return w.From + " → " + w.To
}

// document tells what became of the document on the way there and back.
func (w way) document() string {
	there, back := "same", "same"
	if w.Loaded > 0 {
		there = fmt.Sprintf("%d of %d loaded", w.Loaded, len(w.There))
	}
	switch {
	case w.Restored > 0:
		back = fmt.Sprintf("%d of %d restored", w.Restored, len(w.Back))
	case w.Reloaded > 0:
		back = fmt.Sprintf("%d of %d loaded", w.Reloaded, len(w.Back))
	}
	if there == back {
		return there
	}
	return there + ", back " + back
}

// scrollText tells whether the way back led to where the reader was.
func (w way) scrollText() string {
	switch {
	case w.Scrolled == 0:
		return "not scrolled"
	case w.Kept == w.Settled:
		return fmt.Sprintf("%d of %d", w.Kept, w.Scrolled)
	default:
		return fmt.Sprintf("%d of %d, later %d", w.Kept, w.Scrolled, w.Settled)
	}
}

// goalOfWay is the goal for each way, in milliseconds.
const goalOfWay = 100

func (all ways) WriteSection(b *strings.Builder, p lab.Plan) {
	fmt.Fprintf(b, "From a click on a link to the first frame that has the title of its page, and to the first one in which the page is complete, in Chromium;\n"+
		"milliseconds, %d rounds of each way.\n"+
		"With so few rounds, the 95th percentile is the longest. Goal for each: ≤ %d. The reader rests half a second on a page that is ready,\n"+
		"and 100 ms on the link. Back is `history.back()`, and should lead to where the reader was: the page was scrolled if it could be.\n"+
		"The large collection has %d pods. One browser goes all ways in this order, so the first round of a way may need a program that the\n"+
		"browser doesn't have yet.\n\n"+
		"| from page to page | programs | seen, median | p95 | complete, median | p95 | back, median | p95 | document | back where it was |\n|---|---|---|---|---|---|---|---|---|---|\n",
		navigateRounds, goalOfWay, p.Pods)
	for _, w := range all {
		fmt.Fprintf(b, "| %s | %s | %.0f | %s | %.0f | %.0f | %.0f | %s | %s | %s |\n", w.What, w.programs(),
			figures.Quantile(w.Seen, 0.5), figures.Against(figures.Quantile(w.Seen, 0.95), goalOfWay),
			figures.Quantile(w.There, 0.5), figures.Quantile(w.There, 0.95), figures.Quantile(w.Back, 0.5), figures.Against(figures.Quantile(w.Back, 0.95), goalOfWay), w.document(), w.scrollText())
	}
	seen, complete, back := all.within()
	fmt.Fprintf(b, "\nOf %d ways, %d are seen within the goal, %d are complete, and %d lead back.\n", len(all), seen, complete, back)
}

// within counts the ways that reach the goal.
func (all ways) within() (seen, complete, back int) {
	for _, w := range all {
		for times, n := range map[*[]float64]*int{&w.Seen: &seen, &w.There: &complete, &w.Back: &back} {
			if figures.Quantile(*times, 0.95) <= goalOfWay {
				*n++
			}
		}
	}
	return seen, complete, back
}
