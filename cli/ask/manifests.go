package ask

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/fieldmark/fieldmark/kube/source"
)

// Manifest is one document of a file or, if that is a list, its items.
type Manifest struct {
	File  string // as it was named; - is the standard input, and a folder is a kustomization
	Built bool   // from a kustomization: no file has the text
	source.Text

	raw   string
	above int // lines of the file
}

// Unread is the manifest as mere text, which takes a small part of the memory. Read reads it again.
func (m Manifest) Unread() Manifest {
	return Manifest{File: m.File, Built: m.Built, raw: m.raw, above: m.above}
}

// Read reads the text.
func (m Manifest) Read() Manifest {
	if len(strings.TrimSpace(m.raw)) > 0 {
		m.Text = source.ParseBelow(m.above, m.raw).Items()
	}
	return m
}

// Len is how long the text is, in bytes.
func (m Manifest) Len() int { return len(m.raw) }

// maxManifest is how long one document may be, in bytes.
const maxManifest = source.MaxText

// endings are those of files that are read in folders, as kubectl has them.
var endings = []string{".json", ".yaml", ".yml"}

// Manifests gives each document of the files that are meant to take, and stops at the first error of take. Files are read as far as they
// are needed, one document at a time. A file that can't be read doesn't keep the others: what was wrong is the error in the end.
func (w *Which) Manifests(ctx context.Context, stdin io.Reader, take func(Manifest) error) error {
	var wrong []error
	for _, name := range w.Files.Filenames {
		if err := w.manifestsOf(ctx, name, stdin, take); err != nil {
			if ends(ctx, err) {
				return err
			}
			wrong = append(wrong, err)
		}
	}
	if folder := w.Files.Kustomize; folder != "" {
		text, err := kustomized(folder)
		if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		wrong = append(wrong, documents(ctx, folder, bytes.NewReader(text), func(m Manifest) error {
			m.Built = true
			return take(m)
		}))
	}
	return errors.Join(wrong...)
}

func (w *Which) manifestsOf(ctx context.Context, name string, stdin io.Reader, take func(Manifest) error) error {
	switch {
	case name == "-":
		return documents(ctx, name, stdin, take)
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		return fmt.Errorf("%s: addresses are not read; fetch it first, as with curl, and give it with -f -", name)
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case err != nil:
		return fmt.Errorf("reading files: %w", err)
	case !info.IsDir():
		return file(ctx, name, take)
	}
	return w.folder(ctx, name, take)
}

func (w *Which) folder(ctx context.Context, name string, take func(Manifest) error) error {
	var wrong []error
	found := false
	err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != name && !w.Files.Recursive:
			return fs.SkipDir
		case entry.IsDir(), !slices.Contains(endings, filepath.Ext(path)):
			return nil
		}
		found = true
		if err := file(ctx, path, take); err != nil {
			if ends(ctx, err) {
				return err
			}
			wrong = append(wrong, err)
		}
		return nil
	})
	switch {
	case err != nil:
		return fmt.Errorf("reading the folder %s: %w", name, err)
	case !found:
		return fmt.Errorf("%s holds no file that ends with .yaml, .yml or .json; -R reads the folders in it as well", name)
	}
	return errors.Join(wrong...)
}

func file(ctx context.Context, name string, take func(Manifest) error) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("reading files: %w", err)
	}
	defer func() { _ = f.Close() }()
	return documents(ctx, name, f, take)
}

// stopped is an error of take, which ends the reading.
type stopped struct{ error }

func (s stopped) Unwrap() error { return s.error }

func ends(ctx context.Context, err error) bool {
	_, is := errors.AsType[stopped](err)
	return is || ctx.Err() != nil
}

// documents cuts a stream where YAML's documents end, and reads each.
func documents(ctx context.Context, name string, in io.Reader, take func(Manifest) error) error {
	r := bufio.NewReader(in)
	line, above := 0, 0
	var text bytes.Buffer
	pass := func() error {
		m := Manifest{File: name, raw: text.String(), above: above}.Read()
		text.Reset()
		if len(m.Documents) == 0 && len(m.Problems) == 0 {
			return nil
		}
		if err := take(m); err != nil {
			return stopped{err}
		}
		return ctx.Err()
	}
	for begins := true; ; {
		piece, err := r.ReadSlice('\n') // of a long line, as much as is buffered
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if whole {
			line++
		} else {
			err = nil
		}
		if begins && whole && separates(piece) {
			if err := pass(); err != nil {
				return err
			}
			above = line
		} else {
			text.Write(piece)
		}
		begins = whole
		switch {
		case text.Len() > maxManifest:
			return fmt.Errorf("%s, line %d: this document is longer than 3 MB, more than an API server takes", name, above+1)
		case errors.Is(err, io.EOF):
			return pass()
		case err != nil:
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
}

// separates tells whether a line begins a new document and holds nothing of it.
func separates(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return ok && (len(rest) == 0 || rest[0] == '#')
}

func kustomized(folder string) ([]byte, error) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
	if err != nil {
		return nil, fmt.Errorf("building the kustomization: %w", err)
	}
	text, err := built.AsYaml()
	if err != nil {
		return nil, fmt.Errorf("writing the kustomization: %w", err)
	}
	return text, nil
}

// Problem is what keeps a manifest from being read, in one line with its place; nil if nothing does.
func (m Manifest) Problem() error {
	for _, p := range m.Problems {
		if p.Severity != source.Error {
			continue
		}
		words := strings.TrimSuffix(strings.ReplaceAll(p.Message, "\n", " "), ".")
		for _, d := range m.Documents {
			if strings.Contains(d.Text, "{{") {
				words += "; it looks like a template that was not rendered ({{ … }}): render it first, as with helm template"
				break
			}
		}
		return fmt.Errorf("%s, line %d: %s", m.File, p.Start.Line, words)
	}
	return nil
}
