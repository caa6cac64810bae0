package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// Report is what -o json and -o yaml print.
type Report struct {
	check.Report
	Diff *Diff `json:"diff,omitempty"`
}

// result is everything that is printed.
type result struct {
	Report
	idle    []check.Idle
	choice  check.Choice // of the manager, if the user named none
	all     bool         // show findings that a rule expects, too
	gone    int          // findings of the baseline that there are no longer
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

// writeFindings writes the findings, and a summary in the last line. Findings that say the same come together: below their object, or below all of their
// objects. Others are grouped by object. Both come in the order of their worst findings.
func (r result) writeFindings(b *strings.Builder) {
	r.writeGroups(b)
	for _, idle := range r.idle {
		if idle.Rule.File != "" {
			r.sentences(b, "", fmt.Sprintf("%s:%d: this rule has no effect: %s", idle.Rule.File, idle.Rule.Line, idle.Why))
		}
	}
	for _, sentence := range r.Diff.sentences() {
		r.sentences(b, "", sentence)
	}
	if r.choice.Manager != "" {
		r.sentences(b, "", r.choice.Words())
	}
	r.sentences(b, "", r.summary())
}

// writeGroups writes the findings alone.
func (r result) writeGroups(b *strings.Builder) {
	groups := check.Groups(r.shown())
	done := map[check.Object]bool{}
	for i, g := range groups {
		switch about := objects(g); {
		case len(about) > 1:
			b.WriteString(words.Count(int64(len(about)), "object", "objects") + "\n")
			r.group(b, g, true)
			b.WriteString("\n")
		case !done[about[0]]:
			done[about[0]] = true
			b.WriteString(name(about[0]) + "\n")
			for _, g := range groups[i:] {
				if of := objects(g); len(of) == 1 && of[0] == about[0] {
					r.group(b, g, false)
				}
			}
			b.WriteString("\n")
		}
	}
}

// shown are the findings that are printed.
func (r result) shown() []check.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f check.Finding) bool { return f.Expected != nil && !r.all })
}

// objects are the objects of findings, each once. Documents that can't be read have no object, and each is one of its own.
func objects(findings []check.Finding) []check.Object {
	var all []check.Object
	for _, f := range findings {
		if !slices.Contains(all, f.Object) || f.Object == (check.Object{}) {
			all = append(all, f.Object)
		}
	}
	return all
}

// below is the indent of what is said about a finding.
const below = "            "

func (r result) sentences(b *strings.Builder, indent, text string) {
	output.Sentences(b, indent, plain.Text(text), r.width)
}

// group writes findings that say the same. If they are about several objects, each is named.
func (r result) group(b *strings.Builder, g []check.Finding, named bool) {
	one := len(g) == 1
	if one {
		fmt.Fprintf(b, "  %-9s %s  (%s)\n", g[0].Kind, plain.Text(g[0].Path), place(g[0]))
	} else {
		fmt.Fprintf(b, "  %-9s %s\n", g[0].Kind, words.Count(int64(len(g)), "finding", "findings"))
	}
	r.sentences(b, below, g[0].Why)
	if one && values(g[0]) != "" {
		r.sentences(b, below, values(g[0]))
	}
	if g[0].Expected != nil {
		r.sentences(b, below, "expected: "+g[0].Expected.Reason)
	}
	for _, f := range g {
		if !one {
			r.sentences(b, below, "- "+about(f, named))
		}
		if f.Expected == nil && r.ways {
			writeWays(b, f)
		}
	}
}

// about is what one of several findings is about, in one line.
func about(f check.Finding, named bool) string {
	text := f.Path
	if named {
		text = strings.TrimSpace(name(f.Object) + " " + text)
	}
	text += "  (" + place(f) + ")"
	if said := values(f); said != "" {
		text += ": " + said
	}
	return text
}

// place is the file of a finding, and the line if there is one.
func place(f check.Finding) string {
	switch {
	case f.Folder != "" && f.Folder == f.File:
		return "kustomization " + plain.Text(f.File)
	case f.Line > 0:
		return fmt.Sprintf("%s:%d", plain.Text(f.File), f.Line)
	}
	return plain.Text(f.File)
}

// values are the values of a finding in words; empty if there are none.
func values(f check.Finding) string {
	if len(f.Live) == 0 && len(f.Stated) == 0 {
		return ""
	}
	live, stated := plain.Values(f.Live, f.Stated)
	return "live " + live + ", manifest " + stated
}

func writeWays(b *strings.Builder, f check.Finding) {
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
	if r.gone > 0 {
		said += fmt.Sprintf("; %d of the baseline gone", r.gone)
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
	r.writeTable(&b)
	if r.Diff != nil {
		b.WriteString("\n")
		r.Diff.writeDiff(&b)
	}
	return output.Text(out, b.String())
}

// writeTable writes the findings as Markdown, and the ways out of them below.
func (r result) writeTable(b *strings.Builder) {
	if len(r.Findings) > 0 {
		b.WriteString("| finding | object | field | why |\n|---|---|---|---|\n")
	}
	for _, g := range check.Groups(r.shown()) {
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", g[0].Kind, cell(g, func(f check.Finding) string { return name(f.Object) }),
			cell(g, func(f check.Finding) string { return f.Path }), plain.Markdown(g[0].Why))
	}
	for _, f := range r.Findings {
		if !r.ways || f.Expected != nil {
			continue
		}
		for _, w := range f.Ways {
			fmt.Fprintf(b, "\n**%s** for %s %s\n\n%s", w.Words(), plain.Markdown(name(f.Object)), plain.Markdown(f.Path), plain.Fenced(w.Text))
		}
	}
}

// cell has a text for each finding, in lines. If all texts are the same, it is there once.
func cell(g []check.Finding, text func(check.Finding) string) string {
	var lines []string
	for _, f := range g {
		lines = append(lines, plain.Markdown(text(f)))
	}
	if same := slices.Compact(slices.Clone(lines)); len(same) == 1 {
		lines = same
	}
	return strings.Join(lines, "<br>")
}

func asJSON(out io.Writer, r result) error { return output.JSON(out, r.Report) }

func asYAML(out io.Writer, r result) error { return output.YAML(out, r.Report) }
