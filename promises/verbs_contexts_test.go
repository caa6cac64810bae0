package promises

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/fieldmark/fieldmark/cli"
	"github.com/fieldmark/fieldmark/cli/blame"
	"github.com/fieldmark/fieldmark/cli/check"
)

// severalContexts is the kubeconfig of the practice cluster with three more contexts: two that have a namespace of their own, and one whose server is dead.
func severalContexts(t *testing.T) (file string) {
	t.Helper()
	text, err := os.ReadFile(practiceKubeconfig(t))
	fine(t, err)
	var config map[string]any
	fine(t, yaml.Unmarshal(text, &config))
	var cluster, user any
	for _, c := range config["contexts"].([]any) {
		if one := c.(map[string]any); one["name"] == "practice" {
			of := one["context"].(map[string]any)
			cluster, user = of["cluster"], of["user"]
		}
	}
	context := func(name, namespace string, cluster any) any {
		return map[string]any{"name": name, "context": map[string]any{"cluster": cluster, "user": user, "namespace": namespace}}
	}
	config["clusters"] = append(config["clusters"].([]any), map[string]any{"name": "dead", "cluster": map[string]any{"server": "https://127.0.0.1:1"}})
	config["contexts"] = append(config["contexts"].([]any), context("several-a", "several-a", cluster), context("several-b", "several-b", cluster), context("several-dead", "several-a", "dead"))
	text, err = yaml.Marshal(config)
	fine(t, err)
	file = filepath.Join(t.TempDir(), "config")
	fine(t, os.WriteFile(file, text, 0o600))
	return file
}

// onKubeconfig runs a verb on the contexts of a kubeconfig.
func onKubeconfig(t *testing.T, file string, args ...string) (code int, out, errs string) {
	t.Helper()
	return onInput(t, "", file, args...)
}

func onInput(t *testing.T, stdin, file string, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	p := cli.Program{Called: "fieldmark", Version: "v1", In: strings.NewReader(stdin), Out: &stdout, ErrOut: &stderr}
	code = cli.Run(t.Context(), p, slices.Insert(args, 1, "--kubeconfig", file, "--cache-dir", t.TempDir()))
	return code, stdout.String(), stderr.String()
}

func fine(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Objects of two contexts are compared, and a third context whose server is dead is a line, an exit code, and no more.
func TestVerbsAskSeveralContexts(t *testing.T) {
	file := severalContexts(t)
	settings := func(namespace, color string) string {
		return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: " + namespace + "}\ndata: {color: " + color + ", size: \"10\"}\n"
	}
	for _, namespace := range []string{"several-a", "several-b"} {
		applyAs(t, "test", "apiVersion: v1\nkind: Namespace\nmetadata: {name: "+namespace+"}\n")
	}
	applyAs(t, "ada", settings("several-a", "green"))
	applyAs(t, "ben", settings("several-b", "red"))
	run := func(stdin string, args ...string) (int, string, string) {
		return onInput(t, stdin, file, args...)
	}

	code, out, errs := run("", "blame", "configmap/settings", "--contexts", "several-?")
	for _, want := range []string{"several-a  color: green   ← ada (Apply)", "several-b  color: red     ← ben (Apply)", ".data.size", "several-b  1 object"} {
		if code != 0 || errs != "" || !strings.Contains(out, want) {
			t.Errorf("%d %s: no %q in\n%s", code, errs, want, out)
		}
	}
	code, out, errs = run("", "blame", "configmap/settings", "--contexts", "several-*", "-o", "json")
	var compared blame.Contexts
	if err := json.Unmarshal([]byte(out), &compared); err != nil || code != 2 || !strings.Contains(errs, "context several-dead: ") {
		t.Fatal(code, err, errs, out)
	}
	if len(compared.Contexts) != 3 || compared.Contexts[0].Context != "several-a" || len(compared.Contexts[1].Items) != 1 || compared.Contexts[2].Error == "" {
		t.Errorf("%+v", compared.Contexts)
	}

	text := "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {color: blue}\n"
	code, out, errs = run(text, "check", "-f", "-", "--manager", "ada", "--contexts", "several-a,several-b")
	if code != 1 || errs != "" || !strings.Contains(out, "Only in several-b:") || !strings.Contains(out, "conflict") || !strings.Contains(out, "several-a  1 document: ") {
		t.Errorf("%d %s\n%s", code, errs, out)
	}
	code, out, errs = run(text, "check", "-f", "-", "--manager", "ada", "--contexts", "several-*", "-o", "json")
	var checked check.Contexts
	if err := json.Unmarshal([]byte(out), &checked); err != nil || code != 2 || strings.Count(errs, "\n") != 1 {
		t.Fatal(code, err, errs, out)
	}
	if len(checked.Items) != 3 || checked.Items[1].Counts["conflict"] == 0 || checked.Items[0].Counts["conflict"] != 0 || checked.Items[2].Error == "" {
		t.Errorf("%+v", checked.Items)
	}
	if code, _, errs = run("", "blame", "configmap/none", "--contexts", "several-?"); code != 2 || !strings.Contains(errs, "no context has the objects") {
		t.Error(code, errs)
	}
}
