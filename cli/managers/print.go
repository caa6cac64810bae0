package managers

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/census/report"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// counted is the census of one cluster, or why there is none.
type counted struct {
	report.Report
	err error
}

func (c counted) failed(err error) counted {
	c.err = err
	return c
}

// result is what the command prints.
type result struct {
	clusters   []counted
	comparison *report.Comparison // nil: there is no earlier export
	since      time.Time
}

// wrong are the clusters that couldn't be read.
func (r result) wrong() error {
	var all []error
	for _, c := range r.clusters {
		switch {
		case c.err != nil && len(r.clusters) > 1:
			all = append(all, fmt.Errorf("%s: %w", c.Context, c.err))
		case c.err != nil:
			all = append(all, c.err)
		}
	}
	return errors.Join(all...)
}

// read are the clusters that could be read.
func (r result) read() (all []report.Report) {
	for _, c := range r.clusters {
		if c.err == nil {
			all = append(all, c.Report)
		}
	}
	return all
}

// outputs has a function for each value of --output.
var outputs = map[string]func(io.Writer, result) error{"text": printText, "json": printJSON, "csv": printCSV, "markdown": printMarkdown}

func printCSV(out io.Writer, r result) error {
	return output.Text(out, report.CSV(r.read()...))
}

// printJSON prints one census as an export. Several are a list.
func printJSON(out io.Writer, r result) error {
	var shown any
	if len(r.clusters) == 1 {
		shown = struct {
			report.Report
			Comparison *report.Comparison `json:"comparison,omitempty"`
		}{r.clusters[0].Report, r.comparison}
	} else {
		shown = struct {
			APIVersion string          `json:"apiVersion"`
			Kind       string          `json:"kind"`
			Items      []report.Report `json:"items"`
		}{report.APIVersion, report.Kind + "List", r.read()}
	}
	text, err := json.MarshalIndent(shown, "", "  ")
	if err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	_, err = out.Write(append(plain.JSON(text), '\n'))
	return err
}

func printMarkdown(out io.Writer, r result) error {
	var b strings.Builder
	for _, c := range r.clusters {
		if len(r.clusters) > 1 {
			b.WriteString("## " + plain.Markdown(c.Context) + "\n\n")
		}
		if c.err != nil {
			b.WriteString("The cluster could not be read: " + plain.Markdown(c.err.Error()) + "\n\n")
			continue
		}
		b.WriteString(c.Markdown() + "\n")
	}
	if r.comparison != nil {
		for line := range strings.Lines(r.compared()) {
			b.WriteString("- " + plain.Markdown(strings.TrimSpace(line)) + "\n")
		}
	}
	return output.Text(out, b.String())
}

func printText(out io.Writer, r result) error {
	var b strings.Builder
	for _, c := range r.clusters {
		c.write(&b, len(r.clusters) > 1)
	}
	b.WriteString(r.table())
	if r.comparison != nil {
		b.WriteString("\n" + r.compared())
	}
	return output.Text(out, b.String())
}

// write says what was read of a cluster, and what was found.
func (c counted) write(b *strings.Builder, named bool) {
	if named {
		b.WriteString(plain.Text(c.Context) + ": ")
	}
	if c.err != nil {
		b.WriteString("could not be read: " + plain.Text(c.err.Error()) + "\n\n")
		return
	}
	objects := 0
	var unread []string
	for _, t := range c.Types {
		objects += t.Objects
		if t.State != report.Read {
			unread = append(unread, t.Name())
		}
	}
	fmt.Fprintf(b, "%s of %s, %s\n", words.Count(int64(objects), "object", "objects"), words.Count(int64(len(c.Types)-len(unread)), "type", "types"), words.Count(int64(len(c.Managers)), "manager", "managers"))
	if len(unread) > 0 {
		b.WriteString("not read, or only partly: " + plain.Text(strings.Join(unread, ", ")) + "\n")
	}
	for _, f := range c.Findings {
		fmt.Fprintf(b, "\n%s\n  %s\n", f.Problem, plain.Text(f.Why))
		for _, s := range f.Samples[:min(len(f.Samples), mostSamples)] {
			fmt.Fprintf(b, "  %s %s\n", plain.Text(s.Path), plain.Text(strings.Join(s.Fields, " ")))
		}
	}
	b.WriteString("\n")
}

// mostSamples is how many objects of a finding the text names. -o json has more.
const mostSamples = 3

// table has a line for each manager. With several clusters, a column for each has the fields that the manager owns there.
func (r result) table() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if read := r.read(); len(r.clusters) == 1 {
		_, _ = fmt.Fprintln(w, "MANAGER\tWRITER\tOBJECTS\tFIELDS\tLAST WRITE") // a Builder never fails
		for _, m := range read[0].Managers {
			_, _ = fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s\n", plain.Text(m.Shown(read[0].Folded)), m.Writer.Words(), m.Objects, m.Fields, report.Time(m.Last))
		}
	} else {
		r.beside(w)
	}
	_ = w.Flush()
	return trimmed(b.String())
}

// beside writes the table of several clusters. A cluster that wasn't read has a question mark.
func (r result) beside(w io.Writer) {
	heads := []string{"MANAGER", "WRITER"}
	owns := map[string]map[int]int{}
	kinds, sums := map[string]string{}, map[string]int{}
	for i, c := range r.clusters {
		heads = append(heads, plain.Text(c.Context))
		for _, m := range c.Managers {
			name := m.Shown(c.Folded)
			if owns[name] == nil {
				owns[name] = map[int]int{}
			}
			owns[name][i] += m.Fields
			sums[name] += m.Fields
			kinds[name] = m.Writer.Words()
		}
	}
	_, _ = fmt.Fprintln(w, strings.Join(heads, "\t"))
	var order []string
	for name := range owns {
		order = append(order, name)
	}
	slices.SortFunc(order, func(a, b string) int {
		if sums[a] != sums[b] {
			return sums[b] - sums[a]
		}
		return strings.Compare(a, b)
	})
	for _, name := range order {
		line := []string{plain.Text(name), kinds[name]}
		for i, c := range r.clusters {
			switch n, has := owns[name][i]; {
			case c.err != nil:
				line = append(line, "?")
			case has:
				line = append(line, fmt.Sprint(n))
			default:
				line = append(line, "-")
			}
		}
		_, _ = fmt.Fprintln(w, strings.Join(line, "\t"))
	}
}

func trimmed(table string) string {
	var b strings.Builder
	for line := range strings.Lines(table) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

// mostChanges is how many cells a comparison lists. -o json has all.
const mostChanges = 20

// compared says what differs from the earlier export.
func (r result) compared() string {
	var b strings.Builder
	c := r.comparison
	fmt.Fprintf(&b, "compared with %s:\n", r.since.Format(time.RFC3339))
	if c.Same() {
		b.WriteString("  nothing differs\n")
	}
	for _, m := range c.New {
		fmt.Fprintf(&b, "  new   %s owns %s\n", plain.Text(m.Shown(0)), words.Count(int64(m.Fields), "field", "fields"))
	}
	for _, m := range c.Gone {
		fmt.Fprintf(&b, "  gone  %s owned %s\n", plain.Text(m.Shown(0)), words.Count(int64(m.Fields), "field", "fields"))
	}
	for _, change := range c.Cells[:min(len(c.Cells), mostChanges)] {
		how := "less"
		if change.Grew() {
			how = "more"
		}
		fmt.Fprintf(&b, "  %s  %s owns %d fields of %s, before %d\n", how, plain.Text(change.Manager), change.Fields.Now, change.Type, change.Fields.Before)
	}
	if n := len(c.Cells) - mostChanges; n > 0 {
		fmt.Fprintf(&b, "  and %s\n", words.Count(int64(n), "other change", "other changes"))
	}
	if len(c.Apart) > 0 {
		b.WriteString("  not compared, because only one of the two has read them: " + plain.Text(strings.Join(c.Apart, ", ")) + "\n")
	}
	if c.Namespaces {
		b.WriteString("  the two have read different namespaces\n")
	}
	if c.Folded {
		b.WriteString("  one of the two has no room for all managers, so somebody who seems new may have been there before\n")
	}
	return b.String()
}
