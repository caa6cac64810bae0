package cluster

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func contextsOnly(names ...string) string {
	text := "apiVersion: v1\nkind: Config\ncontexts:\n"
	for _, name := range names {
		text += "- name: " + name + "\n  context: {cluster: k, user: u}\n"
	}
	return text + "clusters:\n- name: k\n  cluster: {server: https://127.0.0.1:6443}\nusers:\n- name: u\n  user: {token: t}\n"
}

func names(r *Registry) []string {
	var all []string
	for _, c := range r.List() {
		all = append(all, c.Name())
	}
	return all
}

func TestLoadFollowsKubectlsRules(t *testing.T) {
	a, b := writeText(t, contextsOnly("a", "both")), writeText(t, contextsOnly("b", "both"))
	missing := filepath.Join(t.TempDir(), "none")
	home := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, ".kube"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, ".kube", "config"), []byte(contextsOnly("home")), 0o600))
	list := func(files ...string) string { return strings.Join(files, string(filepath.ListSeparator)) }
	for name, c := range map[string]struct {
		flag, env string
		home      string
		want      []string
		note      string
	}{
		"the flag wins":                  {a, b, home, []string{"a", "both"}, ""},
		"KUBECONFIG before home":         {"", b, home, []string{"b", "both"}, ""},
		"a list is merged":               {"", list(a, b), home, []string{"a", "b", "both"}, ""},
		"empty and repeated list places": {"", list("", a, a), home, []string{"a", "both"}, ""},
		"missing among others":           {"", list(a, missing), home, []string{"a", "both"}, "which does not exist"},
		"home":                           {"", "", home, []string{"home"}, ""},
		"no home file":                   {"", "", t.TempDir(), nil, "no kubeconfig"},
		"no contexts":                    {writeText(t, "apiVersion: v1\nkind: Config\n"), "", home, nil, "has no contexts"},
		"an empty file":                  {writeText(t, ""), "", home, nil, "has no contexts"},
		"a context of nothing":           {writeText(t, "contexts:\n- name: x\n"), "", home, []string{"x"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Load(Options{Kubeconfig: c.flag, Home: c.home, Env: func(string) string { return c.env }})
			must(t, err)
			if got := names(r); !slices.Equal(got, c.want) {
				t.Errorf("contexts %q", got)
			}
			if notes := strings.Join(r.Notes(), "\n"); (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("notes %q", notes)
			}
		})
	}
}

func TestTheFirstFileWins(t *testing.T) {
	first := writeText(t, strings.ReplaceAll(contextsOnly("c"), "127.0.0.1", "first"))
	second := writeText(t, strings.ReplaceAll(contextsOnly("c"), "127.0.0.1", "second")+"current-context: c\n")
	r, err := Load(Options{Env: func(string) string { return first + string(filepath.ListSeparator) + second }})
	must(t, err)
	c, _ := r.Get("c")
	if i := c.Info(); i.Server != "https://first:6443" || i.File != first || !i.Current {
		t.Errorf("%+v", i)
	}
}

func TestLoadSaysWhatToDo(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none")
	for name, c := range map[string]struct {
		flag, env string
		says      []string
	}{
		"the flag's file is missing":   {missing, "", []string{missing, "does not exist", "--kubeconfig"}},
		"all of KUBECONFIG is missing": {"", missing, []string{missing, "does not exist", "unset $KUBECONFIG"}},
		"a folder":                     {t.TempDir(), "", []string{"can't be read (is a directory)"}},
		"malformed":                    {writeText(t, "a: [b\n"), "", []string{"malformed", "correct the file"}},
		"the same name twice":          {writeText(t, "users: [{name: u, user: {token: hunter2}}, {name: u, user: {}}]\n"), "", []string{"two of its clusters, users or contexts have the same name"}},
		"another kind of object":       {writeText(t, "apiVersion: v1\nkind: Pod\n"), "", []string{"malformed"}},
		"bad base64":                   {writeText(t, "clusters: [{name: k, cluster: {certificate-authority-data: '!'}}]\n"), "", []string{"malformed"}},
		"one of KUBECONFIG is no YAML": {"", writeText(t, contextsOnly("a")) + ":" + writeText(t, "}"), []string{"malformed"}},
		"a secret out of place":        {writeText(t, "users:\n- name: u\n  user:\n    password: *hunter2\n"), "", []string{"malformed"}},
		"a secret for a file":          {writeText(t, "hunter2"), "", []string{"malformed"}},
		"a secret for a list":          {writeText(t, "users: hunter2"), "", []string{"malformed"}},
		"a secret in a bad line":       {writeText(t, "users:\n  token: hunter2: hunter2\n"), "", []string{"malformed (line 2)"}},
		"a secret for a kind":          {writeText(t, "kind: hunter2\napiVersion: v1\n"), "", []string{"malformed"}},
		"binary":                       {writeText(t, "\x00\xff\x1b[31m"), "", []string{"malformed"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Load(Options{Kubeconfig: c.flag, Env: func(string) string { return c.env }, Home: t.TempDir()})
			if _, ok := errors.AsType[*ConfigError](err); !ok || r != nil {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("a secret is told: %q", err)
			}
			if strings.ContainsAny(err.Error(), "\n\x1b\x00") {
				t.Errorf("more than a line of text: %q", err)
			}
			for _, word := range c.says {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("%q does not say %q", err, word)
				}
			}
		})
	}
}
