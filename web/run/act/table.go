package act

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	plans "github.com/fieldmark/fieldmark/kube/act"
	"github.com/fieldmark/fieldmark/web"
	"github.com/fieldmark/fieldmark/web/call"
	"github.com/fieldmark/fieldmark/web/call/dryrun"
	"github.com/fieldmark/fieldmark/web/frame/shell"
	"github.com/fieldmark/fieldmark/words"
)

// An act on several objects has one table: a row for each object, with everything that the reader must know before they send. The worst rows are first.

// weight is how bad an item is. The worst is the lowest.
type weight int

// The weights.
const (
	blocked   weight = iota // nothing can be sent, or it failed
	losing                  // something is lost
	warned                  // probably not what the reader wants
	contested               // a manager loses a field, and probably writes it again
	taking                  // a manager loses a field
	plain
	idle // nothing to do
)

// weighed are the words for items of each weight.
var weighed = [...]string{
	"refused or impossible", "with data or more that is lost", "with a warning", "with a field that somebody probably writes again", "with a field that somebody loses", "where nobody loses a field",
	"with nothing to do",
}

// weigh says how bad an item is.
func (m Model) weigh(it *item) weight {
	tones := map[plans.Tone]bool{}
	for _, n := range it.plan.Notes {
		tones[n.Tone] = true
	}
	switch {
	case it.Problem != nil || len(it.plan.Wrong) > 0 || it.failed() || it.raced != nil || m.not(it) != "":
		return blocked
	case it.plan.Nothing != "":
		return idle
	case tones[plans.Danger]:
		return losing
	case tones[plans.Warn] || it.is(func(j *job) bool { return j.later() || j.dry != nil && len(j.dry.Warnings) > 0 }):
		return warned
	}
	w := plain
	for _, t := range it.plan.Touches {
		for _, h := range t.Loses {
			if w = min(w, taking); h.Returns {
				return contested
			}
		}
	}
	return w
}

// rank puts items in order, the worst first. Items that are equally bad stay in the order of the address.
func (m Model) rank(items []*item) []*item {
	weights := make(map[*item]weight, len(items))
	for _, it := range items {
		weights[it] = m.weigh(it)
	}
	ranked := slices.Clone(items)
	slices.SortStableFunc(ranked, func(a, b *item) int { return cmp.Compare(weights[a], weights[b]) })
	return ranked
}

// rows are the items in the order of the table.
func (m Model) rows(items []*item) []*item {
	if m.live == nil {
		return m.rank(items)
	}
	return m.live.ranked
}

// tally counts the items of each weight, in a sentence.
func (m Model) tally(items []*item) string {
	var counts [idle + 1]int
	for _, it := range items {
		counts[m.weigh(it)]++
	}
	var all []string
	for w, n := range counts {
		if n > 0 {
			all = append(all, words.Thousands(int64(n))+" "+weighed[w])
		}
	}
	said := words.Count(int64(len(items)), "object", "objects") + ", the worst first: " + strings.Join(all, ", ") + "."
	if m.live == nil {
		said += " Fieldmark predicted this from the objects and their managedFields, without dry runs."
	}
	return said
}

// sheet is what all rows have in common. It is computed once for hundreds of rows.
type sheet struct {
	Model
	act      plans.Act
	oneKind  bool // the title of the page has the kind
	readOnly string
}

func (m Model) sheet() sheet {
	t := sheet{Model: m, oneKind: true, readOnly: m.Shell.Limit()}
	t.act, _ = m.chosenAct()
	for _, target := range m.Targets {
		t.oneKind = t.oneKind && target.Type.Kind == m.Targets[0].Type.Kind
	}
	return t
}

// name names an item in its row.
func (t sheet) name(it *item) string {
	if t.oneKind && it.Type.Kind != "" {
		return strings.TrimPrefix(it.name(), it.Type.Kind+" ")
	}
	return it.name()
}

// alone is the address of the same act on one of the objects, which shows its requests and responses.
func (t sheet) alone(it *item) string {
	if t.act.ForSeveral {
		return shell.ToolAt(t.Shell.Cluster.Slug, web.Delete, it.Path.String())
	}
	return t.addressOn([]string{it.Path.String()})
}

// remark is a sentence about an item.
type remark struct {
	tone components.Tone
	text string
}

// class is the CSS class of the remark.
func (r remark) class() string {
	if r.tone == "" {
		return "soft"
	}
	return "tone tone-" + string(r.tone)
}

// remarks are the sentences about an item: why nothing can be sent, or how far its requests are.
func (t sheet) remarks(it *item) (all []remark) {
	add := func(tone components.Tone, text string) { all = append(all, remark{tone, text}) }
	if it.Problem != nil {
		add(components.Bad, told(*it.Problem))
	}
	if not := t.not(it); not != "" {
		add(components.Bad, "Not allowed. "+not)
	}
	for _, option := range slices.Sorted(maps.Keys(it.plan.Wrong)) {
		add(components.Bad, it.plan.Wrong[option])
	}
	if it.plan.Nothing != "" {
		add("", "Nothing to do. "+it.plan.Nothing)
	}
	if it.plan.Waits {
		add("", "Fieldmark reads what the plan needs…")
	}
	if t.readOnly != "" && len(it.jobs) > 0 {
		add(components.Warn, "Nothing is sent. "+t.readOnly)
	}
	for _, why := range it.halt {
		add(components.Bad, "Stopped, because something has come since the plan was made. "+why)
	}
	if it.raced != nil {
		add(components.Bad, "The object had changed since its dry run, so the API server refused the request (409). It wrote nothing.")
	}
	if t.not(it) == "" {
		for _, j := range it.jobs {
			all = append(all, t.remarksOn(it, j)...)
		}
	}
	return all
}

// remarksOn are the sentences about a job.
func (m Model) remarksOn(it *item, j *job) (all []remark) {
	said := m.standing(j)
	if len(it.jobs) > 1 {
		said = j.step.Title + ": " + said
	}
	if said != "" {
		all = append(all, remark{toneOf(j), said})
	}
	switch {
	case j.real != nil && !j.real.OK() && j.state != Done:
		all = append(all, remark{components.Bad, told(call.Refusal(j.real.No))})
	case j.real == nil && j.dry != nil && !j.dry.OK():
		all = append(all, remark{components.Bad, told(call.Refusal(j.dry.No))})
	}
	if words := m.progress(j); words != "" {
		all = append(all, remark{"", words})
	}
	return all
}

// toneOf is the tone of the state of a job.
func toneOf(j *job) components.Tone {
	switch j.state {
	case Planned:
		if j.dry != nil && !j.dry.OK() {
			return components.Bad
		}
		return ""
	case Queued, Sending, Accepted:
		return components.Busy
	case Done:
		return components.Good
	case Waiting, Stopped:
		return components.Warn
	}
	return components.Bad
}

// told is a notice in one line.
func told(n components.Notice) string {
	var all []string
	for _, text := range []string{n.Title, n.Words, n.Quoted} {
		if text != "" {
			all = append(all, strings.TrimSuffix(text, "."))
		}
	}
	return strings.Join(all, ". ") + "."
}

// losses are the sentences about who loses what, and what the reader must know.
func losses(it *item) (all []remark) {
	for _, n := range it.plan.Notes {
		tone := map[plans.Tone]components.Tone{plans.Danger: components.Bad, plans.Warn: components.Warn}[n.Tone]
		all = append(all, remark{tone, n.Text})
	}
	for _, j := range it.jobs {
		if j.dry != nil {
			for _, w := range j.dry.Warnings {
				all = append(all, remark{components.Warn, "Warning of the API server: " + w.Text})
			}
		}
	}
	for _, t := range it.plan.Touches {
		for _, h := range t.Loses {
			tone := components.Tone("")
			if h.Returns {
				tone = components.Warn
			}
			all = append(all, remark{tone, fmt.Sprintf("%s loses %s. %s", h.Owner.Words(), t.Path, h.Words)})
		}
	}
	return all
}

// unforeseen are values that the dry run changes and the plan doesn't: admission or defaults change them.
func unforeseen(it *item) (all []dryrun.Value) {
	for _, j := range it.jobs {
		if j.would == nil || j.step.After != nil {
			continue
		}
		for _, v := range j.would.Values {
			if !slices.ContainsFunc(it.plan.Touches, func(t plans.Touch) bool {
				return inside(v.Path, t.Path) || inside(t.Path, v.Path)
			}) {
				all = append(all, v)
			}
		}
	}
	return all
}

// inside tells whether a path leads to the value at another path, or into it.
func inside(path, of string) bool {
	rest, is := strings.CutPrefix(path, of)
	return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// curls are the requests of all items, for a terminal.
func (m Model) curls(items []*item) string {
	var b strings.Builder
	for _, it := range m.rows(items) {
		for _, j := range it.jobs {
			b.WriteString(form(m.call(j.step, false)).Curl(m.Shell.Server()) + "\n")
		}
	}
	return b.String()
}
