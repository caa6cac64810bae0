package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/upgrade"
	"github.com/fieldmark/fieldmark/words"
)

// blockedOutputs has a function for each value of --output.
var blockedOutputs = map[string]func(printing, io.Writer, upgrade.BlockedReport) error{
	"text": printing.blockedText, "json": printing.blockedJSON, "csv": printing.blockedCSV, "markdown": printing.blockedMarkdown,
}

// title names an object, as in "widgets.example.com shop/w".
func title(r upgrade.Record) string { return plain.Object(r.Type, r.Namespace, r.Name) }

// whose says which entries block an object.
func whose(r upgrade.Record) string {
	var all []string
	for _, m := range r.Managers {
		all = append(all, m.Words()+" in "+m.APIVersion)
	}
	shown, more := all[:min(len(all), mostWhose)], max(0, len(all)-mostWhose)
	return "Entries that block each apply: " + manager.Listed(shown, more) + "." + lastWords(r)
}

// mostWhose is how many entries of an object are named.
const mostWhose = 4

func lastWords(r upgrade.Record) string {
	if r.Last.IsZero() {
		return ""
	}
	return " Last write: " + report.Time(r.Last) + "."
}

func (p printing) blockedText(out io.Writer, r upgrade.BlockedReport) error {
	var b strings.Builder
	for i, c := range r.Clusters {
		for _, f := range c.Findings {
			fmt.Fprintf(&b, "  %-11s %s\n", f.Kind, plain.Text(strings.TrimSpace(f.About()+"  "+f.APIVersion)))
			p.sentences(&b, below, f.Why)
			p.writeWays(&b, f.Ways)
		}
		for _, o := range c.Objects {
			b.WriteString("\n" + plain.Text(title(o)) + "\n")
			p.sentences(&b, "  ", whose(o))
			p.writeWays(&b, o.Ways)
		}
		if len(c.Findings)+len(c.Objects) > 0 {
			b.WriteString("\n")
		}
		p.sentences(&b, "", p.blockedSummary(i, c))
	}
	return output.Text(out, b.String())
}

func (p printing) blockedSummary(i int, c upgrade.BlockedCluster) string {
	switch {
	case c.Problem != "":
		return c.Context + " could not be read: " + c.Problem
	case len(c.Objects) == 0:
		return c.Context + ": no object is unappliable; " + p.read[i]
	}
	said := c.Context + ": " + words.Count(int64(len(c.Objects)+c.More), "object is", "objects are") + " unappliable"
	if c.More > 0 {
		said += fmt.Sprintf(", and the first %d are listed", len(c.Objects))
	}
	return said + "; " + p.read[i]
}

func (p printing) blockedMarkdown(out io.Writer, r upgrade.BlockedReport) error {
	var b strings.Builder
	for i, c := range r.Clusters {
		b.WriteString("### " + plain.Markdown(p.blockedSummary(i, c)) + "\n\n")
		for _, f := range c.Findings {
			fmt.Fprintf(&b, "- **%s** %s\n", f.Kind, plain.Markdown(f.Why))
		}
		if len(c.Objects) > 0 {
			b.WriteString("\n| object | why |\n|---|---|\n")
		}
		for _, o := range c.Objects {
			fmt.Fprintf(&b, "| %s | %s |\n", plain.Markdown(title(o)), plain.Markdown(whose(o)))
		}
		for _, f := range c.Findings {
			p.fenceWays(&b, f.Ways, f.About())
		}
		for _, o := range c.Objects {
			p.fenceWays(&b, o.Ways, title(o))
		}
		b.WriteString("\n")
	}
	return output.Text(out, b.String())
}

func (p printing) blockedJSON(out io.Writer, r upgrade.BlockedReport) error {
	return output.JSON(out, r)
}

func (p printing) blockedCSV(out io.Writer, r upgrade.BlockedReport) error {
	return output.Text(out, plain.CSV(r.Rows()))
}
