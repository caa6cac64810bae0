package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/check/comment"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// commentName is what a check may be called in the mark of its comment.
var commentName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$`)

func (o options) wrongComment() error {
	switch {
	case o.comment == "":
		return nil
	case !commentName.MatchString(o.comment):
		return fmt.Errorf("--comment %s: a name has letters, digits, and . _ -, and no more than 60 of them", o.comment)
	case len(o.contexts) > 0:
		return errors.New("--comment is about one cluster, so it can't be combined with --contexts; make a check with a name of its own for each")
	}
	return nil
}

// tellPull keeps the comment of the pull request up to date. Whatever goes wrong there is a warning, and never changes what the check returns.
func (o options) tellPull(ctx context.Context, errOut io.Writer, t comment.Text) {
	if o.comment == "" {
		return
	}
	site, err := comment.FromEnvironment(os.Getenv)
	if err == nil {
		err = site.Keep(ctx, t)
	} else {
		err = errors.Join(err, site.Summarize(t))
	}
	if err != nil {
		fmt.Fprintf(errOut, "warning: the comment isn’t up to date: %s\n", plain.Text(strings.ReplaceAll(err.Error(), "\n", "; ")))
	}
}

// undone is the comment of a check that could not be done. The log of the job says why: a comment is for more readers than a log.
func (o options) undone() comment.Text {
	return comment.Text{Name: o.comment, Head: "### " + o.comment + ": the check could not be done\n\nThe log of the job says why.\n"}
}

// commentText is the comment about a result: findings that fail the check with ways out, then what else an apply would do, and what is expected.
func (r result) commentText(name string) comment.Text {
	t := comment.Text{Name: name, Empty: len(r.Findings) == 0 && r.wrong == nil}
	t.Head = "### " + name + ": " + r.summary() + "\n"
	if r.Manager != "" && r.Documents > r.Unjudged {
		t.Head += "\nAn apply as " + plain.Code(r.Manager) + " was predicted by dry runs. Nothing was changed.\n"
	}
	for _, sentence := range r.losers() {
		t.Head += "\n- " + plain.Markdown(sentence)
	}
	if r.Diff != nil {
		var b strings.Builder
		r.Diff.writeDiff(&b)
		t.Head += "\n" + b.String()
	}
	if r.wrong != nil {
		t.Head += "\nNot everything could be checked. The log of the job says why.\n"
	}
	var fails, others, expected []check.Finding
	for _, f := range r.Findings {
		switch {
		case f.Expected != nil:
			expected = append(expected, f)
		case slices.Contains(r.failOn, f.Kind):
			fails = append(fails, f)
		default:
			others = append(others, f)
		}
	}
	t.Parts = parts(fails)
	t.Folds = folds(t.Folds, "What else the apply would do: ", others)
	t.Folds = folds(t.Folds, "Expected: ", expected)
	return t
}

// mostLosers is how many managers the head of a comment names.
const mostLosers = 10

// losers says what a forced apply would take from whom, the manager with the most fields first.
func (r result) losers() (sentences []string) {
	lost := map[string]int{}
	for _, f := range r.Findings {
		if f.Kind != check.Conflict && f.Kind != check.Taken || f.Expected != nil {
			continue
		}
		for _, o := range f.Owners {
			lost[o.Name]++
		}
	}
	names := slices.SortedFunc(maps.Keys(lost), func(a, b string) int { return cmp.Or(lost[b]-lost[a], strings.Compare(a, b)) })
	for i, name := range names {
		if i == mostLosers {
			return append(sentences, fmt.Sprintf("%d more managers lose fields.", len(names)-i))
		}
		sentences = append(sentences, fmt.Sprintf("With force, manager %s loses %s.", cmp.Or(name, "without a name"), words.Count(int64(lost[name]), "field", "fields")))
	}
	return sentences
}

func folds(all []comment.Fold, title string, findings []check.Finding) []comment.Fold {
	if len(findings) == 0 {
		return all
	}
	return append(all, comment.Fold{Title: title + words.Count(int64(len(findings)), "finding", "findings"), Parts: parts(findings)})
}

// parts are what is said about findings, those that say the same one after the other. Only the first of them has the reason.
func parts(findings []check.Finding) []comment.Part {
	var all []comment.Part
	for _, g := range check.Groups(findings) {
		for i, f := range g {
			all = append(all, part(f, i == 0))
		}
	}
	return all
}

func part(f check.Finding, first bool) comment.Part {
	var b strings.Builder
	fmt.Fprintf(&b, "\n**%s** %s", f.Kind, plain.Code(name(f.Object)))
	if f.Path != "" {
		b.WriteString(" " + plain.Code(f.Path))
	}
	b.WriteString(" (" + plain.Code(place(f)) + ")")
	if said := values(f); said != "" {
		b.WriteString(": " + plain.Code(said))
	}
	b.WriteString("\n")
	if first {
		b.WriteString("\n" + plain.Markdown(f.Why) + "\n")
	}
	if f.Expected != nil {
		b.WriteString("\nExpected: " + plain.Markdown(f.Expected.Reason) + "\n")
	}
	p := comment.Part{Short: b.String()}
	if len(f.Ways) > 0 && f.Expected == nil {
		b.WriteString("\n<details><summary>Ways out</summary>\n")
		for _, w := range f.Ways {
			b.WriteString("\n" + plain.Markdown(w.Words()) + ":\n\n" + plain.Fenced(w.Text))
		}
		b.WriteString("\n</details>\n")
	}
	p.Long = b.String()
	return p
}
