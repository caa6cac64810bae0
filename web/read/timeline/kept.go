package timeline

import (
	"slices"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Kept is the newest part of a recording that the server keeps, as the page without scripts shows it.
type Kept struct {
	Versions []timeline.Version // the newest first
	All      int                // number of all versions that arrived
	Flips    []timeline.Flip
}

// mostKept is how many versions the page without scripts shows, and keptChanges how many changes of each.
const (
	mostKept    = 60
	keptChanges = 12
)

// KeptOf copies what the page shows of a recording.
func KeptOf(rec *timeline.Recording) *Kept {
	all := rec.Versions()
	k := &Kept{Versions: slices.Clone(all[max(len(all)-mostKept, 0):]), All: rec.Last(), Flips: rec.Flips()}
	slices.Reverse(k.Versions)
	return k
}

// keptSteps are the versions as steps, each with its changes.
func (k *Kept) keptSteps(now time.Time) components.StepList {
	s := k.showing(now)
	l := components.StepList{Label: "Versions, the newest first"}
	for _, v := range k.Versions {
		step := s.step(v)
		step.Do = ""
		s.addStepChanges(&step, v, keptChanges)
		l.Steps = append(l.Steps, step)
	}
	l.Steps = s.folding(l.Steps, k.find)
	if older := k.All - len(k.Versions); older > 0 {
		l.End = words.Count(int64(older), "older version isn’t shown.", "older versions aren’t shown.") + " " + components.InCall
	}
	return l
}

// find is a version by its number.
func (k *Kept) find(number int) (timeline.Version, bool) {
	i := slices.IndexFunc(k.Versions, func(v timeline.Version) bool { return v.Number == number })
	if i < 0 {
		return timeline.Version{}, false
	}
	return k.Versions[i], true
}

// Contends tells whether managers fight over a field.
func (k *Kept) Contends(path string) bool {
	return slices.ContainsFunc(k.Flips, func(f timeline.Flip) bool { return f.Path == path })
}

// showing has the faces of the managers, and the contended fields.
func (k *Kept) showing(now time.Time) showing {
	s := showing{sheet: &sheet{shut: -1, rec: timeline.NewRecording(limits())}, now: now, contended: map[string]bool{}, cast: &cast{known: map[manager.Manager]bool{}}}
	for _, f := range k.Flips {
		s.contended[f.Path] = true
	}
	for _, v := range k.Versions {
		s.cast.met(v)
	}
	s.cast.assignFaces()
	return s
}

// contentions are the contended fields.
func (k *Kept) contentions(about About) (all []components.Contention, more string) {
	return contended(k.Flips, k.showing(about.Now).cast, about.Stop)
}

// recall is the state of the server's recording, on a page in the browser.
type recall string

const (
	unasked recall = ""
	coming  recall = "coming"
	joined  recall = "joined"
	failed  recall = "failed"
)

// Recall says that the server's recording of the object, with so many versions, was requested.
func (t *Tab) Recall(versions int) {
	t.recall, t.recalls, t.laid.html = coming, versions, ""
}

// Reason why versions may be missing between the server's recording and the page's.
const missedJoin = "The server’s recording ends here, and the page’s recording begins later."

// Recalled takes the server's recording, so that the timeline begins with it and goes on with what the page records.
func (t *Tab) Recalled(r page.Response) []page.Cmd {
	t.laid.html = ""
	rec, _, err := timeline.Read(r.Body, limits())
	if !r.OK() || err != nil {
		t.recall = failed
		return nil
	}
	t.recall = joined
	if t.live.rec.Since(rec) {
		return nil
	}
	rec.Join(t.live.rec, missedJoin)
	s := newSheet(rec)
	s.folded, s.paused, s.field = t.live.folded, t.live.paused, t.live.field
	s.shown = rec.Last()
	t.live, t.coming, t.began = s, 0, rec.Versions()[0].Step.Seen
	return []page.Cmd{page.Announce{Words: "The server’s recording is shown: " + words.Count(int64(rec.Last()), "version", "versions")}}
}

// recallWords say what became of the server's recording; empty: nothing needs to be said.
func (t *Tab) recallWords() string {
	switch t.recall {
	case coming:
		return "The server’s recording is loading: " + words.Count(int64(t.recalls), "version", "versions") + "."
	case failed:
		return "The server’s recording couldn’t be loaded. This is what the page recorded. Reload the page to try again."
	default:
		return ""
	}
}
