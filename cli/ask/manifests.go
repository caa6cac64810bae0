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

	"github.com/fieldmark/fieldmark/kube/source"
)

// Manifest is one document of a file. If that document is a List, it has the List's items, or some of them if they are many.
type Manifest struct {
	File  string // as the user named it; - is the standard input, and a folder is a kustomization
	Built bool   // from a kustomization: no file has the text
	From  string // the file that a built manifest comes from; empty if kustomize doesn't say
	source.Text

	piece source.Piece
}

// Unread is the manifest with its text alone, which needs much less memory. Read parses the text again.
func (m Manifest) Unread() Manifest {
	m.Text = source.Text{}
	return m
}

// Read parses the text.
func (m Manifest) Read() Manifest {
	m.Text = m.piece.Parse()
	return m
}

// Len is how long the text is, in bytes.
func (m Manifest) Len() int { return m.piece.Len() }

// maxManifest is how long one document may be, in bytes.
const maxManifest = source.MaxText

// endings are the names' endings of the files that are read in folders. They are the same as kubectl's.
var endings = []string{".json", ".yaml", ".yml"}

// Manifests calls take with each document of the files, and stops at the first error of take. It reads one document at a time. If a file can't be
// read, the others still are: the result joins all errors.
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
		b, err := kustomized(folder, w.place(folder), w.Remote)
		if err != nil {
			return errors.Join(append(wrong, err)...)
		}
		wrong = append(wrong, documents(ctx, folder, bytes.NewReader(b.text), func(m Manifest) error {
			m.Built = true
			if len(m.Documents) > 0 {
				m.From = b.fromAt(m.Documents[0].Start.Line)
			}
			return take(m)
		}))
	}
	return errors.Join(wrong...)
}

// place is where a named file or folder is on this disk.
func (w *Which) place(name string) string {
	if w.Place == nil {
		return name
	}
	return w.Place(name)
}

// named is the name of a file below a named folder, of which both places are known.
func (w *Which) named(folder, at, path string) string {
	if w.Place == nil {
		return path
	}
	return filepath.Join(folder, strings.TrimPrefix(path, at))
}

func (w *Which) manifestsOf(ctx context.Context, name string, stdin io.Reader, take func(Manifest) error) error {
	switch {
	case name == "-":
		return documents(ctx, name, stdin, take)
	case strings.HasPrefix(name, "http://"), strings.HasPrefix(name, "https://"):
		return fmt.Errorf("%s is a URL, and URLs are not read; download the file, for example with curl, and pass it with -f -", name)
	}
	info, err := os.Stat(w.place(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", name)
	case err != nil:
		return fmt.Errorf("reading files: %w", err)
	case !info.IsDir():
		return file(ctx, name, w.place(name), take)
	}
	return w.folder(ctx, name, take)
}

func (w *Which) folder(ctx context.Context, name string, take func(Manifest) error) error {
	var wrong []error
	found := false
	at := w.place(name)
	err := filepath.WalkDir(at, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != at && !w.Files.Recursive:
			return fs.SkipDir
		case entry.IsDir(), !slices.Contains(endings, filepath.Ext(path)):
			return nil
		}
		found = true
		if err := file(ctx, w.named(name, at, path), path, take); err != nil {
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
		return fmt.Errorf("%s has no file that ends with .yaml, .yml or .json; to read its subfolders, too, add -R", name)
	}
	return errors.Join(wrong...)
}

// file reads a file at a place on this disk.
func file(ctx context.Context, name, at string, take func(Manifest) error) error {
	f, err := os.Open(at)
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

// ManifestsIn calls take with each document of a text that is in no file, or that isn't saved yet. The name stands where that of a file would.
func ManifestsIn(ctx context.Context, name, text string, take func(Manifest) error) error {
	return documents(ctx, name, strings.NewReader(text), take)
}

// documents splits a stream into YAML documents, and reads each.
func documents(ctx context.Context, name string, in io.Reader, take func(Manifest) error) error {
	r := bufio.NewReader(in)
	line, above := 0, 0
	var text strings.Builder
	pass := func() error {
		pieces := source.Pieces(above, text.String())
		text.Reset()
		for _, p := range pieces {
			m := Manifest{File: name, piece: p}.Read()
			if len(m.Documents) == 0 && len(m.Problems) == 0 {
				continue
			}
			if err := take(m); err != nil {
				return stopped{err}
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	}
	for begins := true; ; {
		piece, err := r.ReadSlice('\n') // at most one buffer of a long line
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
			return fmt.Errorf("%s, line %d: this document is longer than 3 MB, the most that an API server accepts; split the document", name, above+1)
		case errors.Is(err, io.EOF):
			return pass()
		case err != nil:
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
}

// separates tells whether a line begins a new document and has no content.
func separates(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return ok && (len(rest) == 0 || rest[0] == '#')
}

// Problem says why the manifest can't be read, in one line with file and line number. It is nil if the manifest can be read.
func (m Manifest) Problem() error { return m.problem(func(source.Problem) bool { return false }) }

// Dropped are the problems with parts of the text that kubectl drops without a word.
func (m Manifest) Dropped() (all []error) {
	for _, p := range m.Problems {
		if p.Dropped() {
			all = append(all, fmt.Errorf("%s, line %d: %s", m.File, p.Start.Line, p.Message))
		}
	}
	return all
}

// Beyond is the first problem that belongs to no document, such as a limit beyond which nothing is read. No finding reports it.
func (m Manifest) Beyond() error {
	return m.problem(func(p source.Problem) bool { return p.Document >= 0 })
}

// unnamed tells whether a problem is only that an object has no name.
func (m Manifest) unnamed(p source.Problem) bool {
	return p.Nameless() && p.Document >= 0 && m.Documents[p.Document].APIVersion != "" && m.Documents[p.Document].Kind != ""
}

// problem is Problem, except for some.
func (m Manifest) problem(except func(source.Problem) bool) error {
	for _, p := range m.Problems {
		if p.Severity != source.Error || except(p) {
			continue
		}
		words := strings.TrimSuffix(strings.ReplaceAll(p.Message, "\n", " "), ".")
		for _, d := range m.Documents {
			if strings.Contains(d.Text, "{{") {
				words += "; the file looks like a template ({{ … }}), so render it first, for example with helm template"
				break
			}
		}
		return fmt.Errorf("%s, line %d: %s", m.File, p.Start.Line, words)
	}
	return nil
}
