package promises

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// bomb is a document whose aliases stand for millions of values.
const bomb = `apiVersion: v1
kind: ConfigMap
metadata: {name: bomb}
a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
`

// What is wrong with the input as a whole is one line on stderr, and the exit code is 2.
func TestInputThatCannotBeChecked(t *testing.T) {
	empty := t.TempDir()
	const fine = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	for what, c := range map[string]struct {
		stdin, args, says string
	}{
		"no input":              {"", "", "no manifests are named"},
		"nothing on stdin":      {"", "-f -", "the files have no manifest; name a file with at least one"},
		"only comments":         {"# a\n---\n# b\n", "-f -", "the files have no manifest; name a file with at least one"},
		"a folder without any":  {"", "-f " + empty, "has no file that ends with .yaml"},
		"no such file":          {"", "-f /none/such.yaml", "/none/such.yaml does not exist"},
		"no such kustomization": {"", "-k " + empty, "kustomization"},
		"binary":                {"\x7fELF\x02\x01\x00\xd0\xff", "-f -", "-, line 1: The byte 0xd0 is not UTF-8 text"},
		"a context there isn't": {fine, "-f - --context nowhere", `the kubeconfig has no context "nowhere"; it has practice, practice-viewer`},
		"a dead server":         {fine, "-f - -s https://127.0.0.1:1", "connection refused"},
		"a dead server for 40":  {strings.Repeat(fine+"---\n", 40), "-f - -s https://127.0.0.1:1", "and 39 documents more"},
		"a manager's line end":  {fine, "-f - --manager a\nb", `--manager: the name of the field manager has the character '\n'`},
		"a long manager":        {fine, "-f - --manager " + strings.Repeat("x", 200), "has 200 bytes, and the API server allows at most 128"},
		"an address":            {"", "-f https://example.com/a.yaml", "URLs are not read"},
	} {
		code, _, errs := onPractice(t, c.stdin, slices.DeleteFunc(strings.Split("check "+c.args, " "), func(word string) bool { return word == "" })...)
		if code != 2 || !strings.HasPrefix(errs, "fieldmark: ") || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d\n%s", what, code, errs)
		}
	}
}

// What is wrong with one document is a finding on its line, and the others are judged.
func TestDocumentsThatCannotBeRead(t *testing.T) {
	for what, c := range map[string]struct {
		bad, says string
		line      int // within the document
	}{
		"broken YAML":              {"apiVersion: v1\nkind: ConfigMap\ndata: [\n", "", 3},
		"an alias bomb":            {bomb, "The aliases of this document copy more than 20000 values", 8},
		"a template":               {"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Values.name }}\n", "This is a template ({{ … }}). Render it first, for example with helm template", 1},
		"a template in quotes":     {"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: \"{{ .Values.name }}\"\n", "This is a template ({{ … }}). Render it first, for example with helm template", 4},
		"a template's own lines":   {"{{- if .Values.on }}\napiVersion: v1\nkind: ConfigMap\n{{- end }}\n", "This is a template", 1},
		"text in another language": {"Fehler: der Dienst ist nicht da\n", "The document has no apiVersion, no kind, no metadata.name", 1},
		"text of one word":         {"错误\n", "The document must be an object with fields", 1},
	} {
		var all strings.Builder
		line := 0
		for i := range 40 {
			one := fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine-%d, namespace: shop}\n", i)
			if i == 6 {
				one, line = c.bad, strings.Count(all.String(), "\n")+c.line
			}
			all.WriteString(one + "---\n")
		}
		code, out, errs := onPractice(t, all.String(), "check", "-f", "-")
		at := fmt.Sprintf("  invalid   %%s  (-:%d)\n", line)
		if code != 1 || errs != "" || !strings.Contains(out, "40 documents: 1 invalid, 39 created\n") || !strings.Contains(strings.ReplaceAll(out, " .metadata.name  ", "   "), strings.ReplaceAll(at, "%s", "")) || !strings.Contains(out, c.says) {
			t.Errorf("%s: %d\n%.600s\n%s", what, code, out, errs)
		}
	}
}

// repetition gives a text again and again, as often as a length in bytes needs.
type repetition struct {
	text string
	left int
	at   int
}

func (r *repetition) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	filled := 0
	for filled < len(p) {
		n := copy(p[filled:], r.text[r.at:])
		r.at = (r.at + n) % len(r.text)
		filled += n
	}
	r.left -= filled
	return filled, nil
}

// peak looks at the most memory that a process has had, until it ends; in kilobytes. What wait tells would count the memory of this test, too, from
// which the process was started.
func peak(pid int) func() int {
	most := make(chan int, 1)
	go func() {
		last := 0
		for ; ; time.Sleep(5 * time.Millisecond) {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
			_, after, has := strings.Cut(string(text), "VmHWM:")
			if err != nil || !has { // it has ended
				most <- last
				return
			}
			_, _ = fmt.Sscan(after, &last)
		}
	}()
	return func() int { return <-most }
}

// However much comes in, memory stays bounded.
func TestAHundredMegabytes(t *testing.T) {
	program := fieldmarkProgram(t)
	kubeconfig := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(kubeconfig, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	const most = 350 << 10 // kilobytes
	const manifest = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: "
	for _, in := range []struct {
		text string
		size int
		says string
	}{
		{strings.Repeat("x", 4096), 100_000_000, "-, line 1: this document is longer than 3 MB"},
		{manifest + strings.Repeat("x", 2000) + "}\n", 100_000_000, "the manifests are longer than 64 MB together; check them in parts"},
	} {
		c := exec.Command(program, "check", "--kubeconfig", kubeconfig, "-s", "http://127.0.0.1:1", "-f", "-")
		c.Stdin = &repetition{text: in.text, left: in.size}
		var stdout, stderr bytes.Buffer
		c.Stdout, c.Stderr = &stdout, &stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		used := peak(c.Process.Pid)
		err := c.Wait()
		ended, is := errors.AsType[*exec.ExitError](err)
		if !is || ended.ExitCode() != 2 || stdout.Len() > 0 || !strings.Contains(stderr.String(), in.says) || strings.Count(stderr.String(), "\n") != 1 {
			t.Errorf("%v\n%s\n%s", err, &stdout, &stderr)
		}
		if took := used(); took == 0 || took > most {
			t.Errorf("%s took %d KB of memory", in.says, took)
		}
	}
}
