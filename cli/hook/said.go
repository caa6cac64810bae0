package hook

import (
	"fmt"
	"strings"

	"github.com/fieldmark/fieldmark/cli/hook/loss"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// mostSaid is how many losses an answer names.
const mostSaid = 10

// possibleSaid introduces losses that depend on what nobody knows yet.
const possibleSaid = "Others own these fields of the stored manifest now, with other values. Helm takes each that its new manifest sets, too:"

// decision is the answer to a judgement, with its reason. The worst part of a line decides.
func (o options) decision(j judgement) (decision, why string) {
	var parts []string
	if len(j.losses) > 0 {
		decision, parts = o.onLoss, append(parts, lossesSaid(j.losses))
	}
	if len(j.doubts) > 0 {
		if decision != sayDeny {
			decision = sayAsk
		}
		doubts := make([]string, 0, mostSaid)
		for _, d := range j.doubts[:min(mostSaid, len(j.doubts))] {
			doubts = append(doubts, "- "+short(plain.Text(d)))
		}
		if more := len(j.doubts) - mostSaid; more > 0 {
			doubts = append(doubts, "- and "+words.Count(int64(more), "reason", "reasons")+" more")
		}
		parts = append(parts, "Fieldmark can’t tell what else this command would take from others:\n"+strings.Join(doubts, "\n"))
		if len(j.losses) == 0 {
			parts[0] = strings.Replace(parts[0], "what else this", "what this", 1)
		}
	}
	if len(j.possible) > 0 {
		parts = append(parts, possibleSaid+"\n"+strings.TrimSuffix(listed(j.possible), "\n"))
	}
	return decision, strings.Join(parts, "\n\n")
}

// lossesSaid says who would lose what. It has no values.
func lossesSaid(all []loss.Loss) string {
	return "This command would take fields from their owners, or delete objects:\n" + listed(all) +
		"A dry run shows that. Nothing has changed. Tell your user who loses what before you go on."
}

// listed are losses, one on each line.
func listed(all []loss.Loss) string {
	var b strings.Builder
	for i, l := range all {
		if i == mostSaid {
			fmt.Fprintf(&b, "- and %s more\n", words.Count(int64(len(all)-i), "loss", "losses"))
			break
		}
		b.WriteString("- " + short(lossSaid(l)) + "\n")
	}
	return b.String()
}

// longestLine is how long a line of an answer is, in bytes. Names and messages of a cluster can be longer than a context window.
const longestLine = 1000

func short(text string) string {
	if len(text) <= longestLine {
		return text
	}
	return strings.ToValidUTF8(text[:longestLine], "") + "…"
}

func lossSaid(l loss.Loss) string {
	object := plain.Object(l.Object.Kind, l.Object.Namespace, l.Object.Name)
	switch {
	case l.Path == "" && len(l.From) == 0:
		return object + " is deleted."
	case l.Path == "":
		return object + " is deleted. Its fields belong to " + ownersSaid(l.From) + "."
	case l.Removed:
		return object + ": " + plain.Text(l.Path) + " is removed. It belongs to " + ownersSaid(l.From) + "."
	}
	return object + ": " + ownersSaid(l.From) + " loses " + plain.Text(l.Path) + "."
}

// ownersSaid names managers, and when each wrote last.
func ownersSaid(owners []manager.Owner) string {
	shown, more := manager.Few(owners)
	texts := make([]string, 0, len(shown))
	for _, o := range shown {
		text := plain.Text(o.Words())
		if at := o.Written(); !at.IsZero() {
			text += ", last write " + at.UTC().Format("2006-01-02 15:04") + " UTC"
		}
		texts = append(texts, text)
	}
	return manager.Listed(texts, more)
}
