package revisions

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// repository is a folder with a real repository.
type repository struct {
	*testing.T
	folder string
}

func begin(t *testing.T) repository {
	t.Helper()
	r := repository{t, t.TempDir()}
	r.git("init", "--quiet", "--initial-branch=main", "--template=")
	return r
}

func (r repository) git(args ...string) string {
	r.Helper()
	c := exec.CommandContext(r.Context(), "git", append([]string{"-C", r.folder, "-c", "user.name=ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r repository) commit(files map[string]string) string {
	r.Helper()
	for name, text := range files {
		path := filepath.Join(r.folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			r.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			r.Fatal(err)
		}
	}
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "-m", "a change")
	return r.git("rev-parse", "HEAD")
}

func TestRangesAreThoseOfGit(t *testing.T) {
	r := begin(t)
	first := r.commit(map[string]string{"a.yaml": "a: 1\n"})
	r.git("checkout", "--quiet", "-b", "mine")
	mine := r.commit(map[string]string{"b.yaml": "b: 1\n"})
	r.git("checkout", "--quiet", "main")
	main := r.commit(map[string]string{"c.yaml": "c: 1\n"})
	r.git("checkout", "--quiet", "--orphan", "alone")
	r.commit(nil)
	r.git("checkout", "--quiet", "mine")
	for name, want := range map[string][2]string{
		"main..mine": {main, mine}, "main...mine": {first, mine}, "main..": {main, mine}, "..main": {mine, main}, "main": {main, ""}, "HEAD~1..HEAD": {first, mine},
	} {
		if got, err := Find(t.Context(), r.folder, name); err != nil || got.Base != want[0] || got.Head != want[1] {
			t.Errorf("%s is %+v, %v", name, got, err)
		}
	}
	for name, want := range map[string]string{
		"gone..mine": `git doesn't know the revision "gone". Fetch it`, "main..gone": `"gone"`, "alone...mine": "no common commit", "--output=x..mine": `"--output=x"`,
	} {
		if _, err := Find(t.Context(), r.folder, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Find(t.Context(), t.TempDir(), "main"); err == nil || !strings.Contains(err.Error(), "in no work tree of git") {
		t.Error(err)
	}
	shallow := repository{t, filepath.Join(t.TempDir(), "clone")}
	r.git("clone", "--quiet", "--depth=1", "file://"+r.folder, shallow.folder)
	if _, err := Find(t.Context(), shallow.folder, "HEAD~1..HEAD"); err == nil || !strings.Contains(err.Error(), "fetch-depth: 0") || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(t.Context(), r.folder, "main"); err == nil || !strings.Contains(err.Error(), "install git") {
		t.Error(err)
	}
}

// A tree has the files of its commit: also those that the attributes hide from an archive, and none that a link brings in from outside.
func TestATreeIsItsCommit(t *testing.T) {
	r := begin(t)
	r.commit(map[string]string{"m/a.yaml": "a: 1\n", "m/two words.yaml": "", "m/hidden.yaml": "h: 1\r\n", "other/b.yaml": "b: 1\n", ".gitattributes": "hidden.yaml export-ignore\n* text=auto\n", "glob/*.yaml": "g: 1\n"})
	for name, target := range map[string]string{"m/link.yaml": "../other/b.yaml", "m/out.yaml": "../../secret", "m/rooted.yaml": "/etc/hostname", "m/twice.yaml": "../m/../../secret"} {
		if err := os.Symlink(target, filepath.Join(r.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	commit := r.commit(nil)
	before := r.git("status", "--porcelain")
	r.commit(map[string]string{"m/a.yaml": "a: 2\n"})
	of, err := Find(t.Context(), r.folder, commit+"..HEAD")
	if err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {"m"}} {
		tree, err := of.Tree(t.Context(), t.TempDir(), commit, names)
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{"m/a.yaml": "a: 1\n", "m/two words.yaml": "", "m/hidden.yaml": "h: 1\n", "m/link.yaml": "b: 1\n"} {
			if got, err := os.ReadFile(tree.Place(name)); err != nil || string(got) != want {
				t.Errorf("%v: %s is %q, %v", names, name, got, err)
			}
		}
		for _, name := range []string{"m/out.yaml", "m/rooted.yaml", "m/twice.yaml", "none"} {
			if tree.Has(name) {
				t.Errorf("%v: the tree has %s", names, name)
			}
		}
		if absolute := filepath.Join(r.folder, "m", "a.yaml"); tree.Place(absolute) != tree.Place("m/a.yaml") {
			t.Errorf("%s is at %s", absolute, tree.Place(absolute))
		}
	}
	only, err := of.Tree(t.Context(), t.TempDir(), commit, []string{"glob/*.yaml"})
	if err != nil || !only.Has("glob/*.yaml") || only.Has("m/a.yaml") {
		t.Error("names have no wildcards", err)
	}
	if after := r.git("status", "--porcelain"); after != before {
		t.Errorf("the work tree was %q and is %q", before, after)
	}
	for _, name := range []string{"..", "/etc/hostname", "m/../../x"} {
		if got, err := of.Inside(name); err == nil {
			t.Errorf("%s is %s", name, got)
		}
	}
}

func FuzzLinksStayInside(f *testing.F) {
	f.Add("a/b", "../c")
	f.Add("a/b/c", "../../../x")
	f.Add("a", "b/../../c")
	f.Fuzz(func(t *testing.T, name, target string) {
		if !filepath.IsLocal(name) || !staysInside(name, target) {
			return
		}
		if at := path.Join("/top", filepath.ToSlash(filepath.Dir(name)), target); at != "/top" && !strings.HasPrefix(at, "/top/") {
			t.Errorf("%q in %q leads to %s", target, name, at)
		}
	})
}
