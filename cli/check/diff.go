package check

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/check/revisions"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/plain"
	"github.com/fieldmark/fieldmark/words"
)

// Diff is what -o json adds if only the changes between two revisions are checked.
type Diff struct {
	Range     string    `json:"range"`
	Unchanged int       `json:"unchanged"` // documents that both revisions have; they are not checked
	Removed   []Removed `json:"removed"`
	// Note says why the documents of the first revision are not known; empty: they are.
	Note string `json:"note,omitempty"`
}

// Removed is an object that only the first revision has.
type Removed struct {
	Object check.Object `json:"object"`
	File   string       `json:"file"`
}

// diff is what a branch had before, and where its files are now.
type diff struct {
	name  string
	which ask.Which      // the files of the second revision
	known map[string]int // how many documents the first revision has, by content
	had   []Removed      // its objects
	note  string
}

// diffOf reads the revisions that --diff names. The caller removes the folder temp.
func (o options) diffOf(ctx context.Context, temp string) (*diff, error) {
	between, err := revisions.Find(ctx, ".", o.diff)
	if err != nil {
		return nil, fmt.Errorf("--diff: %w", err)
	}
	names, err := o.inRepository(between)
	if err != nil {
		return nil, fmt.Errorf("--diff: %w", err)
	}
	before, err := between.Tree(ctx, temp, between.Base, names)
	if err != nil {
		return nil, fmt.Errorf("--diff: %w", err)
	}
	var after revisions.Tree // the work tree
	if between.Head != "" {
		if after, err = between.Tree(ctx, temp, between.Head, names); err != nil {
			return nil, fmt.Errorf("--diff: %w", err)
		}
	}
	d := &diff{name: o.diff, which: o.in(after, before), known: map[string]int{}}
	if between.Head == "" {
		d.which.Place = nil
	}
	first := o.which
	first.Place = before.Place
	return d, d.readBase(ctx, first)
}

// inRepository are the files of the repository that must be read; nil: all.
func (o options) inRepository(between revisions.Range) (names []string, err error) {
	if o.which.Files.Kustomize != "" {
		_, err = between.Inside(o.which.Files.Kustomize) // a kustomization may name any file
		return nil, err
	}
	for _, given := range o.which.Files.Filenames {
		inside, err := between.Inside(given)
		if err != nil {
			return nil, err
		}
		if inside == "." {
			return nil, nil
		}
		beside, err := between.Inside(filepath.Join(filepath.Dir(given), check.RulesFile))
		if err != nil {
			return nil, err
		}
		names = append(names, inside, beside)
	}
	return names, nil
}

// in is which files a tree has. What neither it nor the other tree has stays, so that its absence is told.
func (o options) in(tree, other revisions.Tree) ask.Which {
	w := o.which
	w.Place = tree.Place
	gone := func(name string) bool { return !tree.Has(name) && other.Has(name) }
	w.Files.Filenames = slices.DeleteFunc(slices.Clone(w.Files.Filenames), gone)
	if gone(w.Files.Kustomize) {
		w.Files.Kustomize = ""
	}
	return w
}

// readBase reads the documents of the first revision. If one of its files can't be read, that is no error of the branch, which may correct it.
func (d *diff) readBase(ctx context.Context, which ask.Which) error {
	which.Files.Filenames = slices.DeleteFunc(slices.Clone(which.Files.Filenames), func(name string) bool { return missing(which.Place(name)) })
	if which.Files.Kustomize != "" && missing(which.Place(which.Files.Kustomize)) {
		which.Files.Kustomize = ""
	}
	size := 0
	err := which.Manifests(ctx, strings.NewReader(""), func(m ask.Manifest) error {
		if filepath.Base(m.File) == check.RulesFile {
			return nil
		}
		if size += m.Len(); size > maxText {
			return errTooLong
		}
		for i, one := range m.Documents {
			d.known[contentOf(m, i)]++
			if one.Name != "" && one.Kind != "" {
				of := check.Document{File: m.File, From: m.From, Built: m.Built, Source: one}
				d.had = append(d.had, Removed{Object: of.Object(), File: of.At()})
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, errTooLong), ctx.Err() != nil:
		return err
	case err != nil:
		d.note = err.Error()
	}
	return nil
}

func missing(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, os.ErrNotExist)
}

// contentOf is the same for two documents with the same values, wherever they are. A document with problems is compared as text.
func contentOf(m ask.Manifest, i int) string {
	d := m.Documents[i]
	text := []byte(strings.TrimSpace(d.Text))
	for _, p := range m.Problems {
		if p.Document == i {
			return digest("text", text)
		}
	}
	value, err := d.JSON()
	if err != nil || d.Root == nil {
		return digest("text", text)
	}
	return digest("value", value)
}

func digest(kind string, content []byte) string {
	sum := sha256.Sum256(append([]byte(kind+"\x00"), content...))
	return string(sum[:])
}

// changes compares the second revision with the first, in one cluster.
type changes struct {
	*diff
	left      map[string]int // documents of the first revision that the second one can still have
	has       map[string]bool
	namespace string
	unchanged int
}

// changes begins a comparison; nil: all documents are checked.
func (d *diff) changes(namespace string) *changes {
	if d == nil {
		return nil
	}
	c := &changes{diff: d, left: map[string]int{}, has: map[string]bool{}, namespace: namespace}
	for content, n := range d.known {
		c.left[content] = n
	}
	return c
}

// judged tells which documents of a manifest are to be checked.
func (c *changes) judged(m ask.Manifest) []bool {
	all := make([]bool, len(m.Documents))
	for i, d := range m.Documents {
		all[i] = true
		if c == nil {
			continue
		}
		c.has[c.key(check.Document{Source: d}.Object())] = true
		if content := contentOf(m, i); c.left[content] > 0 {
			c.left[content]--
			c.unchanged++
			all[i] = false
		}
	}
	return all
}

// key is the same for an object in all versions of its API.
func (c *changes) key(o check.Object) string {
	if o.Namespace == "" {
		o.Namespace = c.namespace
	}
	group, _, named := strings.Cut(o.APIVersion, "/")
	if !named {
		group = ""
	}
	return strings.Join([]string{group, o.Kind, o.Namespace, o.Name}, "\x00")
}

// result is what is told about the comparison; nil: there was none.
func (c *changes) result() *Diff {
	if c == nil {
		return nil
	}
	r := &Diff{Range: c.name, Unchanged: c.unchanged, Removed: []Removed{}, Note: c.note}
	for _, had := range c.had {
		if !c.has[c.key(had.Object)] {
			r.Removed = append(r.Removed, had)
		}
	}
	return r
}

// sentences say what is not checked, and what is left behind. Each is one line.
func (d *Diff) sentences() (all []string) {
	if d == nil {
		return nil
	}
	if d.Note != "" {
		all = append(all, fmt.Sprintf("The documents of the first revision of %s are not all known, so more documents are checked than it changes: %s", d.Range, d.Note))
	}
	for _, r := range d.Removed {
		all = append(all, fmt.Sprintf("%s (%s) is not in the manifests after %s. An apply deletes nothing: the object stays in the cluster until you, or a tool that prunes, delete it.", plain.Object(r.Object.Kind, r.Object.Namespace, r.Object.Name), r.File, d.Range))
	}
	if d.Unchanged > 0 {
		all = append(all, fmt.Sprintf("%s didn't change in %s. Not checked.", words.Count(int64(d.Unchanged), "document", "documents"), d.Range))
	}
	return all
}

// begin reads what the flags name before a cluster is asked. The caller calls end.
func (o *options) begin(ctx context.Context) (end func(), err error) {
	end = func() {}
	if o.before, err = o.readBaseline(); err != nil || o.diff == "" {
		return end, err
	}
	temp, err := os.MkdirTemp("", "fieldmark-diff-")
	if err != nil {
		return end, fmt.Errorf("making a temporary folder: %w", err)
	}
	end = func() { _ = os.RemoveAll(temp) }
	if o.changed, err = o.diffOf(ctx, temp); err == nil {
		o.which = o.changed.which
	}
	return end, err
}

// writeDiff writes what is told about a comparison as a list of Markdown.
func (d *Diff) writeDiff(out io.StringWriter) {
	for _, sentence := range d.sentences() {
		_, _ = out.WriteString("- " + plain.Markdown(sentence) + "\n") // a strings.Builder takes everything
	}
}
