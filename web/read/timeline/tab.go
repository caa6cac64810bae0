// Package timeline is the Timeline tab of an object's page: every version that arrived while the page was open, what changed in each, and who changed
// it. It also shows recordings that were saved in a file.
package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/copying"
	"github.com/fieldmark/fieldmark/kube/contention/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/web/frame/fights"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// Limits of a recording.
const (
	maxVersions = 1000
	maxBytes    = 24 << 20
)

// The page shows new versions every refreshEvery at most. If more than many versions arrive in that time, it shows them every restEvery, and renders
// them in steps.
const (
	refreshEvery = 250 * time.Millisecond
	restEvery    = 500 * time.Millisecond
	many         = 5
)

// Tab is the state of the Timeline in the browser. The copies of the page's Model share it.
type Tab struct {
	began, now time.Time
	live       *sheet
	replay     *replay // a file that is shown instead of the page's own recording; nil: none
	refused    string  // says why the last file could not be read
	over       bool    // the pointer is over the steps
	told       int     // number of contended fields that were announced
	coming     int     // the version that is being rendered and will be shown next; 0: none

	recall  recall
	recalls int // number of versions in the server's recording

	laid laid // the last HTML
}

// laid is the tab's HTML, and what it was made from. A page can get a hundred versions a second, but it isn't rendered that often.
type laid struct {
	at    time.Time
	about About
	html  string // empty: the tab has changed since it was rendered
}

// replay is a recording that was read from a file.
type replay struct {
	*sheet
	from timeline.Origin
	name string
}

func limits() timeline.Limits { return timeline.Limits{Versions: maxVersions, Bytes: maxBytes} }

// New begins a recording.
func New(now time.Time) *Tab {
	return &Tab{began: now, now: now, live: newSheet(timeline.NewRecording(limits()))}
}

// Add adds a version, with the JSON from which it was read; nil if the JSON isn't available.
func (t *Tab) Add(o object.Object, text []byte, seen time.Time) {
	t.live.rec.AddText(o, text, seen)
	t.refresh(seen)
}

// Delete adds the deletion of the object, with its last state.
func (t *Tab) Delete(o object.Object, seen time.Time) {
	t.live.rec.Delete(o, seen)
	t.refresh(seen)
}

// Break records that versions may be missing before the next one, and why.
func (t *Tab) Break(why string) { t.live.rec.Break(why) }

// Tick sets the current time.
func (t *Tab) Tick(now time.Time) {
	t.now = now
	if !t.streams() {
		t.laid.html = ""
	}
	t.refresh(now)
}

// streams tells whether so many versions arrive that the page shows them every restEvery, and renders them in steps.
func (t *Tab) streams() bool {
	return t.live.waiting() > many && t.live.follows() && !t.over && t.replay == nil
}

// News announces to screen readers that managers fight over fields, once for each field.
func (t *Tab) News() []page.Cmd {
	n := len(t.live.rec.Flips())
	if n <= t.told {
		t.told = n
		return nil
	}
	t.told = n
	return []page.Cmd{page.Announce{Words: words.Count(int64(n), "field is contended", "fields are contended")}}
}

// Point keeps the steps unchanged while the pointer is over them.
func (t *Tab) Point(over bool) {
	t.over, t.laid.html = over, ""
	t.coming = 0
	if !over {
		t.CatchUp()
	}
}

// CatchUp shows all new versions.
func (t *Tab) CatchUp() {
	t.laid.html, t.coming = "", 0
	t.live.catchUp()
}

// refresh shows new versions, if enough time has passed since the last time.
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

// Work renders a part of what will be shown next. It returns false if there is nothing to do. Managed tells whether documents have managedFields.
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

// sheet is the recording that is shown.
func (t *Tab) sheet() *sheet {
	if t.replay != nil {
		return t.replay.sheet
	}
	return t.live
}

// Names of the fields, and of the buttons' actions (data-do).
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

// Acted handles a button. From is the page's object, which exported files name.
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
	if form, key, is := components.ReadCopy(action); is {
		return s.copied(form, key)
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

// Typed handles text in a field, or the place of the slider.
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

// Pressed handles a key: it selects another step.
func (t *Tab) Pressed(key string) []page.Cmd {
	t.laid.html = ""
	s := t.sheet()
	if !s.walk(key) {
		return nil
	}
	return append([]page.Cmd{page.Focus{ID: fmt.Sprintf("step-%d", s.current())}}, s.reveal()...)
}

// export downloads the recording that is shown, as a file.
func (t *Tab) export(from timeline.Origin) []page.Cmd {
	if t.replay != nil {
		from = t.replay.from
	} else {
		from.Written = t.now.UTC()
	}
	name := "timeline-" + fileName(from.Path) + "-" + from.Written.Format("20060102-150405") + ".json"
	return []page.Cmd{page.Download{Name: name, MediaType: "application/json", Body: t.sheet().rec.Write(from)}}
}

// copied copies the fight over a field.
func (s *sheet) copied(form components.CopyForm, path string) []page.Cmd {
	v, _ := s.rec.Find(s.rec.Last())
	o := v.Object()
	for _, f := range s.rec.Flips() {
		if f.Path != path {
			continue
		}
		fight := copying.Fight{
			Object: plain.Object(o.Kind(), o.Meta("namespace"), o.Meta("name")), Path: f.Path, Values: [2]string{orNone(f.Values[0]), orNone(f.Values[1])}, Returns: flipWords(f),
		}
		for _, m := range f.Managers {
			fight.Managers = append(fight.Managers, s.cast().faces.Of(m))
		}
		return page.CopyAs(form, fight)
	}
	return nil
}

// fileName is the last part of a path, with only characters that every file system accepts.
func fileName(path string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-", r) {
			return r
		}
		return '-'
	}, path[strings.LastIndexByte(path, '/')+1:])
}

// Loaded replays a file, or says why it can't be replayed.
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

// Fights are the fights that the page's own recording shows.
func (t *Tab) Fights(of report.Object) []report.Known {
	return fights.Seen(t.live.rec.Flips(), of, report.FromPage)
}

// Contends tells whether the tab says that managers fight over a field.
func (t *Tab) Contends(path string) bool {
	return t.replay == nil && slices.ContainsFunc(t.live.rec.Flips(), func(f timeline.Flip) bool { return f.Path == path })
}

// stop is where fights are stopped; nil while a file is replayed, because the file may be about another object.
func (t *Tab) stop(about About) func(string, []manager.Manager) string {
	if t.replay != nil {
		return nil
	}
	return about.Stop
}

// Words are the kept versions of the page's own object as text, the oldest first: the number and resourceVersion of each, and notes about missing
// versions and deletion.
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
