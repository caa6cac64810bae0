package migrate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/migrate"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// printing is how results are printed.
type printing struct {
	ways  bool
	width int      // of the terminal; 0: the output is none
	read  []string // what was read of each cluster, in words
}

// outputs has a function for each value of --output.
var outputs = map[string]func(printing, io.Writer, migrate.Report) error{"text": printing.text, "json": printing.json, "csv": printing.csv, "markdown": printing.markdown}

// Indents of what is said about an object, and about a finding.
const (
	below  = "      "
	deeper = "                  "
)

func title(o migrate.Object) string { return plain.Object(o.Type, o.Namespace, o.Name) }

// about says who applies an object, and where the manifest comes from.
func about(o migrate.Object) string {
	text := o.Owner.Words() + "; manifest: " + o.Manifest.Words()
	if o.Owner.Stored != "" {
		text += "; stored apply method: " + o.Owner.Stored
	}
	return text
}

// shown are the findings that are printed: those that no rule expects and that change something.
func shown(o migrate.Object) []check.Finding {
	var all []check.Finding
	for _, f := range o.Findings {
		if f.Expected == nil && (f.Kind.About().Severity >= check.Serious || f.Kind == check.Extra || f.Kind == check.Changed) {
			all = append(all, f)
		}
	}
	return all
}

// owned names the owners of a finding's field.
func owned(f check.Finding) string {
	if len(f.Owners) == 0 {
		return ""
	}
	return "  " + manager.Names(f.Owners)
}

func (p printing) sentences(b *strings.Builder, indent, text string) {
	output.Sentences(b, indent, plain.Text(text), p.width)
}

func (p printing) text(out io.Writer, r migrate.Report) error {
	var b strings.Builder
	for i, c := range r.Clusters {
		last, step := migrate.Verdict(""), ""
		for _, o := range c.Objects {
			if o.Verdict != last {
				fmt.Fprintf(&b, "%s: %d\n\n", o.Verdict.Title(), c.Counts[o.Verdict])
				last, step = o.Verdict, ""
			}
			p.object(&b, o)
			step = p.steps(&b, o, step)
		}
		for _, m := range c.Missing {
			p.sentences(&b, "", m)
		}
		p.sentences(&b, "", p.summary(i, c))
	}
	return output.Text(out, b.String())
}

func (p printing) object(b *strings.Builder, o migrate.Object) {
	fmt.Fprintf(b, "  %s  (%s)\n", plain.Text(title(o)), plain.Text(about(o)))
	if o.Verdict != migrate.Safe {
		p.sentences(b, below, o.Why)
	}
	for _, f := range shown(o) {
		fmt.Fprintf(b, below+"%-11s %s%s\n", f.Kind, plain.Text(f.Path), plain.Text(owned(f)))
		p.sentences(b, deeper, f.Why)
		if p.ways {
			writeWays(b, deeper, f.Ways)
		}
	}
}

// steps writes what to paste, unless it is the same as that of the object before.
func (p printing) steps(b *strings.Builder, o migrate.Object, before string) string {
	var text strings.Builder
	writeWays(&text, below, p.pasted(o))
	if text.String() == before && before != "" {
		b.WriteString(below + "step: the same as above\n\n")
		return before
	}
	b.WriteString(text.String() + "\n")
	return text.String()
}

// pasted is what to paste: the first step, or all that there is.
func (p printing) pasted(o migrate.Object) []check.Way {
	if p.ways {
		return o.Steps
	}
	at := slices.IndexFunc(o.Steps, func(w check.Way) bool { return w.Way == migrate.WayStep })
	if at < 0 {
		return nil
	}
	return o.Steps[at : at+1]
}

func writeWays(b *strings.Builder, indent string, ways []check.Way) {
	for _, w := range ways {
		if strings.Count(w.Text, "\n") == 1 {
			fmt.Fprintf(b, indent+"%s: %s\n", w.Words(), plain.Text(strings.TrimSpace(w.Text)))
			continue
		}
		fmt.Fprintf(b, indent+"%s:\n", w.Words())
		for line := range strings.Lines(w.Text) {
			b.WriteString(indent + "    " + plain.Text(strings.TrimRight(line, "\n")) + "\n")
		}
	}
}

// summary says how a cluster is, in a line.
func (p printing) summary(i int, c migrate.Cluster) string {
	name := c.Context
	if c.Problem != "" {
		return name + " could not be planned: " + c.Problem
	}
	said := c.Tally()
	if said == "" {
		said = "nothing to move"
	}
	if c.Done > 0 {
		said += "; " + words.Count(int64(c.Done), "object needs", "objects need") + " nothing"
	}
	if c.More > 0 {
		said += "; " + words.Count(int64(c.More), "more object was", "more objects were") + " not planned, so choose a namespace with -n"
	}
	if i < len(p.read) {
		said += "; " + p.read[i]
	}
	return name + ": " + said
}

func (p printing) markdown(out io.Writer, r migrate.Report) error {
	var b strings.Builder
	for i, c := range r.Clusters {
		b.WriteString("### " + plain.Markdown(p.summary(i, c)) + "\n\n")
		for _, m := range c.Missing {
			b.WriteString("- " + plain.Markdown(m) + "\n")
		}
		if len(c.Objects) > 0 {
			b.WriteString("\n| plan | object | who applies it | finding | field | why |\n|---|---|---|---|---|---|\n")
		}
		for _, o := range c.Objects {
			for _, row := range p.rows(o) {
				cells := []string{o.Verdict.Title(), title(o), about(o), row[0], row[1], row[3]}
				for at := range cells {
					cells[at] = plain.Markdown(cells[at])
				}
				b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
			}
		}
		for _, o := range c.Objects {
			for _, w := range p.pasted(o) {
				fmt.Fprintf(&b, "\n**%s** for %s\n\n%s", w.Words(), plain.Markdown(title(o)), plain.Fenced(w.Text))
			}
		}
		b.WriteString("\n")
	}
	return output.Text(out, b.String())
}

// rows are the findings of an object as kind, field, owners and reason. Without one, they are one row with the reason of the verdict.
func (p printing) rows(o migrate.Object) [][4]string {
	var rows [][4]string
	for _, f := range shown(o) {
		rows = append(rows, [4]string{string(f.Kind), f.Path, strings.TrimSpace(owned(f)), f.Why})
	}
	if rows == nil {
		rows = append(rows, [4]string{"", "", "", o.Why})
	}
	return rows
}

func (p printing) json(out io.Writer, r migrate.Report) error { return output.JSON(out, r) }

func (p printing) csv(out io.Writer, r migrate.Report) error {
	rows := [][]string{{"context", "plan", "type", "namespace", "name", "tool", "owner", "manifest", "finding", "path", "owners", "why"}}
	for _, c := range r.Clusters {
		if c.Problem != "" {
			rows = append(rows, []string{c.Context, "", "", "", "", "", "", "", "", "", "", c.Problem})
		}
		for _, m := range c.Missing {
			rows = append(rows, []string{c.Context, "", "", "", "", "", "", "", "", "", "", m})
		}
		for _, o := range c.Objects {
			for _, row := range p.rows(o) {
				rows = append(rows, []string{
					c.Context, string(o.Verdict), o.Type, o.Namespace, o.Name, string(o.Owner.Tool), o.Owner.Key(), string(o.Manifest), row[0], row[1], row[2], row[3],
				})
			}
		}
	}
	return output.Text(out, plain.CSV(rows))
}
