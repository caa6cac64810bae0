// Package timeline is the Timeline of an object's page: every version that came while the page was open, what changed in
// each, and who did it. It is also what such a recording looks like when it is read from a file.
package timeline

import (
	"fmt"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// What a recording keeps, at most.
const (
	maxVersions = 1000
	maxBytes    = 24 << 20
)

// What is shown moves on every refreshEvery, at most; where more than many versions come meanwhile, every restEvery. What is
// to be shown of those is written out in steps.
const (
	refreshEvery = 250 * time.Millisecond
	restEvery    = 500 * time.Millisecond
	many         = 5
)

// Tab is what a living page has of its Timeline. It is shared by the copies of the page's Model.
type Tab struct {
	began, now time.Time
	live       *sheet
	replay     *replay // a file that is shown instead; nil: none is
	refused    string  // why the last file could not be read
	over       bool    // the pointer is over the steps
	told       int     // of how many contended fields it was said that they are
	coming     int     // the version that is being written out, to be shown then; 0: none is

	laid laid // as it was last laid out
}

// laid is the tab laid out, and what of. A page that is told of a hundred versions a second is not laid out as often.
type laid struct {
	at    time.Time
	about About
	html  string // empty: something is to be seen that is not in it
}

// replay is a recording that was read from a file.
type replay struct {
	*sheet
	from timeline.Origin
	name string
}

func limits() timeline.Limits { return timeline.Limits{Versions: maxVersions, Bytes: maxBytes} }

// New begins to record.
func New(now time.Time) *Tab {
	return &Tab{began: now, now: now, live: newSheet(timeline.NewRecording(limits()))}
}

// Add takes in a version that was seen, and the JSON that it was read from; nil: it is not at hand.
func (t *Tab) Add(o object.Object, text []byte, seen time.Time) {
	t.live.rec.AddText(o, text, seen)
	t.refresh(seen)
}

// Delete knows that the object went, and how it was last.
func (t *Tab) Delete(o object.Object, seen time.Time) {
	t.live.rec.Delete(o, seen)
	t.refresh(seen)
}

// Break says that versions may be missing before the next one, and why.
func (t *Tab) Break(why string) { t.live.rec.Break(why) }

// Tick knows what time it is.
func (t *Tab) Tick(now time.Time) {
	t.now = now
	if !t.streams() {
		t.laid.html = ""
	}
	t.refresh(now)
}

// streams tells that so much comes that what is shown is another every restEvery, and is written out in steps.
func (t *Tab) streams() bool {
	return t.live.waiting() > many && t.live.follows() && !t.over && t.replay == nil
}

// News says what those should hear who do not see it: that managers fight, once for each field.
func (t *Tab) News() []page.Cmd {
	n := len(t.live.rec.Flips())
	if n <= t.told {
		t.told = n
		return nil
	}
	t.told = n
	return []page.Cmd{page.Announce{Words: words.Count(int64(n), "field is", "fields are") + " contended"}}
}

// Point holds the steps where they are while the pointer is over them.
func (t *Tab) Point(over bool) {
	t.over, t.laid.html = over, ""
	t.coming = 0
	if !over {
		t.CatchUp()
	}
}

// CatchUp shows all that has come.
func (t *Tab) CatchUp() {
	t.laid.html, t.coming = "", 0
	t.live.catchUp()
}

// refresh shows what has come, now and then.
func (t *Tab) refresh(now time.Time) {
	streams := t.streams()
	every := refreshEvery
	if streams {
		every = restEvery
	}
	if now.Sub(t.laid.at) < every {
		return
	}
	t.laid.at = now
	switch {
	case streams:
		t.coming = t.live.rec.Last()
	case t.over:
		t.laid.html = ""
	default:
		t.CatchUp()
	}
}

// Work writes out a part of what is to be shown next, and tells whether there was any. The page says whether documents have
// managedFields.
func (t *Tab) Work(managed bool) bool {
	if t.coming == 0 {
		return false
	}
	if t.live.prepare(t.coming, managed) {
		return true
	}
	t.live.shown = t.coming
	t.laid.html, t.coming = "", 0
	return true
}

// sheet is the recording in view.
func (t *Tab) sheet() *sheet {
	if t.replay != nil {
		return t.replay.sheet
	}
	return t.live
}

// Names of the fields, and of the buttons in their data-do.
const (
	prefix     = "timeline/"
	doPause    = prefix + "pause"
	doNewest   = prefix + "newest"
	doOlder    = prefix + "older"
	doFold     = prefix + "fold"
	doExport   = prefix + "export"
	doLeave    = prefix + "leave"
	doDismiss  = prefix + "dismiss"
	doPin      = prefix + "pin"
	doStep     = prefix + "step:"
	doField    = prefix + "field:"
	atField    = "timeline-at"
	pinField   = "timeline-against"
	fileField  = "timeline-file"
	olderSteps = 100
)

// Acted takes in that a button was used. The page says where its object is.
func (t *Tab) Acted(action string, from timeline.Origin) []page.Cmd {
	t.laid.html, t.coming = "", 0
	s := t.sheet()
	if number, is := strings.CutPrefix(action, doStep); is {
		return s.press(number)
	}
	if path, is := strings.CutPrefix(action, doField); is {
		s.only(path)
		return nil
	}
	switch action {
	case doPause:
		return s.pause()
	case doNewest:
		s.chosen = 0
		return s.reveal()
	case doOlder:
		s.listed += olderSteps
	case doFold:
		s.folded = !s.folded
	case doPin:
		s.pin()
	case doExport:
		return t.export(from)
	case doLeave:
		t.replay = nil
		return []page.Cmd{page.Announce{Words: "Back at the object"}}
	case doDismiss:
		t.refused = ""
	}
	return nil
}

// Typed takes in what was typed, or slid.
func (t *Tab) Typed(field, text string) []page.Cmd {
	t.laid.html = ""
	s := t.sheet()
	switch field {
	case atField:
		s.choose(number(text))
		return s.reveal()
	case pinField:
		s.against = number(text)
	}
	return nil
}

// Pressed takes in a key: the steps are walked through like rows.
func (t *Tab) Pressed(key string) []page.Cmd {
	t.laid.html = ""
	s := t.sheet()
	if !s.walk(key) {
		return nil
	}
	return append([]page.Cmd{page.Focus{ID: fmt.Sprintf("step-%d", s.current())}}, s.reveal()...)
}

// export gives the reader the recording in view as a file.
func (t *Tab) export(from timeline.Origin) []page.Cmd {
	if t.replay != nil {
		from = t.replay.from
	} else {
		from.Written = t.now.UTC()
	}
	name := "timeline-" + fileName(from.Path) + "-" + from.Written.Format("20060102-150405") + ".json"
	return []page.Cmd{page.Download{Name: name, MediaType: "application/json", Body: t.sheet().rec.Write(from)}}
}

// fileName is the last part of a path, as every file system takes it.
func fileName(path string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", r) {
			return r
		}
		return '-'
	}, path[strings.LastIndexByte(path, '/')+1:])
}

// Loaded replays a file, or says why it can't be.
func (t *Tab) Loaded(f page.Loaded) []page.Cmd {
	t.refused, t.laid.html = "", ""
	var why string
	var rec *timeline.Recording
	var from timeline.Origin
	switch {
	case f.Size > timeline.MaxFile:
		why = fmt.Sprintf("it is larger than %d MB", timeline.MaxFile>>20)
	case f.Body == nil:
		why = "the browser could not read it"
	default:
		var err error
		if rec, from, err = timeline.Read(f.Body, limits()); err != nil {
			why = err.Error()
		}
	}
	if why != "" {
		t.refused = f.Name + " can’t be replayed: " + why
		return []page.Cmd{page.Announce{Words: "The file can’t be replayed"}}
	}
	s := newSheet(rec)
	s.catchUp()
	t.replay = &replay{sheet: s, from: from, name: f.Name}
	return []page.Cmd{page.Announce{Words: "Replaying " + words.Count(int64(len(rec.Versions())), "version", "versions")}}
}

// Words are the versions of the page's own object that are kept, the oldest first: their numbers and resourceVersions, and
// what else there is to say of each.
func (t *Tab) Words() []string {
	var all []string
	for _, v := range t.live.rec.Versions() {
		words := fmt.Sprintf("%d:%s", v.Number, v.Step.ResourceVersion)
		if v.Missed != "" {
			words += " after " + v.Missed
		}
		if v.Deleted {
			words += " deleted"
		}
		all = append(all, words)
	}
	return all
}
