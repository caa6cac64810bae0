package check

import (
	"fmt"
	"io"
	"strings"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// result is everything that is printed.
type result struct {
	check.Report
	idle    []check.Idle
	choice  check.Choice // of the manager, if the user named none
	all     bool         // show findings that a rule expects, too
	ways    bool         // show the ways out, in full
	failOn  []check.Kind
	version string // of Fieldmark
	wrong   error  // what could not be done, one error in each line
	width   int    // of the terminal; 0: the output is none
}

// outputs has a function for each value of --output.
var outputs = map[string]func(io.Writer, result) error{"text": printText, "json": asJSON, "yaml": asYAML, "markdown": markdown, "sarif": asSARIF}

func printText(out io.Writer, r result) error {
	var b strings.Builder
	r.writeFindings(&b)
	return output.Text(out, b.String())
}

// writeFindings writes the findings, grouped by object, and a summary in the last line. Objects come in the order of their worst findings.
func (r result) writeFindings(b *strings.Builder) {
	done := map[check.Object]bool{}
	for i := range r.Findings {
		o := r.Findings[i].Object
		if done[o] {
			continue
		}
		done[o] = true
		first := true
		for _, f := range r.Findings[i:] {
			if f.Object != o || f.Expected != nil && !r.all {
				continue
			}
			if first {
				b.WriteString(name(o) + "\n")
				first = false
			}
			r.finding(b, f)
		}
		if !first {
			b.WriteString("\n")
		}
	}
	for _, idle := range r.idle {
		if idle.Rule.File != "" {
			r.sentences(b, "", fmt.Sprintf("%s:%d: this rule has no effect: %s", idle.Rule.File, idle.Rule.Line, idle.Why))
		}
	}
	if r.choice.Manager != "" {
		r.sentences(b, "", r.choice.Words())
	}
	r.sentences(b, "", r.summary())
}

// below is the indent of what is said about a finding.
const below = "            "

func (r result) sentences(b *strings.Builder, indent, text string) {
	output.Sentences(b, indent, plain.Text(text), r.width)
}

func (r result) finding(b *strings.Builder, f check.Finding) {
	where := plain.Text(f.File)
	if f.Line > 0 {
		where = fmt.Sprintf("%s:%d", where, f.Line)
	}
	fmt.Fprintf(b, "  %-9s %s  (%s)\n", f.Kind, plain.Text(f.Path), where)
	r.sentences(b, below, f.Why)
	if len(f.Live) > 0 || len(f.Stated) > 0 {
		live, stated := plain.Values(f.Live, f.Stated)
		r.sentences(b, below, "live "+live+", manifest "+stated)
	}
	if f.Expected != nil {
		r.sentences(b, below, "expected: "+f.Expected.Reason)
		return
	}
	if !r.ways {
		return
	}
	for _, w := range f.Ways {
		fmt.Fprintf(b, below+"%s:\n", w.Words())
		for line := range strings.Lines(w.Text) {
			b.WriteString("                " + plain.Text(strings.TrimRight(line, "\n")) + "\n")
		}
	}
}

func (r result) summary() string {
	said := check.Tally(r.Counts)
	switch {
	case said == "" && r.Unjudged > 0:
		said = "nothing found"
	case said == "":
		said = "nothing to report"
	}
	if n := r.Expected(); n > 0 {
		said += fmt.Sprintf("; %d expected", n)
	}
	if r.Unjudged > 0 {
		said += fmt.Sprintf("; %d not judged", r.Unjudged)
	}
	return words.Count(int64(r.Documents), "document", "documents") + ": " + said
}

func name(o check.Object) string {
	if o.Kind == "" && o.Name == "" {
		return "A document that can't be read"
	}
	return plain.Object(o.Kind, o.Namespace, o.Name)
}

func markdown(out io.Writer, r result) error {
	var b strings.Builder
	b.WriteString("### " + r.summary() + "\n\n")
	if len(r.Findings) > 0 {
		b.WriteString("| finding | object | field | why |\n|---|---|---|---|\n")
	}
	for _, f := range r.Findings {
		if f.Expected != nil && !r.all {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.Kind, plain.Markdown(name(f.Object)), plain.Markdown(f.Path), plain.Markdown(f.Why))
	}
	for _, f := range r.Findings {
		if !r.ways || f.Expected != nil {
			continue
		}
		for _, w := range f.Ways {
			fmt.Fprintf(&b, "\n**%s** for %s %s\n\n%s", w.Words(), plain.Markdown(name(f.Object)), plain.Markdown(f.Path), plain.Fenced(w.Text))
		}
	}
	return output.Text(out, b.String())
}

func asJSON(out io.Writer, r result) error { return output.JSON(out, r.Report) }

func asYAML(out io.Writer, r result) error { return output.YAML(out, r.Report) }
