package blame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/output"
	"github.com/fieldmark/fieldmark/kube/ownership"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// inContext is what one context has.
type inContext struct {
	name   string
	space  string // the namespace that the context uses if the user names none
	all    []Written
	err    error
	warned bytes.Buffer
}

// blameContexts reads the objects in several contexts, and compares them.
func (o options) blameContexts(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, args []string) error {
	names, err := cluster.Matching(ctx, o.contexts)
	if err != nil {
		return err
	}
	there := make([]inContext, len(names))
	cluster.Several(ctx, names, func(at int, one *ask.Cluster, err error) {
		c := &there[at]
		if c.name, c.err = names[at], err; err == nil {
			c.space, _, _ = one.Namespace() // collect returns the error
			c.all, c.err = o.collect(ctx, one, genericiooptions.IOStreams{ErrOut: &c.warned}, args)
		}
	})
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("reading objects: %w", err)
	}
	var wrong []error
	found := false
	for i := range there {
		c := &there[i]
		for line := range strings.Lines(c.warned.String()) {
			_, _ = fmt.Fprintf(streams.ErrOut, "%s: %s", plain.Text(c.name), line)
		}
		found = found || len(c.all) > 0
		if c.err != nil && !apierrors.IsNotFound(c.err) {
			wrong = append(wrong, fmt.Errorf("context %s: %w", c.name, c.err))
		}
	}
	if !found && len(wrong) == 0 {
		return errors.New("no context has the objects")
	}
	compared := o.compare(there)
	return errors.Join(append([]error{compared.print(streams.Out, o.output)}, wrong...)...)
}

// Contexts is what -o json and -o yaml print for several contexts.
type Contexts struct {
	APIVersion  string       `json:"apiVersion"`
	Kind        string       `json:"kind"` // BlameContexts
	Differences []Difference `json:"differences"`
	Contexts    []Context    `json:"contexts"`
}

// Context is one context, with its objects, or with the reason why it has none.
type Context struct {
	Context string     `json:"context"`
	Error   string     `json:"error,omitempty"`
	Items   []Document `json:"items"`
}

// Difference is a field of an object whose value or owners aren't the same in all contexts that have the object.
type Difference struct {
	Kind      string  `json:"kind"`
	Namespace string  `json:"namespace"`
	Name      string  `json:"name"`
	Path      string  `json:"path"` // empty: some contexts don't have the object
	Values    []Value `json:"values"`
}

// Value is what some contexts have.
type Value struct {
	Contexts []string `json:"contexts"`
	Absent   bool     `json:"absent,omitempty"` // they don't have the field, or the object
	Text     string   `json:"text"`
	Owners   []string `json:"owners"`
}

// subject names an object in any context.
type subject struct{ kind, namespace, name string }

// unlike are fields whose values the API server of each cluster makes. They differ between any two clusters.
var unlike = []string{".metadata.uid", ".metadata.resourceVersion", ".metadata.creationTimestamp", ".metadata.generation"}

// compare finds the differences between contexts. If the user named a field, the field is there even if it is the same.
func (o options) compare(there []inContext) Contexts {
	result := Contexts{APIVersion: APIVersion, Kind: "BlameContexts", Differences: []Difference{}}
	var spaces []string // of the contexts that responded
	for _, c := range there {
		if c.space != "" && !slices.Contains(spaces, c.space) {
			spaces = append(spaces, c.space)
		}
	}
	var order []subject
	in := map[subject]map[string][]Line{}
	var read []string
	for _, c := range there {
		one := Context{Context: c.name, Items: []Document{}}
		if c.err != nil {
			one.Error = c.err.Error()
		}
		if c.err == nil || apierrors.IsNotFound(c.err) {
			read = append(read, c.name)
		}
		for _, w := range c.all {
			lines := w.Lines
			if o.field != "" {
				var err error
				if lines, err = w.At(o.field); err != nil {
					lines = nil // the other contexts may have the field
				}
			}
			one.Items = append(one.Items, documentOf(w, lines))
			of := subject{w.Object.Kind(), w.Object.Meta("namespace"), w.Object.Meta("name")}
			if len(spaces) > 1 && of.namespace == c.space {
				of.namespace = "" // each context has the object in its own namespace
			}
			if in[of] == nil {
				order, in[of] = append(order, of), map[string][]Line{}
			}
			in[of][c.name] = lines
		}
		result.Contexts = append(result.Contexts, one)
	}
	for _, of := range order {
		result.Differences = append(result.Differences, differences(of, read, in[of], o.field != "")...)
	}
	return result
}

// differences are the differing fields of one object. Contexts without the object come first.
func differences(of subject, read []string, in map[string][]Line, all bool) []Difference {
	var found []Difference
	add := func(path string, values []Value) {
		if len(values) > 1 || all && path != "" {
			found = append(found, Difference{Kind: of.kind, Namespace: of.namespace, Name: of.name, Path: path, Values: values})
		}
	}
	var have []string
	var there []Value
	for _, name := range read {
		_, has := in[name]
		if has {
			have = append(have, name)
		}
		there = join(there, name, Value{Absent: !has, Owners: []string{}})
	}
	add("", there)
	fields := map[string]map[string]Value{}
	var paths []string
	for _, name := range have {
		for path, v := range valuesOf(in[name]) {
			if fields[path] == nil {
				fields[path] = map[string]Value{}
				paths = append(paths, path)
			}
			fields[path][name] = v
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		if !all && (slices.Contains(unlike, path) || of.namespace == "" && path == ".metadata.namespace" || path == ".status" || strings.HasPrefix(path, ".status.")) {
			continue
		}
		var values []Value
		for _, name := range have {
			v, has := fields[path][name]
			v.Absent = !has
			values = join(values, name, v)
		}
		add(path, values)
	}
	return found
}

// join adds a context to the value that it has.
func join(values []Value, name string, v Value) []Value {
	for i, known := range values {
		if known.Absent == v.Absent && known.Text == v.Text && slices.Equal(known.Owners, v.Owners) {
			values[i].Contexts = append(values[i].Contexts, name)
			return values
		}
	}
	v.Contexts = []string{name}
	if v.Owners == nil {
		v.Owners = []string{}
	}
	return append(values, v)
}

// valuesOf are the values of an object's fields, by path, with their owners. What only begins a map or a list isn't one.
func valuesOf(lines []Line) map[string]Value {
	all := map[string]Value{}
	last := ""
	for _, l := range lines {
		text := strings.TrimPrefix(strings.TrimSpace(l.Text), "- ")
		switch {
		case l.Path == "" && last != "":
			v := all[last]
			v.Text += "\n" + l.Text
			all[last] = v
		case l.Path != "" && (len(l.Owners) > 0 || l.Nobody):
			last = l.Path
			all[last] = Value{Text: text, Owners: named(l)}
		default:
			last = ""
		}
	}
	return all
}

// named are the owners of a line without their times, which differ between any two clusters.
func named(l Line) []string {
	all := []string{}
	for _, o := range l.Owners {
		all = append(all, ownership.Owner.Words(o))
	}
	slices.Sort(all)
	if len(all) == 0 && l.Default {
		return []string{"by default"}
	}
	return all
}

// print writes what was compared: the differences first, and then a table of the contexts.
func (c Contexts) print(out io.Writer, format string) error {
	switch format {
	case "json":
		return output.JSON(out, c)
	case "yaml":
		return output.YAML(out, c)
	case "markdown":
		return output.Text(out, c.markdown())
	}
	return output.Text(out, c.text())
}

func (c Contexts) text() string {
	var b strings.Builder
	last := ""
	for _, d := range c.Differences {
		if name := plain.Object(d.Kind, d.Namespace, d.Name); name != last {
			last = name
			b.WriteString(name + "\n")
		}
		if d.Path != "" {
			b.WriteString("  " + plain.Text(d.Path) + "\n")
		}
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, v := range d.Values {
			_, _ = fmt.Fprintf(t, "    %s\t%s\n", plain.Text(strings.Join(v.Contexts, ", ")), strings.Replace(plain.Text(v.words(d.Path)), arrow, "\t"+arrow, 1))
		}
		_ = t.Flush() // a strings.Builder takes everything
	}
	if len(c.Differences) == 0 {
		b.WriteString("The fields are the same in all contexts that responded.\n")
	}
	b.WriteString("\n")
	t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "CONTEXT\tSTATE")
	for _, one := range c.Contexts {
		_, _ = fmt.Fprintf(t, "%s\t%s\n", plain.Text(one.Context), plain.Text(one.state()))
	}
	_ = t.Flush()
	return b.String()
}

// arrow is between a value and its owners.
const arrow = " ← "

// words are the value and its owners, in one line.
func (v Value) words(path string) string {
	switch {
	case v.Absent:
		return "not there"
	case path == "":
		return "there"
	}
	who := "nobody"
	if len(v.Owners) > 0 {
		who = strings.Join(v.Owners, ", ")
	}
	first, rest, more := strings.Cut(v.Text, "\n")
	if more {
		first += fmt.Sprintf(" … (%s)", words.Count(int64(strings.Count(rest, "\n")+1), "more line", "more lines"))
	}
	return first + arrow + who
}

// state says what a context responded.
func (c Context) state() string {
	if len(c.Items) > 0 || c.Error == "" {
		read := words.Count(int64(len(c.Items)), "object", "objects")
		if c.Error != "" {
			read += "; " + c.Error
		}
		return read
	}
	return c.Error
}

func (c Contexts) markdown() string {
	var b strings.Builder
	b.WriteString("| object | field | contexts | value and owners |\n|---|---|---|---|\n")
	for _, d := range c.Differences {
		for _, v := range d.Values {
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", plain.Markdown(plain.Object(d.Kind, d.Namespace, d.Name)), plain.Markdown(d.Path), plain.Markdown(strings.Join(v.Contexts, ", ")), plain.Markdown(v.words(d.Path)))
		}
	}
	b.WriteString("\n| context | state |\n|---|---|\n")
	for _, one := range c.Contexts {
		fmt.Fprintf(&b, "| %s | %s |\n", plain.Markdown(one.Context), plain.Markdown(one.state()))
	}
	return b.String()
}
