package explain

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/explain"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/kube/table"
)

// result is everything that is printed.
type result struct {
	explain.Answer
	now   time.Time
	width int // of the terminal; 0: the output is none
}

// outputs has a function for each value of --output.
var outputs = map[string]func(io.Writer, result) error{"text": printText, "json": asJSON, "yaml": asYAML, "markdown": markdown}

func printText(out io.Writer, r result) error {
	var b strings.Builder
	for i, e := range r.Explanations {
		if i > 0 {
			b.WriteString("\n")
		}
		r.explanation(&b, e)
	}
	r.rest(&b)
	return output.Text(out, b.String())
}

// title is the reason of a refusal, with its status code, tool and number.
func title(e explain.Explanation) string {
	words := e.Reason
	if words == "" {
		words = "Refused"
	}
	if e.Code != 0 {
		words += fmt.Sprintf(" (%d)", e.Code)
	}
	if e.Tool != "" {
		words += ", by " + e.Tool
	}
	if e.Times > 1 {
		words += fmt.Sprintf(", %d times", e.Times)
	}
	return words
}

func (r result) explanation(b *strings.Builder, e explain.Explanation) {
	r.sentences(b, "", title(e))
	r.sentences(b, "  ", e.What)
	r.sentences(b, "  ", e.Why)
	if e.Message != "" {
		b.WriteString("\nThe server's own words\n")
		r.indented(b, e.Message)
	}
	if len(e.Objects) > 0 {
		b.WriteString("\n" + e.Heading() + "\n")
	}
	for _, o := range e.Objects {
		b.WriteString("  " + object(o) + "\n")
	}
	if len(e.Fields) > 0 {
		b.WriteString("\nFields\n")
	}
	for _, f := range e.Fields {
		r.field(b, f)
	}
	if len(e.Ways) > 0 {
		b.WriteString("\nWays out\n")
	}
	for _, w := range e.Ways {
		b.WriteString("  " + w.Words() + ":\n")
		for line := range strings.Lines(w.Text) {
			b.WriteString("      " + plain.Text(strings.TrimRight(line, "\n")) + "\n")
		}
	}
	r.notes(b, e.Notes)
}

func object(o explain.Object) string {
	if o.Kind == "" {
		return plain.Text(strings.TrimSpace(o.Resource + " " + strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")))
	}
	words := plain.Object(o.Kind, o.Namespace, o.Name)
	if o.APIVersion != "" {
		words += " (" + plain.Text(o.APIVersion) + ")"
	}
	return words
}

func (r result) field(b *strings.Builder, f explain.Field) {
	b.WriteString("  " + plain.Text(f.Name()) + "\n")
	switch {
	case len(f.Stated) > 0:
		live, stated := plain.Values(f.Live, f.Stated)
		r.sentences(b, "      ", "live "+live+", manifest "+stated)
	case len(f.Live) > 0:
		r.sentences(b, "      ", "live "+plain.Value(f.Live))
	}
	first, more := manager.Few(f.Owners)
	for _, o := range first {
		r.sentences(b, "      ", r.owner(o))
	}
	if more > 0 {
		fmt.Fprintf(b, "      and %d more\n", more)
	}
	if f.Why != "" {
		r.sentences(b, "      ", f.Why)
	}
}

// owner names an owner, with how long ago it wrote last.
func (r result) owner(o ownership.Owner) string {
	at := o.Written()
	if at.IsZero() {
		return plain.Text(o.Words()) // the server doesn't record the time for every subresource, and texts seldom have it
	}
	return plain.Text(o.Words()) + ", last wrote " + table.Age(at, r.now) + " ago (" + plain.Text(o.Time) + ")"
}

func (r result) notes(b *strings.Builder, all []string) {
	if len(all) > 0 {
		b.WriteString("\nNotes\n")
	}
	for _, n := range all {
		r.sentences(b, "  ", n)
	}
}

// rest prints the notes and the parts of the text that were not understood.
func (r result) rest(b *strings.Builder) {
	if !r.Understood() {
		r.sentences(b, "", explain.Nothing)
	}
	r.notes(b, r.Notes)
	if len(r.NotUnderstood) > 0 {
		b.WriteString("\nNot understood\n")
	}
	for _, piece := range r.NotUnderstood {
		r.indented(b, piece)
	}
}

func (r result) indented(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		r.sentences(b, "  ", strings.TrimRight(line, "\n"))
	}
}

func (r result) sentences(b *strings.Builder, indent, text string) {
	output.Sentences(b, indent, plain.Text(text), r.width)
}

func markdown(out io.Writer, r result) error {
	var b strings.Builder
	for _, e := range r.Explanations {
		fmt.Fprintf(&b, "### %s\n\n%s\n\n%s\n\n", plain.Markdown(title(e)), plain.Markdown(e.What), plain.Markdown(e.Why))
		if len(e.Objects) > 0 {
			b.WriteString(e.Heading() + ":\n\n")
		}
		for _, o := range e.Objects {
			b.WriteString("- " + plain.Markdown(object(o)) + "\n")
		}
		if len(e.Fields) > 0 {
			b.WriteString("\n| field | live | manifest | owners | why |\n|---|---|---|---|---|\n")
		}
		for _, f := range e.Fields {
			var owners []string
			first, more := manager.Few(f.Owners)
			for _, o := range first {
				owners = append(owners, plain.Markdown(r.owner(o)))
			}
			if more > 0 {
				owners = append(owners, fmt.Sprintf("and %d more", more))
			}
			live, stated := plain.Values(f.Live, f.Stated)
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", plain.Markdown(f.Name()), plain.Markdown(live), plain.Markdown(stated), strings.Join(owners, ", "), plain.Markdown(f.Why))
		}
		for _, w := range e.Ways {
			b.WriteString("\n**" + w.Words() + "**\n\n" + plain.Fenced(w.Text))
		}
		for _, n := range e.Notes {
			b.WriteString("\n" + plain.Markdown(n) + "\n")
		}
		b.WriteString("\n")
	}
	if !r.Understood() {
		b.WriteString(explain.Nothing + "\n")
	}
	for _, n := range r.Notes {
		b.WriteString("\n" + plain.Markdown(n) + "\n")
	}
	for _, piece := range r.NotUnderstood {
		b.WriteString("\nNot understood: " + plain.Markdown(piece) + "\n")
	}
	return output.Text(out, b.String())
}

func asJSON(out io.Writer, r result) error { return output.JSON(out, r.Document()) }

func asYAML(out io.Writer, r result) error { return output.YAML(out, r.Document()) }
