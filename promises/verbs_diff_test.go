package promises

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fieldmark/fieldmark/cli/check"
	"github.com/fieldmark/fieldmark/cli/schematest"
)

// branch is a repository in the working folder, with a commit for each call of commit.
func branch(t *testing.T) (commit func(files map[string]string)) {
	t.Helper()
	t.Chdir(t.TempDir())
	git := func(args ...string) {
		t.Helper()
		c := exec.CommandContext(t.Context(), "git", append([]string{"-c", "user.name=ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"}, args...)...)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "--quiet", "--initial-branch=main", "--template=")
	return func(files map[string]string) {
		t.Helper()
		for name, text := range files {
			fine(t, os.MkdirAll(filepath.Dir(name), 0o700))
			if text == "" {
				fine(t, os.Remove(name))
				continue
			}
			fine(t, os.WriteFile(name, []byte(text), 0o600))
		}
		git("add", "--all")
		git("commit", "--quiet", "-m", "a change")
	}
}

// Only documents that a branch changes are checked, at the lines where it has them.
func TestVerbsCheckOnlyWhatABranchChanges(t *testing.T) {
	file := severalContexts(t)
	applyAs(t, "test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: branch}\n")
	object := func(name, color string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + ", namespace: branch}\ndata: {color: " + color + "}\n"
	}
	for _, name := range []string{"one", "two", "three"} {
		applyAs(t, "ada", object(name, "green"))
	}
	here, err := os.Getwd()
	fine(t, err)
	commit := branch(t)
	commit(map[string]string{
		"base/one.yaml": object("one", "red"), "base/two.yaml": object("two", "red"), "base/kustomization.yaml": "resources: [one.yaml, two.yaml]\n",
		"m/one.yaml": object("one", "red"), "m/two.yaml": object("two", "red"), "m/deep/three.yaml": object("three", "red"), "over/kustomization.yaml": "resources: [../base]\n",
	})
	moved := "# a comment\n---\n" + object("two", "blue") + "---\n# moved\n" + object("one", "red")
	commit(map[string]string{"m/one.yaml": "", "m/two.yaml": moved, "m/deep/three.yaml": "", "base/two.yaml": object("two", "blue")})
	run := func(want int, args ...string) (out, errs string) {
		t.Helper()
		code, out, errs := onInput(t, "", file, append([]string{"check", "--manager", "ben"}, args...)...)
		if code != want {
			t.Errorf("%v: exit code %d, and not %d\n%s%s", args, code, want, out, errs)
		}
		return out, errs
	}
	for _, between := range []string{"HEAD~1..HEAD", "HEAD~1...HEAD", "HEAD~1"} {
		out, _ := run(1, "-R", "-f", "m", "--diff", between)
		contains(t, out, "m/two.yaml:6", "1 document: 1 conflict", "ConfigMap branch/three (m/deep/three.yaml:2) is not in the manifests", "1 document didn't change")
		if strings.Contains(out, "branch/one") {
			t.Errorf("what didn't change is checked:\n%s", out)
		}
	}
	out, _ := run(1, "-k", "over", "--diff", "HEAD~1..HEAD", "-o", "json")
	report := out
	var r check.Report
	fine(t, json.Unmarshal([]byte(out), &r))
	if r.Documents != 1 || r.Diff.Unchanged != 1 || len(r.Diff.Removed) != 0 || r.Findings[0].Object.Name != "two" || r.Findings[0].File != "base/two.yaml" {
		t.Errorf("%+v", r)
	}
	for _, format := range []string{"yaml", "markdown", "sarif"} {
		out, _ := run(1, "-R", "-f", "m", "--diff", "HEAD~1..HEAD", "-o", format)
		contains(t, out, "two", "three")
	}
	out, _ = run(1, "-R", "-f", "m", "--diff", "HEAD~1..HEAD", "--contexts", "several-a,several-b")
	contains(t, out, "In all contexts", "1 document didn't change")
	stored, _ := run(1, "-R", "-f", "m", "-o", "json")
	fine(t, os.WriteFile("baseline.json", []byte(stored), 0o600))
	out, _ = run(0, "-R", "-f", "m", "--diff", "HEAD~1..HEAD", "--baseline", "baseline.json")
	contains(t, out, "1 document: nothing to report; 1 expected")
	out, _ = run(0, "-R", "-f", "m", "--diff", "HEAD..HEAD")
	contains(t, out, "0 documents: nothing to report", "2 documents didn't change")
	refusesDiffs(t, file)
	t.Chdir(here)
	schematest.Valid(t, "check.v1.json", []byte(report))
}

// refusesDiffs holds check to what it says of files and revisions that can't be compared.
func refusesDiffs(t *testing.T, file string) {
	t.Helper()
	for want, args := range map[string][]string{
		"standard input":             {"-f", "-", "--diff", "HEAD~1"},
		"doesn't know the revision":  {"-f", "m", "--diff", "gone..HEAD"},
		"is not in the repository":   {"-f", file, "--diff", "HEAD~1"},
		"m/none.yaml does not exist": {"-f", "m/none.yaml", "--diff", "HEAD~1..HEAD"},
	} {
		code, _, errs := onInput(t, "", file, append([]string{"check", "--manager", "ben"}, args...)...)
		if code != 2 {
			t.Errorf("%v: exit code %d", args, code)
		}
		contains(t, errs, want)
	}
}

// A comment about a Secret names the conflict, and no value.
func TestVerbsCheckCommentsOnNoSecretValue(t *testing.T) {
	file := severalContexts(t)
	applyAs(t, "test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: comment}\n")
	secret := func(value string) string {
		return "apiVersion: v1\nkind: Secret\nmetadata: {name: key, namespace: comment}\ndata: {password: " + value + "}\n"
	}
	applyAs(t, "ada", secret("bGl2ZS12YWx1ZS1vZi1hZGE="))
	summary := filepath.Join(t.TempDir(), "summary.md")
	for name, value := range map[string]string{"GITHUB_REPOSITORY": "ada/shop", "GITHUB_EVENT_PATH": "", "GITHUB_STEP_SUMMARY": summary, "GITHUB_TOKEN": "", "GITHUB_ACTIONS": ""} {
		t.Setenv(name, value)
	}
	code, out, errs := onInput(t, secret("bXktdmFsdWU="), file, "check", "-f", "-", "--manager", "ben", "--comment", "keys")
	report, err := os.ReadFile(summary)
	fine(t, err)
	contains(t, string(report), "<!-- fieldmark check: keys -->", "**conflict** `Secret comment/key`", "With force, manager ada loses 1 field.")
	if code != 1 || strings.Count(errs, "the comment isn’t up to date") != 1 {
		t.Errorf("exit code %d, %s", code, errs)
	}
	for _, value := range []string{"bXktdmFsdWU", "my-value", "live-value-of-ada", "bGl2ZS12YWx1ZS1vZi1hZGE"} {
		if strings.Contains(out+errs+string(report), value) {
			t.Errorf("%s is in\n%s%s%s", value, out, errs, report)
		}
	}
}
