package check

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/fieldmark/fieldmark/components"
	"github.com/fieldmark/fieldmark/components/why"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/web/write/explain"
	"github.com/fieldmark/fieldmark/words"
)

// tones are those of the severities.
var tones = map[check.Severity]components.Tone{
	check.Grave: components.Bad, check.Serious: components.Warn, check.Moderate: components.Warn, check.Minor: components.Busy, check.Fine: components.Good,
}

func tone(k check.Kind) components.Tone { return tones[k.About().Severity] }

// topic is the explanation beside a kind of finding.
func topic(k check.Kind) why.Topic {
	for _, t := range []why.Topic{why.ClientSideApply, why.Conflicts, why.CustomResources, why.FieldValidation, why.Force, why.SharedOwnership} {
		if t.Address() == why.Guide+"/"+k.About().Topic {
			return t
		}
	}
	return why.Apply
}

// expects tells whether a way out is a rule for our own file of rules. Other rules are for other tools.
func expects(w check.Way) bool {
	return w.Way == check.WayRule && strings.HasPrefix(w.Text, "# "+check.RulesFile+"\n")
}

func wayTitle(w check.Way) string {
	if expects(w) {
		return "Expect the finding: a rule for " + check.RulesFile
	}
	return explain.Title(w)
}

// title names a document's object.
func (d *doc) title() string {
	o := d.Document.Object()
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	if o.Kind == "" {
		return "A document that can’t be read"
	}
	return strings.TrimSpace(o.Kind + " " + name)
}

// positionText is where a finding is in the input.
func positionText(file string, line int) string {
	if file == Pasted {
		file = "line "
	} else {
		file += ":"
	}
	return file + strconv.Itoa(line)
}

// longest is the number of characters of a value that a row shows.
const longest = 80

// values are the live and the stated value of a finding. Long ones are cut where they differ first.
func values(f check.Finding) (live, stated string) {
	return plain.Apart(components.Visible(string(f.Live)), components.Visible(string(f.Stated)), longest)
}

// verdict counts the findings in a line: "3 documents: 1 conflict, 2 changed; 1 expected".
func (m Model) verdict() string {
	l := m.live
	said := cmp.Or(check.Tally(l.counts), "nothing to report")
	if n := l.excused(); n > 0 {
		said += fmt.Sprintf("; %d expected", n)
	}
	if l.done < len(l.input.docs) {
		return part("%s of %s: ", l.done, len(l.input.docs)) + said
	}
	return words.Count(int64(len(l.input.docs)), "document", "documents") + ": " + said
}

// part words how many of all documents something is true for.
func part(format string, n, of int) string {
	return fmt.Sprintf(format, words.Thousands(int64(n)), words.Count(int64(of), "document", "documents"))
}

// excused is how many findings a rule expects.
func (l *live) excused() int {
	n := 0
	for _, some := range l.expected {
		n += some
	}
	return n
}

// reasons are why rules expect findings, each with the number of its findings.
func (l *live) reasons() []string {
	var all []string
	for _, reason := range slices.Sorted(maps.Keys(l.expected)) {
		all = append(all, words.Count(int64(l.expected[reason]), "finding", "findings")+": "+reason)
	}
	return all
}

// command is the command line that makes the same check.
func (m Model) command() string {
	words := "kubectl fieldmark check " + m.live.input.from()
	if m.live.of.Manager != "" {
		words += " --manager " + quoted(m.live.of.Manager)
	}
	if m.live.of.Force {
		words += " --force-conflicts"
	}
	if m.live.of.Namespace != UsualNamespace {
		words += " --namespace " + quoted(m.live.of.Namespace)
	}
	return words
}

// given tells whether there is anything to check.
func (m Model) given() bool { return len(m.live.input.given)+m.live.input.coming > 0 }

// folded tells whether the field for text is hidden.
func (m Model) folded() bool { return m.given() && !m.live.unfolded }

func (m Model) invitation() string {
	if m.live.awake {
		return "Drop files, a folder or a zip file on this page, or paste manifests as YAML or JSON"
	}
	return "Paste manifests as YAML or JSON"
}

// unfolding names the button that shows the field for text, or hides it.
func (m Model) unfolding() string {
	switch {
	case !m.folded():
		return "Hide the text"
	case len(m.live.input.given) > 0 && m.live.input.given[0].name == Pasted:
		return "Show the text"
	}
	return "Paste a text"
}

// has tells whether a finding has values to show.
func has(f check.Finding) bool { return len(f.Live) > 0 || len(f.Stated) > 0 }

// changed says the live value and that of the manifest, for cells that are too narrow for both.
func changed(f check.Finding) string {
	live, stated := values(f)
	return cmp.Or(live, "none") + " → " + cmp.Or(stated, "none")
}

// mostOfKind is how many findings of a kind the panel lists.
const mostOfKind = 40

// opens is the action that shows a finding.
func (c chosen) opens() string { return doOpen + " " + copyKey(c) }

// typed is how API servers begin to refuse a field that the type doesn't have. The row has the object already.
var typed = regexp.MustCompile(`^failed to create typed patch object \([^)]*\): `)

// reasonOf is what a row says of a finding that is about no change of a value: where the field is, and the reason.
func reasonOf(f check.Finding) (reason string, is bool) {
	switch f.Kind {
	case check.Invalid, check.Unserved, check.Unknown:
		why := typed.ReplaceAllString(f.Why, "")
		if f.Path != "" && !strings.Contains(why, f.Path) {
			why = f.Path + ": " + why
		}
		return components.Visible(why), true
	}
	return "", false
}
