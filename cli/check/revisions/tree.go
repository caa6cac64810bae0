package revisions

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// maxBytes is how many bytes of one revision are read.
const maxBytes = 512 << 20

// Tree is the files of one revision, in a folder.
type Tree struct {
	folder string
	of     Range
}

// Tree writes files of a commit to a new folder below temp. The names are those of files or folders in the repository; without names, it writes all files.
func (r Range) Tree(ctx context.Context, temp, commit string, names []string) (Tree, error) {
	folder, err := os.MkdirTemp(temp, "revision-")
	if err != nil {
		return Tree{}, fmt.Errorf("making a temporary folder: %w", err)
	}
	files, err := r.files(ctx, commit, names)
	if err == nil && len(names) > 0 && slices.ContainsFunc(files, func(f entry) bool { return f.link }) {
		files, err = r.files(ctx, commit, nil) // a link can lead anywhere
	}
	if err != nil {
		return Tree{}, err
	}
	var wanted strings.Builder
	for _, f := range files {
		wanted.WriteString(f.id + "\n")
	}
	content, err := r.run(ctx, wanted.String(), "cat-file", "--batch")
	if err != nil {
		return Tree{}, fmt.Errorf("reading the files of %s: %w", commit, err)
	}
	in := bufio.NewReader(bytes.NewReader(content))
	for _, f := range files {
		if err := f.write(folder, in); err != nil {
			return Tree{}, fmt.Errorf("writing %s of %s to a temporary folder: %w", f.name, commit, err)
		}
	}
	return Tree{folder: folder, of: r}, nil
}

func (r Range) files(ctx context.Context, commit string, names []string) ([]entry, error) {
	list, err := r.run(ctx, "", append([]string{"ls-tree", "-r", "-l", "-z", "--full-tree", commit, "--"}, names...)...)
	if err != nil {
		return nil, fmt.Errorf("listing the files of %s: %w", commit, err)
	}
	return entries(list)
}

// entry is a file of a revision.
type entry struct {
	id, name string
	link     bool
}

// entries reads the output of git ls-tree -l -z. Repositories inside of the repository are left out: git doesn't have their files.
func entries(list []byte) (files []entry, err error) {
	total := int64(0)
	for line := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		head, name, found := strings.Cut(line, "\t")
		words := strings.Fields(head) // mode, type, id, size
		if !found || len(words) != 4 || words[1] != "blob" {
			continue
		}
		size, err := strconv.ParseInt(words[3], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git prints %q as the size of %s", words[3], name)
		}
		if total += size; total > maxBytes {
			return nil, fmt.Errorf("the revision has more than %d MB; name fewer files with -f", maxBytes>>20)
		}
		files = append(files, entry{id: words[2], name: name, link: words[0] == "120000"})
	}
	return files, nil
}

// write writes the next file of git cat-file --batch below a folder.
func (e entry) write(folder string, in *bufio.Reader) error {
	head, err := in.ReadString('\n')
	if err != nil {
		return fmt.Errorf("reading what git prints: %w", err)
	}
	words := strings.Fields(head) // id, type, size
	if len(words) != 3 {
		return fmt.Errorf("git doesn't have its content (%s)", strings.TrimSpace(head))
	}
	size, err := strconv.Atoi(words[2])
	if err != nil {
		return fmt.Errorf("git prints %q as its size", words[2])
	}
	content := make([]byte, size+1) // a line break ends it
	if _, err := io.ReadFull(in, content); err != nil {
		return fmt.Errorf("reading what git prints: %w", err)
	}
	if !filepath.IsLocal(filepath.FromSlash(e.name)) {
		return errors.New("its name leads out of the repository")
	}
	place := filepath.Join(folder, filepath.FromSlash(e.name))
	if err := os.MkdirAll(filepath.Dir(place), 0o700); err != nil {
		return fmt.Errorf("making its folder: %w", err)
	}
	if !e.link {
		return os.WriteFile(place, content[:size], 0o600) //nolint:wrapcheck // Tree says which file
	}
	if !staysInside(e.name, string(content[:size])) {
		return nil // what the link leads to is no part of the revision
	}
	return os.Symlink(filepath.FromSlash(string(content[:size])), place) //nolint:wrapcheck // Tree says which file
}

// staysInside tells whether a symbolic link surely leads to a file of the repository. Steps up are allowed only at the beginning of the target: after the
// name of another link, they could lead out.
func staysInside(name, target string) bool {
	rest := target
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	for step := range strings.SplitSeq(rest, "/") {
		if step == ".." {
			return false
		}
	}
	return !path.IsAbs(target) && filepath.IsLocal(filepath.FromSlash(path.Join(path.Dir(name), target)))
}

// Place is where a file of the tree is on this disk. The name is relative to the folder of the range, or absolute.
func (t Tree) Place(name string) string {
	if t.folder == "" {
		return name
	}
	inside, err := t.of.Inside(name)
	if err != nil {
		inside = path.Join("outside", name)
	}
	return filepath.Join(t.folder, filepath.FromSlash(inside))
}

// Has tells whether the tree has a file or folder.
func (t Tree) Has(name string) bool {
	_, err := os.Stat(t.Place(name))
	return err == nil
}
