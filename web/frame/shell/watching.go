package shell

import (
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/words"
)

// Watching sums up what the server watches for the session in this cluster.
type Watching struct {
	Objects int `json:"objects"`
	News    int `json:"news"`   // changes since the reader last looked
	Fights  int `json:"fights"` // fights that went on since then
}

// Sum sums up a list of watched objects.
func Sum(all []report.Watched) Watching {
	w := Watching{Objects: len(all)}
	for _, one := range all {
		w.News += one.News
		w.Fights += one.NewFights
	}
	return w
}

// WatchingPlace is the id of the element of the bar that shows a Watching.
const WatchingPlace = "watching"

// news says what happened since the reader last looked; empty: nothing.
func (w Watching) news() string {
	if w.News == 0 {
		return ""
	}
	return words.Count(int64(w.News), "change", "changes")
}

// fights says how many fights went on since the reader last looked; empty: none.
func (w Watching) fights() string {
	if w.Fights == 0 {
		return ""
	}
	return words.Count(int64(w.Fights), "fight", "fights")
}
