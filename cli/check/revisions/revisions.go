// Package revisions reads the files of revisions from git. It never touches the work tree.
//
//	BASE..HEAD ──▶ git rev-parse: two commits ──▶ git ls-tree, git cat-file ──▶ a temporary folder for each
//
// git archive isn't used: the attributes of a repository can hide files from it.
package revisions

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Range is two versions of the files of a repository.
type Range struct {
	Name string // as the user wrote it
	// Base and Head are commits. An empty Head is the work tree.
	Base, Head string

	top    string // the folder of the work tree
	folder string // where the names of files begin
}

// Find reads which revisions a range names: BASE..HEAD, BASE...HEAD (from the merge base), or BASE alone, which is compared with the work tree.
func Find(ctx context.Context, folder, name string) (Range, error) {
	r := Range{Name: name}
	var err error
	if r.folder, err = filepath.Abs(folder); err == nil {
		r.folder, err = filepath.EvalSymlinks(r.folder)
	}
	if err != nil {
		return r, fmt.Errorf("finding the folder: %w", err)
	}
	if _, err = exec.LookPath("git"); err != nil {
		return r, errors.New("the program git is not on the PATH; install git, or check without --diff")
	}
	top, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return r, fmt.Errorf("%s is in no work tree of git: %w; run the check in a clone", folder, err)
	}
	r.top = filepath.FromSlash(top)
	base, head, merge := strings.Cut(name, "...")
	two := merge
	if !merge {
		base, head, two = strings.Cut(name, "..")
	}
	if r.Base, err = r.commit(ctx, base); err != nil || !two {
		return r, err
	}
	if r.Head, err = r.commit(ctx, head); err != nil || !merge {
		return r, err
	}
	if r.Base, err = r.git(ctx, "merge-base", r.Base, r.Head); err != nil {
		return r, fmt.Errorf("%s and %s have no common commit. %s", shown(base), shown(head), r.hint(ctx))
	}
	return r, nil
}

// shown names a revision; without a name, it is HEAD, as in git.
func shown(name string) string {
	if name == "" {
		return "HEAD"
	}
	return name
}

func (r Range) commit(ctx context.Context, name string) (string, error) {
	commit, err := r.git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", shown(name)+"^{commit}")
	if err != nil {
		return "", fmt.Errorf("git doesn't know the revision %q. %s", shown(name), r.hint(ctx))
	}
	return commit, nil
}

// hint says what to do if a revision is missing.
func (r Range) hint(ctx context.Context) string {
	if is, err := r.git(ctx, "rev-parse", "--is-shallow-repository"); err == nil && is == "true" {
		return "This clone is shallow: give actions/checkout fetch-depth: 0, set GIT_DEPTH to 0 in GitLab, or run git fetch --unshallow"
	}
	return "Fetch it, for example with git fetch origin, or correct the name"
}

// git is what git prints, without the last line break.
func (r Range) git(ctx context.Context, args ...string) (string, error) {
	out, err := r.run(ctx, "", args...)
	return strings.TrimSuffix(string(out), "\n"), err
}

// run runs git. Names of files in its arguments have no wildcards.
func (r Range) run(ctx context.Context, stdin string, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-C", r.folder}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	c.Stdin = strings.NewReader(stdin)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && errs.Len() > 0:
		first, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
		return nil, errors.New(first)
	case err != nil:
		return nil, fmt.Errorf("running git: %w", err)
	}
	return out, nil
}

// Inside is a file's name in the repository, with slashes. A name outside of the repository is an error.
func (r Range) Inside(name string) (string, error) {
	whole := filepath.Join(r.folder, name)
	if filepath.IsAbs(name) {
		whole = filepath.Clean(name)
		if folder, err := filepath.EvalSymlinks(filepath.Dir(whole)); err == nil { // git says where the work tree really is
			whole = filepath.Join(folder, filepath.Base(whole))
		}
	}
	inside, err := filepath.Rel(r.top, whole)
	if err != nil || !filepath.IsLocal(inside) {
		return "", fmt.Errorf("%s is not in the repository %s, so its revisions can't be compared", name, r.top)
	}
	return filepath.ToSlash(inside), nil
}
