package check

import (
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/kube/manifest"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/words"
)

// shared judges fields that another manager owns with the value of the manifest. The apply passes, but the next change of such a field conflicts.
// Fields with the same owners are one finding.
func (j *judgement) shared() {
	if j.tool.forces || j.Force {
		return
	}
	var owners [][]ownership.Owner
	var paths [][]string
	var fields []field // of the first of the paths
	j.alike(j.after.Root, j.sent.Root, func(n *manifest.Node, others []ownership.Owner) {
		at := slices.IndexFunc(owners, func(some []ownership.Owner) bool { return slices.Equal(some, others) })
		if at < 0 {
			at = len(owners)
			owners, paths, fields = append(owners, others), append(paths, nil), append(fields, field{parts: j.after.Parts(n)})
		}
		paths[at] = append(paths[at], j.after.Path(n))
		if first := &fields[at]; len(j.after.Readings(j.after.Path(n))) > 1 {
			first.ambiguous = true // the ways name all these fields by their paths
		}
	})
	for i, others := range owners {
		first := paths[i][0]
		why := "The field is also owned by " + wrote(others) + ". Both have the same value now. If the manifest changes the value, the apply conflicts."
		if more := paths[i][1:]; len(more) > 0 {
			why += " The same is true of " + words.Count(int64(len(more)), "other field", "other fields") + ": " + listed(more) + "."
		}
		if j.together == nil {
			j.together = map[string][]string{}
		}
		j.together[first] = paths[i]
		j.addFinding(Finding{Kind: Shared, Path: first, field: fields[i], Owners: others, Why: why})
	}
}

// alike visits the values of the manifest that other managers own, too. Owners that are older entries of the tool don't count, and neither do the
// fields that identify a list item, because they never change.
func (j *judgement) alike(is, sent *manifest.Node, visit func(n *manifest.Node, others []ownership.Owner)) {
	for _, pair := range ownership.Counterparts(j.sent, j.after, sent, is) {
		n := pair.New
		if pair.Old == nil || n == nil || pair.Old.Value == nil || housekept(j.after.Path(n)) {
			continue
		}
		if len(n.Children) > 0 && !whole(j.after, n) {
			j.alike(n, pair.Old, visit)
			continue
		}
		others := without(j.after.Owners(n), j.me)
		if len(others) == 0 || j.tool.all(others) || j.covered(j.after.Parts(n)) || n.Index < 0 && slices.Contains(j.after.KeysOf(n.Parent), n.Key) {
			continue
		}
		visit(n, others)
	}
}

// wrote lists owners, each with the time of its last write.
func wrote(owners []ownership.Owner) string {
	all := make([]string, 0, len(owners))
	for _, o := range owners {
		text := o.Words()
		if o.Time != "" {
			text += ", which last wrote at " + o.Time
		}
		all = append(all, text)
	}
	return strings.Join(all, ", and by ")
}

// mostListed is how many paths a sentence has.
const mostListed = 3

func listed(paths []string) string {
	if more := len(paths) - mostListed; more > 0 {
		return strings.Join(paths[:mostListed], ", ") + " and " + words.Count(int64(more), "more", "more")
	}
	return strings.Join(paths, ", ")
}
