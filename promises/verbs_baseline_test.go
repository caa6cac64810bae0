package promises

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A stored check is the baseline of the next one: what it had doesn't fail, what is new does.
func TestVerbsTellWhatIsNewSinceABaseline(t *testing.T) {
	file := severalContexts(t)
	applyAs(t, "test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: baseline}\n")
	settings := func(data string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: baseline}\ndata: {" + data + "}\n"
	}
	applyAs(t, "ada", settings(`color: green, size: "10"`))
	mine := settings(`color: red, size: "10"`)
	run := func(want int, stdin string, args ...string) (out, errs string) {
		t.Helper()
		code, out, errs := onInput(t, stdin, file, append([]string{"check", "-f", "-", "--manager", "ben"}, args...)...)
		if code != want {
			t.Errorf("%v: exit code %d, and not %d\n%s%s", args, code, want, out, errs)
		}
		return out, errs
	}
	dir := t.TempDir()
	store := func(name, text string) string {
		path := filepath.Join(dir, name)
		fine(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	stored, _ := run(1, mine, "-o", "json")
	baseline := store("baseline.json", stored)
	out, _ := run(0, mine, "--baseline", baseline)
	contains(t, out, "1 document: nothing to report; 2 expected")
	out, _ = run(0, mine, "--baseline", baseline, "--show-expected")
	contains(t, out, ".data.color", "The baseline has this finding, too.")
	out, _ = run(1, settings(`color: red, size: "20"`), "--baseline", baseline)
	contains(t, out, ".data.size", "; 1 expected")
	if strings.Contains(out, ".data.color") {
		t.Errorf("what the baseline has is shown:\n%s", out)
	}
	out, _ = run(0, settings(`color: green, size: "10"`), "--baseline", baseline)
	contains(t, out, "; 2 of the baseline gone")

	several := []string{"--contexts", "several-a,several-b", "-o", "json"}
	stored, _ = run(1, mine, several...)
	both := store("both.json", stored)
	run(0, mine, "--contexts", "several-a,several-b", "--baseline", both)
	_, errs := run(2, mine, "--baseline", both)
	contains(t, errs, "Name them with --contexts")
	_, errs = run(2, mine, "--contexts", "several-a,several-b", "--baseline", baseline)
	contains(t, errs, "a check of one context")
	_, errs = run(2, mine, "--baseline", store("other.json", "kind: Pod"))
	contains(t, errs, "fieldmark check -o json")
	_, errs = run(2, mine, "--baseline", filepath.Join(dir, "none.json"))
	contains(t, errs, "--baseline")
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q isn't in:\n%s", part, text)
		}
	}
}
