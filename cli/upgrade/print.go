package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/words"
)

// printing is how results are printed.
type printing struct {
	ways  bool
	width int      // of the terminal; 0: the output is none
	read  []string // what was read of each cluster, in words
}

// outputs has a function for each value of --output.
var outputs = map[string]func(printing, io.Writer, upgrade.Report) error{"text": printing.text, "json": printing.json, "csv": printing.csv, "markdown": printing.markdown}

// readWords says how much was read.
func readWords(r report.Report) string {
	n, types := objects(r)
	return words.Count(int64(n), "object", "objects") + " of " + words.Count(int64(types), "type", "types") + " read"
}

// below is the indent of what is said about a finding.
const below = "              "

func (p printing) sentences(b *strings.Builder, indent, text string) {
	output.Sentences(b, indent, plain.Text(text), p.width)
}

func (p printing) text(out io.Writer, r upgrade.Report) error {
	var b strings.Builder
	for i, c := range r.Clusters {
		for _, f := range c.Findings {
			fmt.Fprintf(&b, "  %-11s %s\n", f.Kind, plain.Text(strings.TrimSpace(f.About()+"  "+f.APIVersion)))
			p.sentences(&b, below, f.Why)
			p.writeWays(&b, f.Ways)
		}
		if len(c.Findings) > 0 {
			b.WriteString("\n")
		}
		p.sentences(&b, "", p.summary(i, c, r))
	}
	p.sentences(&b, "", tableWords(r))
	return output.Text(out, b.String())
}

func (p printing) writeWays(b *strings.Builder, ways []check.Way) {
	if !p.ways {
		return
	}
	for _, w := range ways {
		fmt.Fprintf(b, below+"%s:\n", w.Words())
		for line := range strings.Lines(w.Text) {
			b.WriteString(below + "    " + plain.Text(strings.TrimRight(line, "\n")) + "\n")
		}
	}
}

// summary says how a cluster is, in a line.
func (p printing) summary(i int, c upgrade.Cluster, r upgrade.Report) string {
	name := c.Context
	if c.Server != "" {
		name = strings.TrimSpace(name + " (" + c.Server + ")")
	}
	if c.Problem != "" {
		return name + " could not be checked: " + c.Problem
	}
	said := upgrade.Tally(c.Counts)
	if said == "" {
		said = "nothing found"
	}
	if i < len(p.read) {
		said += "; " + p.read[i]
	}
	return name + " to " + r.Target + ": " + said
}

func tableWords(r upgrade.Report) string {
	return "The table of removals was made for Kubernetes " + r.MadeFor + "."
}

func (p printing) markdown(out io.Writer, r upgrade.Report) error {
	var b strings.Builder
	for i, c := range r.Clusters {
		b.WriteString("### " + plain.Markdown(p.summary(i, c, r)) + "\n\n")
		if len(c.Findings) > 0 {
			b.WriteString("| finding | about | version | why |\n|---|---|---|---|\n")
		}
		for _, f := range c.Findings {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Kind, plain.Markdown(f.About()), plain.Markdown(f.APIVersion), plain.Markdown(f.Why))
		}
		for _, f := range c.Findings {
			p.fenceWays(&b, f.Ways, f.About())
		}
		b.WriteString("\n")
	}
	b.WriteString(tableWords(r) + "\n")
	return output.Text(out, b.String())
}

func (p printing) fenceWays(b *strings.Builder, ways []check.Way, about string) {
	if !p.ways {
		return
	}
	for _, w := range ways {
		fmt.Fprintf(b, "\n**%s** for %s\n\n%s", w.Words(), plain.Markdown(about), plain.Fenced(w.Text))
	}
}

func (p printing) json(out io.Writer, r upgrade.Report) error { return output.JSON(out, r) }

func (p printing) csv(out io.Writer, r upgrade.Report) error {
	return output.Text(out, plain.CSV(r.Rows()))
}
