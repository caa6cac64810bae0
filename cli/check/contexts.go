package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
)

// Contexts is what -o json and -o yaml print for several contexts.
type Contexts struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"` // contextsKind
	Items      []Context `json:"items"`
}

// Context is the report about one context, or the reason why there is none.
type Context struct {
	Context string `json:"context"`
	Error   string `json:"error,omitempty"`
	Report
}

// inContext is the result of the check in one context.
type inContext struct {
	name  string
	space string // the namespace that the context uses if the user names none
	result
	done bool // there is a result
	err  error
}

// checkContexts checks the manifests in several contexts.
func (o options) checkContexts(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, failOn []check.Kind) error {
	names, err := cluster.Matching(ctx, o.contexts)
	if err != nil {
		return err
	}
	var given []byte
	if slices.Contains(o.which.Files.Filenames, "-") {
		if given, err = io.ReadAll(io.LimitReader(streams.In, maxText+1)); err != nil {
			return fmt.Errorf("reading the standard input: %w", err)
		}
	}
	there := make([]inContext, len(names))
	cluster.Several(ctx, names, func(at int, one *ask.Cluster, err error) {
		c := &there[at]
		if c.name, c.err = names[at], err; err == nil {
			c.space, _, _ = one.Namespace() // judged returns the error
			c.result, c.err = o.judged(ctx, one, genericiooptions.IOStreams{In: bytes.NewReader(given), ErrOut: io.Discard}, failOn, c.name)
			c.done = c.err == nil
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := printContexts(streams.Out, o.output, there); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	var wrong []error
	fails := false
	for _, c := range there {
		if err := errors.Join(c.err, c.wrong); err != nil {
			wrong = append(wrong, fmt.Errorf("context %s: %w", c.name, err))
		}
		fails = fails || c.done && c.Fails(failOn)
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	if fails {
		return ErrFindings
	}
	return nil
}

func printContexts(out io.Writer, format string, there []inContext) error {
	switch format {
	case "json":
		return output.JSON(out, documentsOf(there))
	case "yaml":
		return output.YAML(out, documentsOf(there))
	case "markdown":
		return output.Text(out, markdownOf(there))
	}
	return output.Text(out, textOf(there))
}

func documentsOf(there []inContext) Contexts {
	all := Contexts{APIVersion: check.APIVersion, Kind: contextsKind, Items: []Context{}}
	for _, c := range there {
		one := Context{Context: c.name, Report: c.Report}
		if !c.done {
			one.Report = Report{Report: check.ReportOf("", 0, nil)}
		}
		if err := errors.Join(c.err, c.wrong); err != nil {
			one.Error = err.Error()
		}
		all.Items = append(all.Items, one)
	}
	return all
}

// shared are findings that the same contexts have.
type shared struct {
	contexts []string
	result   // of the first of these contexts, with these findings only
}

// together puts findings together by the contexts that have them: first those that not all contexts have.
func together(there []inContext) []shared {
	type finding struct {
		at  int // the first context with it
		of  check.Finding
		all []string
	}
	var order []string
	known := map[string]*finding{}
	done := 0
	for at, c := range there {
		if !c.done {
			continue
		}
		done++
		for _, f := range c.shown() {
			named := f
			if f.Object.Namespace == c.space {
				f.Object.Namespace = "" // each context has the object in its own namespace
			}
			key := fmt.Sprintf("%s\x00%v\x00%s\x00%s\x00%s\x00%s", f.Kind, f.Object, f.Path, f.Why, f.Live, f.Stated)
			if known[key] == nil {
				order, known[key] = append(order, key), &finding{at: at, of: named}
			}
			if k := known[key]; !slices.Contains(k.all, c.name) {
				k.all = append(k.all, c.name)
			}
		}
	}
	var groups []shared
	for _, key := range order {
		f := known[key]
		i := slices.IndexFunc(groups, func(g shared) bool { return slices.Equal(g.contexts, f.all) })
		if i < 0 {
			i = len(groups)
			g := shared{f.all, there[f.at].result}
			g.Findings, g.idle, g.choice.Manager = nil, nil, ""
			groups = append(groups, g)
		}
		groups[i].Findings = append(groups[i].Findings, f.of)
	}
	slices.SortStableFunc(groups, func(a, b shared) int {
		everywhere := func(g shared) int {
			if len(g.contexts) == done {
				return 1
			}
			return 0
		}
		return everywhere(a) - everywhere(b)
	})
	return groups
}

// state says what the check of a context found, in one line.
func (c inContext) state() string {
	switch {
	case !c.done:
		return "not checked: " + strings.ReplaceAll(strings.TrimSpace(c.err.Error()), "\n", "; ")
	case c.wrong != nil:
		return c.summary() + ": " + strings.ReplaceAll(c.wrong.Error(), "\n", "; ")
	}
	return c.summary()
}

// title names the contexts of findings.
func (s shared) title(there []inContext) string {
	if len(s.contexts) == len(there) {
		return "In all contexts"
	}
	return "Only in " + strings.Join(s.contexts, ", ")
}

func textOf(there []inContext) string {
	var b strings.Builder
	for _, g := range together(there) {
		b.WriteString(plain.Text(g.title(there)) + ":\n\n")
		g.writeGroups(&b)
	}
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "CONTEXT\tRESULT")
	for _, c := range there {
		_, _ = fmt.Fprintf(t, "%s\t%s\n", plain.Text(c.name), plain.Text(c.state()))
	}
	_ = t.Flush() // a strings.Builder takes everything
	if at := slices.IndexFunc(there, func(c inContext) bool { return c.done }); at >= 0 {
		for _, sentence := range there[at].Diff.sentences() {
			b.WriteString(plain.Text(sentence) + "\n")
		}
	}
	return b.String()
}

func markdownOf(there []inContext) string {
	var b strings.Builder
	b.WriteString("| context | result |\n|---|---|\n")
	for _, c := range there {
		fmt.Fprintf(&b, "| %s | %s |\n", plain.Markdown(c.name), plain.Markdown(c.state()))
	}
	for _, g := range together(there) {
		b.WriteString("\n#### " + plain.Markdown(g.title(there)) + "\n\n")
		g.writeTable(&b)
	}
	if at := slices.IndexFunc(there, func(c inContext) bool { return c.done }); at >= 0 && there[at].Diff != nil {
		b.WriteString("\n")
		there[at].Diff.writeDiff(&b)
	}
	return b.String()
}
