package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/owners"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/kube/timeline"
	"github.com/fieldmark/fieldmark/words"
)

// About is what the timeline needs to know about the page.
type About struct {
	Object  object.Object // its current state
	Managed bool          // show managedFields in documents
	Toggle  string        // address of the page with Managed changed
	Follows bool          // its type can be watched
	Broken  string        // says why the page may miss versions now; empty: it doesn't
	Now     time.Time
	// Stop is the address where a fight over a field is stopped; nil: nothing can be stopped here.
	Stop func(field string, managers []manager.Manager) string
	Kept *Kept // what the server recorded, on the server; nil: nothing
}

// Show is the tab. If t is nil, the page doesn't run in the browser, so nothing is recorded.
func Show(t *Tab, about About) templ.Component {
	if t == nil && about.Kept != nil {
		return kept(about)
	}
	if t == nil {
		return untold(about)
	}
	if t.laid.html == "" || !t.laid.about.same(about) {
		var b strings.Builder
		if err := recorded(t, about).Render(context.Background(), &b); err != nil {
			return components.Say(components.Notice{Tone: components.Bad, Title: "Fieldmark can’t show the timeline", Words: err.Error()})
		}
		t.laid.html, t.laid.about = b.String(), about
	}
	return templ.Raw(t.laid.html)
}

// same tells whether two values show the same. The object isn't compared, because each state of it is a version of the recording.
func (a About) same(other About) bool {
	return a.Managed == other.Managed && a.Toggle == other.Toggle && a.Follows == other.Follows && a.Broken == other.Broken
}

// drawn is the last document, and the versions that it shows.
type drawn struct {
	current, base   int
	folded, managed bool
	html            string
	err             error
}

// document is the selected version, with its differences from the base. It is rendered only if the versions or settings have changed.
func (s *sheet) document(managed bool) templ.Component {
	want := drawn{current: s.current(), base: s.base(), folded: s.folded, managed: managed}
	d := s.drawn
	d.html, d.err = "", nil
	if d != want || s.drawn.html == "" && s.drawn.err == nil {
		want.html, want.err = s.renderComparison(managed)
		s.drawn = want
	}
	if s.drawn.err != nil {
		return components.Say(components.Notice{Tone: components.Bad, Title: "Fieldmark can’t show this version", Words: s.drawn.err.Error()})
	}
	return templ.Raw(s.drawn.html)
}

// Limits of a document's lines. Above maxWhole, only changed lines and a few around them are shown. Lines after maxLines are never shown.
const (
	maxWhole = 3000
	around   = 3
	maxLines = 4000
)

func (s *sheet) renderComparison(managed bool) (string, error) {
	after, err := s.lines(s.current(), managed)
	if err != nil {
		return "", err
	}
	before := after
	if base := s.base(); base != 0 {
		if before, err = s.lines(base, managed); err != nil {
			return "", err
		}
	}
	near := -1
	if s.folded || len(after) > maxWhole {
		near = around
	}
	c := components.Comparison{Label: s.compares(), Lines: components.Compared(before, after, near)}
	if extra := len(c.Lines) - maxLines; extra > 0 {
		c.Lines = append(c.Lines[:maxLines], components.ComparedLine{Left: extra})
	}
	var b strings.Builder
	err = components.Compare(c).Render(context.Background(), &b)
	return b.String(), err
}

// written is the text of a version.
type written struct {
	number  int
	managed bool
	lines   []manifest.Line
	err     error
}

// have finds a version among the last ones that were written.
func (s *sheet) have(n int, managed bool) (written, bool) {
	for _, w := range s.written {
		if w.number == n && w.managed == managed {
			return w, true
		}
	}
	return written{}, false
}

// lines are the lines of a version. They are written only if the sheet doesn't have them.
func (s *sheet) lines(n int, managed bool) ([]manifest.Line, error) {
	const most = 3 // the two that are shown, and one for the next version
	w, ok := s.have(n, managed)
	if !ok {
		w = written{number: n, managed: managed}
		w.lines, w.err = s.writeOut(n, managed)
		s.written = append(s.written[max(len(s.written)-most+1, 0):], w)
	}
	return w.lines, w.err
}

// writeOut writes the text of a version, without the fields that change with every write unless managed is true.
func (s *sheet) writeOut(n int, managed bool) ([]manifest.Line, error) {
	v, _ := s.rec.Find(n)
	o := v.Object()
	if !managed {
		o = o.WithoutManagedFields()
		if metadata, ok := o.Fields["metadata"].(map[string]any); ok {
			metadata = maps.Clone(metadata)
			delete(metadata, "resourceVersion")
			o.Fields = maps.Clone(o.Fields)
			o.Fields["metadata"] = metadata
		}
	}
	lines, err := manifest.YAMLLines(o.Fields)
	if err != nil {
		return nil, fmt.Errorf("version %d: %w", n, err)
	}
	return lines, nil
}

// compares is the heading that names the versions.
func (s *sheet) compares() string {
	words := fmt.Sprintf("Version %d", s.current())
	if base := s.base(); base != 0 {
		words += fmt.Sprintf(", compared with version %d", base)
	}
	return words
}

// showing turns the steps of a sheet into components.
type showing struct {
	*sheet
	now       time.Time
	contended map[string]bool
	cast      *cast
}

func (s *sheet) showing(now time.Time) showing {
	all := showing{sheet: s, now: now, contended: map[string]bool{}, cast: s.cast()}
	for _, f := range s.rec.Flips() {
		all.contended[f.Path] = true
	}
	return all
}

func (s showing) versionSteps(broken string) components.StepList {
	l := components.StepList{Label: "Versions, the newest first", Break: broken}
	numbers := s.steps()
	for _, n := range numbers {
		v, _ := s.rec.Find(n)
		l.Steps = append(l.Steps, s.step(v))
	}
	l.Steps = s.folding(l.Steps, s.rec.Find)
	if older := s.older(numbers); older > 0 {
		l.Older = components.Button{Words: words.Count(int64(older), "older version", "older versions") + "…", Do: doOlder}
	} else if n := s.rec.Dropped(); n > 0 {
		l.End = fmt.Sprintf("The page keeps the newest %s, and at most %d MB. It deleted %s.",
			words.Count(maxVersions, "version", "versions"), maxBytes>>20, words.Count(int64(n), "older version", "older versions"))
	}
	return l
}

// folding makes one step of consecutive versions that changed only status. A version that the reader has selected, or that changed a contended
// field, stays a step of its own.
func (s showing) folding(steps []components.Step, find func(int) (timeline.Version, bool)) (all []components.Step) {
	var run []components.Step
	end := func() {
		if len(run) > 1 {
			run = []components.Step{s.fold(run, find)}
		}
		all, run = append(all, run...), nil
	}
	for _, step := range steps {
		v, _ := find(step.Number)
		if s.field == "" && step.Number != s.selected() && !step.Contended && v.Quiet() {
			run = append(run, step)
			continue
		}
		end()
		all = append(all, step)
	}
	end()
	return all
}

// fold is one step for several, which come with the newest first.
func (s showing) fold(run []components.Step, find func(int) (timeline.Version, bool)) components.Step {
	newest, oldest := run[0], run[len(run)-1]
	one := components.Step{Number: oldest.Number, Words: words.Count(int64(len(run)), "status change", "status changes"), Time: oldest.Time, Quiet: run}
	if newest.Time != oldest.Time {
		one.Time += " to " + newest.Time
	}
	var all []ownership.Owner
	for _, step := range run {
		v, _ := find(step.Number)
		all = append(all, v.Writers()...)
	}
	for _, m := range s.cast.shown(all) {
		m.Operation, m.Subresource = "", "" // all of them wrote status
		if !slices.Contains(one.Writers, m) {
			one.Writers = append(one.Writers, m)
		}
	}
	return one
}

func (s showing) step(v timeline.Version) components.Step {
	step := components.Step{
		Number: v.Number, Do: doStep + fmt.Sprint(v.Number), Time: clock(v.Step.Seen, s.now), Age: ago(v.Step.Seen, s.now),
		Writers: s.cast.shown(v.Writers()), Missed: v.Missed, Current: v.Number == s.current() && v.Number != s.shut,
	}
	step.Words, step.Tone = s.changeText(v)
	step.Contended = slices.ContainsFunc(v.Step.Changes, func(c timeline.Change) bool { return s.contended[c.Path] })
	if !step.Current {
		return step
	}
	s.addStepChanges(&step, v, maxChanges)
	return step
}

// addStepChanges lists the changes of a step, and at most so many.
func (s showing) addStepChanges(step *components.Step, v timeline.Version, most int) {
	for _, c := range v.Step.Changes[:min(len(v.Step.Changes), most)] {
		step.Changes = append(step.Changes, components.FieldChange{
			Path: c.Path, What: string(c.What), Old: c.Old, New: c.New, Before: s.cast.shown(c.Before), After: s.cast.shown(c.After),
			Contended: s.contended[c.Path],
		})
	}
	if more := len(v.Step.Changes) + v.Step.More - len(step.Changes); more > 0 {
		step.More = words.Count(int64(more), "more change", "more changes") + ". See the document"
	}
}

// maxChanges is the most changes of a step that are listed.
const maxChanges = 100

// changeText says what changed in a version.
func (s showing) changeText(v timeline.Version) (string, components.Tone) {
	n := int64(len(v.Step.Changes) + v.Step.More)
	switch {
	case v.Deleted:
		return "deleted", components.Bad
	case v.Another:
		return "another object with this name", components.Busy
	case v.Step.First:
		return "first version seen", components.Calm
	case v.Step.Rewritten:
		return "written again, nothing changed", components.Calm
	default:
		return words.Count(n, "path", "paths"), components.Calm
	}
}

// maxContended is the most contended fields that are listed.
const maxContended = 5

// contentions are the fields that managers fight over, the worst first, and a text about those that are left out.
func (s *sheet) contentions(stop func(string, []manager.Manager) string) (all []components.Contention, more string) {
	all, more = contended(s.rec.Flips(), s.cast(), stop)
	for i := range all {
		path := all[i].Path
		all[i].Copy = path
		all[i].Steps = components.Button{Words: "Only these versions", Do: doField + path, Pressed: s.field == path, Hint: "List only the versions that changed " + path}
	}
	return all, more
}

// contended shows the first few fights.
func contended(flips []timeline.Flip, cast *cast, stop func(string, []manager.Manager) string) (all []components.Contention, more string) {
	for _, f := range flips[:min(len(flips), maxContended)] {
		c := components.Contention{Path: f.Path, Words: flipWords(f), Values: [2]string{orNone(f.Values[0]), orNone(f.Values[1])}}
		for _, m := range f.Managers {
			c.Managers = append(c.Managers, cast.faces.Of(m))
		}
		if stop != nil && len(f.Managers) > 1 {
			c.Stop = stop(f.Path, f.Managers)
		}
		all = append(all, c)
	}
	if extra := len(flips) - len(all); extra > 0 {
		more = "… and " + words.Count(int64(extra), "field", "fields") + " more"
	}
	return all, more
}

func flipWords(f timeline.Flip) string {
	times := words.Count(int64(f.Count), "time", "times")
	if f.Period > 0 {
		return fmt.Sprintf("came back %s, about every %s", times, period(f.Period))
	}
	return fmt.Sprintf("came back %s", times)
}

func period(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return table.Duration(d)
}

func orNone(value string) string {
	if value == "" {
		return "(missing)"
	}
	return value
}

// clock is a time of the day, with the date if it isn't today.
func clock(at, now time.Time) string {
	at = at.In(now.Location())
	if at.Format(time.DateOnly) != now.Format(time.DateOnly) {
		return at.Format(time.DateTime)
	}
	return at.Format(time.TimeOnly)
}

func ago(at, now time.Time) string {
	if now.Before(at) {
		now = at
	}
	return table.Age(at, now) + " ago"
}

// share is a manager in the managedFields of one version.
type share struct {
	components.Manager
	wrote  string
	leaves int
	alone  int
}

// shares are the managers of one version, the last writer first.
func shares(about About) []share {
	fields := about.Object.WithoutManagedFields().Fields
	summary := ownership.Parse(about.Object.Fields).On(manifest.Tree(fields), nil).Summarize()
	managers := slices.Clone(summary.Managers)
	slices.SortStableFunc(managers, func(a, b ownership.Share) int { return b.Written().Compare(a.Written()) })
	var who []ownership.Manager
	for _, m := range managers {
		who = append(who, m.Manager)
	}
	faces := owners.FacesOf(who)
	var all []share
	for _, m := range managers {
		s := share{Manager: faces.Of(m.Manager), leaves: m.Leaves, alone: m.Alone, wrote: "at an unknown time"}
		if at := m.Written(); !at.IsZero() {
			s.wrote = ago(at, about.Now)
		}
		all = append(all, s)
	}
	return all
}
