package assist

import (
	"fmt"
	"time"

	"github.com/fieldmark/fieldmark/kube/assist"
	"github.com/fieldmark/fieldmark/kube/object"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/table"
	"github.com/fieldmark/fieldmark/web/frame/page"
	"github.com/fieldmark/fieldmark/words"
)

// vigil watches whether the fight goes on.
type vigil struct {
	assist.Vigil
	last string // resourceVersion of the page's own last write; empty: none
}

// own tells whether a version isn't newer than the page's own last write. A version that is no number counts as newer.
func (v *vigil) own(version string) bool {
	return version == v.last || object.Older(version, v.last)
}

// ended begins to watch after the last step of a way. The ways are tried again.
func (m Model) ended() []page.Cmd {
	r := m.live.run
	if m.Choice.Do != StopFight || !r.over() || m.live.fight == nil || !m.Type.Watchable() {
		return nil
	}
	var losers []ownership.Manager
	if from, known := managerOf(r.state, &m.live.past, m.Choice.From); known && m.Choice.Way != WayLimit {
		losers = append(losers, from)
	}
	v := &vigil{Vigil: assist.NewVigil(m.Now, m.live.fight.Longest, losers...)}
	if !r.elsewhere() {
		v.last = r.state.Meta("resourceVersion")
	}
	m.live.vigil, m.live.trials = v, map[string]*trial{}
	v.Vigil = v.Sees(m.sees(), m.Now)
	return m.findScalers()
}

// watch begins to watch, without a request.
func (m Model) watch() (page.Page, []page.Cmd) {
	if m.live.fight == nil || !m.Type.Watchable() {
		return m, nil
	}
	m.live.vigil = &vigil{Vigil: assist.NewVigil(m.Now, m.live.fight.Longest)}
	m.live.vigil.Vigil = m.live.vigil.Sees(m.sees(), m.Now)
	return m, append(m.say(), page.Focus{ID: "vigil"})
}

// sees tells whether the page receives each change of the object.
func (m Model) sees() bool { return m.live.followed.Live() && !m.live.followed.Gone() }

// watched takes in that time has passed, or that the connection has changed.
func (m Model) watched() []page.Cmd {
	v := m.live.vigil
	if v == nil {
		return nil
	}
	v.Vigil = v.Sees(m.sees(), m.Now)
	return m.say()
}

// sum is the state of the watch in a sentence, without a time, so that it is announced once. The whole page has no other verdict.
func (v *vigil) sum(m Model) string {
	field := m.live.fight.Path
	switch state, _ := v.Judge(m.Now); state {
	case assist.Quiet:
		return field + " is quiet."
	case assist.GoesOn:
		return v.goesOn(m)
	case assist.Blind:
		return "Changes of the object don’t arrive."
	}
	if m.sentAll() {
		return "Sent. Watching " + field + "."
	}
	return "Watching " + field + "."
}

// sentAll tells whether the page has sent all steps of a way.
func (m Model) sentAll() bool { return m.live.run != nil && m.live.run.over() }

// resumes tells whether a manager wrote the field again after the page had sent all steps.
func (m Model) resumes() bool {
	if m.live.vigil == nil {
		return false
	}
	state, _ := m.live.vigil.Judge(m.Now)
	return state == assist.GoesOn
}

// outcomeWords are the verdict after the last step.
func (m Model) outcomeWords() string {
	if m.live.vigil == nil {
		return "Done."
	}
	return m.live.vigil.sum(m)
}

// goesOn says who wrote again, and why.
func (v *vigil) goesOn(m Model) string {
	by := v.Again.By
	wrote := who(by) + " wrote " + m.live.fight.Path + " again"
	if m.sentAll() {
		wrote = "Sent, but " + wrote
	}
	switch {
	case v.Given(by) && by.Operation == ownership.Apply:
		return wrote + ": its manifest still has the field."
	case v.Given(by):
		return wrote + ": it was to give the field up, and still writes it."
	}
	return wrote + ". The fight goes on."
}

// who names a manager in a sentence.
func who(m ownership.Manager) string {
	if m.Name == "" {
		return "an unknown manager"
	}
	return m.Words()
}

// verdict is what the watch has found out, for readers.
type verdict struct {
	state string // for the attribute data-state
	title string
	words []string
}

// verdict words the watch.
func (v *vigil) verdict(m Model) verdict {
	state, quiet := v.Judge(m.Now)
	d := verdict{state: string(state), title: v.sum(m)}
	since := v.From.Format("15:04:05")
	switch state {
	case assist.Blind:
		d.words = []string{"Fieldmark can’t see who writes the field. Time without changes doesn’t count."}
		return d
	case assist.Quiet:
		d.words = append(d.words, v.calm(m, quiet, since), v.measure())
	case assist.GoesOn:
		d.words = append(d.words, v.resumed(), v.needs())
	default:
		d.words = append(d.words, v.calm(m, quiet, since), v.needs())
	}
	if !v.Gap.IsZero() {
		d.words = append(d.words, "Fieldmark may have missed changes before "+v.Gap.Format("15:04:05")+". The time before doesn’t count.")
	}
	return d
}

// calm says for how long nobody has taken the field from another manager.
func (v *vigil) calm(m Model, quiet time.Duration, since string) string {
	begin := "Quiet for " + table.Duration(quiet) + ": "
	if v.Writes == 0 {
		return begin + "nobody has changed " + m.live.fight.Path + " since " + since + "."
	}
	return fmt.Sprintf("%sonly %s has changed %s since %s, %s, last to %s.", begin, who(v.Writer), m.live.fight.Path, since,
		words.Count(int64(v.Writes), "time", "times"), short(m.live.fight.Now))
}

// measure says what quiet means here, and what wasn't seen.
func (v *vigil) measure() string {
	if v.Period > 0 {
		return fmt.Sprintf("Before, the longest time between two writes was %s. A manager that writes less often may still write.", table.Duration(v.Period))
	}
	return "Fieldmark hasn’t seen the fight itself, so it doesn’t know how often these managers write. A tool that syncs every few minutes may still write."
}

// needs says when a field counts as quiet.
func (v *vigil) needs() string {
	return fmt.Sprintf("The field counts as quiet after %s without such a write.", table.Duration(v.Need))
}

// resumed says what was written again, and what to do.
func (v *vigil) resumed() string {
	a := v.Again
	text := fmt.Sprintf("Written again by %s (%s) after %s.", who(a.By), short(a.Value), table.Duration(a.After))
	switch {
	case v.Given(a.By) && a.By.Operation == ownership.Apply:
		return text + " Delete the field in the manifest of " + a.By.Name + "."
	case v.Given(a.By):
		return text + " Change the settings of " + a.By.Name + "."
	}
	return text + " " + who(a.From) + " had written the field before, and both still do."
}
