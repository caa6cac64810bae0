package cli

import (
	"bytes"
	"strings"
	"testing"
)

// run runs a command line, and gives its exit code and what it printed.
func run(t *testing.T, called, stdin string, args ...string) (code int, out, errs string) {
	t.Helper()
	t.Setenv("KUBECONFIG", "/none/config")
	var stdout, stderr bytes.Buffer
	code = Run(t.Context(), Program{Called: called, Version: "v1", In: strings.NewReader(stdin), Out: &stdout, ErrOut: &stderr}, args)
	return code, stdout.String(), stderr.String()
}

func TestItIsCalledAsItIs(t *testing.T) {
	for called, want := range map[string]string{
		"fieldmark": "\n  fieldmark [command]", "bin/kubectl-fieldmark": "\n  kubectl fieldmark [command]", `kubectl-fieldmark.exe`: "\n  kubectl fieldmark [command]",
	} {
		if code, out, errs := run(t, called, "", "help"); code != 0 || !strings.Contains(out, want) || errs != "" {
			t.Errorf("%s: %d\n%s\n%s", called, code, out, errs)
		}
	}
	if _, out, _ := run(t, "kubectl-fieldmark", "", "blame", "--help"); !strings.Contains(out, "kubectl fieldmark blame deployment/web --field") || strings.Contains(out, "  fieldmark blame") {
		t.Errorf("the examples of a plugin: %s", out)
	}
}

func TestWhatCannotBeDoneIsOneLine(t *testing.T) {
	for what, c := range map[string]struct {
		stdin string
		args  []string
		says  string
	}{
		"no object":            {"", []string{"blame"}, "which object?"},
		"a form there is not":  {"", []string{"blame", "-f", "-", "-o", "toml"}, "--output is text, json, yaml or markdown"},
		"a colour there isn't": {"", []string{"blame", "-f", "-", "--color", "red"}, "--color is auto"},
		"a field without .":    {"", []string{"blame", "-f", "-", "--field", "spec"}, "as in '.spec'"},
		"names and files":      {"", []string{"blame", "-f", "-", "pods"}, "not both"},
		"nothing on stdin":     {"", []string{"blame", "-f", "-"}, "no object"},
		"no such file":         {"", []string{"blame", "-f", "/none/such.yaml"}, "does not exist"},
		"an unknown flag":      {"", []string{"blame", "--nosuch"}, "unknown flag: --nosuch"},
		"no kubeconfig":        {"", []string{"blame", "pods/a"}, "no kubeconfig"},
		"binary":               {"\x00\x01\x02\xff", []string{"blame", "-f", "-"}, "not UTF-8"},
		"no object in it":      {"a: b\n", []string{"blame", "-f", "-"}, "-, line 1: The document has no apiVersion"},
		"a template":           {"kind: {{ .Values.kind }}\n", []string{"blame", "-f", "-"}, "template"},
	} {
		code, out, errs := run(t, "fieldmark", c.stdin, c.args...)
		if code != 2 || out != "" || !strings.HasPrefix(errs, "fieldmark: ") || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: %d\n%s\n%s", what, code, out, errs)
		}
	}
}

func TestVerbsAreTold(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "--listen 127.0.0.1:0": false, "--version": false, "--practice-dir blame": false, "nosuch": false, "--practice=off": false,
		"blame": true, "blame pods/a": true, "-n shop blame pods/a": true, "--context=x blame": true, "help": true, "completion bash": true, "__complete blame x": true,
	} {
		if got := IsVerb(strings.Fields(line)); got != want {
			t.Errorf("fieldmark %s: %v", line, got)
		}
	}
}
