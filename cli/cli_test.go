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
		"no object":             {"", []string{"blame"}, "no object is named"},
		"a form there is not":   {"", []string{"blame", "-f", "-", "-o", "toml"}, "--output must be text, json, yaml or markdown"},
		"a colour there isn't":  {"", []string{"blame", "-f", "-", "--color", "red"}, "--color must be auto"},
		"no path":               {"", []string{"blame", "-f", "-", "--field", "spec["}, `--field is no path of a field: "spec["`},
		"names and files":       {"", []string{"blame", "-f", "-", "pods"}, "can't be combined"},
		"nothing on stdin":      {"", []string{"blame", "-f", "-"}, "no object"},
		"no such file":          {"", []string{"blame", "-f", "/none/such.yaml"}, "does not exist"},
		"an unknown flag":       {"", []string{"blame", "--nosuch"}, "unknown flag: --nosuch"},
		"a flag with a typo":    {"", []string{"check", "-f", "-", "--force-conflict"}, "unknown flag: --force-conflict. Did you mean --force-conflicts? See fieldmark check --help"},
		"a global flag":         {"", []string{"blame", "--contxt", "x"}, "Did you mean --context?"},
		"a letter":              {"", []string{"blame", "-x"}, "unknown shorthand flag: 'x' in -x"},
		"no kubeconfig":         {"", []string{"blame", "pods/a"}, "no kubeconfig"},
		"binary":                {"\x00\x01\x02\xff", []string{"blame", "-f", "-"}, "not UTF-8"},
		"no object in it":       {"a: b\n", []string{"blame", "-f", "-"}, "-, line 1: The document has no apiVersion"},
		"no refusal":            {"", []string{"explain"}, "no refusal is given"},
		"stdin for two":         {"", []string{"explain", "-f", "-"}, "can't be the refusal and the manifest"},
		"another form":          {"x", []string{"explain", "-o", "toml"}, "--output must be text, json, yaml or markdown"},
		"a word that's no verb": {"", []string{"chekc", "-f", "-"}, `"chekc" is no verb of fieldmark. Did you mean check? The verbs are blame, check, completion, explain, guide, hook, lsp, managers, mcp, migrate, policy, serve, unappliable, upgrade-check, who-can; see fieldmark --help`},
		"no verb at all like":   {"", []string{"-n", "shop", "wibble"}, `"wibble" is no verb of fieldmark. The verbs are`},
		"serve, too late":       {"", []string{"-n", "shop", "serve"}, "the verb serve must be the first word: fieldmark serve [flags]"},
		"who can what":          {"", []string{"who-can", "update"}, "a verb and a type are needed"},
		"a verb with a typo":    {"", []string{"who-can", "updte", "pods"}, `"updte" is no verb of Kubernetes that who-can knows. Did you mean update?`},
		"a field of a type":     {"", []string{"who-can", "update", "pods", "--field", "spec"}, "--field needs one object"},
		"two names":             {"", []string{"who-can", "update", "pods/a", "b"}, `two names, "a" and "b"`},
		"no name after /":       {"", []string{"who-can", "update", "pods/"}, "has no name after the slash"},
		"who can, as SARIF":     {"", []string{"who-can", "update", "pods", "-o", "sarif"}, "--output must be text, json, csv or markdown"},
		"who can, no path":      {"", []string{"who-can", "update", "pods/a", "--field", "spec["}, `--field is no path of a field: "spec["`},
		"contexts":              {"", []string{"who-can", "update", "pods", "--contexts", "prod-*"}, `no context of the kubeconfig is called "prod-*"`},
		"a template":            {"kind: {{ .Values.kind }}\n", []string{"blame", "-f", "-"}, "template"},
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
		"blame": true, "explain -o json": true, "blame pods/a": true, "-n shop blame pods/a": true, "--context=x blame": true, "help": true, "completion bash": true, "__complete blame x": true,
	} {
		if got := IsVerb(strings.Fields(line)); got != want {
			t.Errorf("fieldmark %s: %v", line, got)
		}
	}
}

func TestEachErrorIsALine(t *testing.T) {
	code, out, errs := run(t, "fieldmark", "a: [\n---\nb: [\n", "blame", "-f", "-", "-f", "/none/such.yaml")
	lines := strings.Split(strings.TrimSpace(errs), "\n")
	if code != 2 || out != "" || len(lines) != 3 {
		t.Fatalf("%d %q %q", code, out, lines)
	}
	for i, want := range []string{"-, line 1: ", "-, line 3: ", "/none/such.yaml does not exist"} {
		if !strings.HasPrefix(lines[i], "fieldmark: "+want) {
			t.Errorf("%q, want %q", lines[i], want)
		}
	}
}

func TestExplainWithoutACluster(t *testing.T) {
	const conflict = `Apply failed with 1 conflict: conflict with "a\nb" using apps/v1: .spec.replicas`
	for what, c := range map[string]struct {
		stdin string
		args  []string
		code  int
		says  string
	}{
		"an argument":        {"", []string{"explain", conflict}, 0, "Conflict (409)\n"},
		"words as arguments": {"", append([]string{"explain", "--offline"}, strings.Fields(`deployments.apps "web" not found`)...), 0, "NotFound (404)\n"},
		"stdin":              {conflict, []string{"explain", "--manager", "me"}, 0, "--force-conflicts --field-manager=me -f FILE\n"},
		"for a script":       {conflict, []string{"explain", "-o", "json"}, 0, `"manager": "a\nb"`},
		"another language":   {"Fehler vom Server (Verboten): das Objekt wurde geändert", []string{"explain"}, 1, "Not understood\n  Fehler vom Server (Verboten): das Objekt"},
		"binary":             {"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00", []string{"explain"}, 1, "The input isn't text."},
		"far too much":       {conflict + "\n" + strings.Repeat("x", 100<<20), []string{"explain"}, 2, "The text is too long"},
		"several":            {conflict + "\n\n" + conflict, []string{"explain"}, 0, "Conflict (409), 2 times\n"},
	} {
		code, out, errs := run(t, "fieldmark", c.stdin, c.args...)
		if code != c.code || (errs != "") != (c.code == 2) || !strings.Contains(out, c.says) {
			t.Errorf("%s: %d\n%.3000s\n%s", what, code, out, errs)
		}
	}
}
