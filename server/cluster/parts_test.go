package cluster

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"k8s.io/client-go/tools/clientcmd"
)

// named is a kubeconfig with one context, of a cluster kubernetes and a user admin, as many tools write them.
func named(context, server, token string) string {
	return strings.NewReplacer("CONTEXT", context, "SERVER", server, "TOKEN", token).Replace(`apiVersion: v1
kind: Config
contexts:
- name: CONTEXT
  context: {cluster: kubernetes, user: admin}
clusters:
- name: kubernetes
  cluster: {server: "https://SERVER:6443"}
users:
- name: admin
  user: {token: TOKEN}
`)
}

// merging loads a KUBECONFIG of these files.
func merging(t *testing.T, files ...string) *Registry {
	t.Helper()
	r, err := Load(Options{Env: func(string) string { return strings.Join(files, string(filepath.ListSeparator)) }})
	must(t, err)
	return r
}

func TestPartsSayWhichFileCounts(t *testing.T) {
	a, b, c := writeText(t, named("a", "first", "t1")), writeText(t, named("b", "second", "t1")), writeText(t, named("b", "second", "t2"))
	r := merging(t, a, b, c)
	for name, want := range map[string][]Part{
		"a": {
			{"context", "a", a, nil},
			{"cluster", "kubernetes", a, []LeftOut{{b, false}, {c, false}}},
			{"user", "admin", a, []LeftOut{{b, true}, {c, false}}},
		},
		"b": {
			{"context", "b", b, []LeftOut{{c, true}}},
			{"cluster", "kubernetes", a, []LeftOut{{b, false}, {c, false}}},
			{"user", "admin", a, []LeftOut{{b, true}, {c, false}}},
		},
	} {
		of, _ := r.Get(name)
		if got := of.Parts(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// What counts is what counts for kubectl.
func TestPartsAgreeWithClientGo(t *testing.T) {
	files := []string{
		writeText(t, named("a", "first", "t1")), writeText(t, named("b", "second", "t2")),
		writeText(t, strings.NewReplacer("kubernetes", "other", "admin", "other").Replace(named("a", "third", "t3"))),
		writeText(t, "contexts:\n- name: half\n  context: {cluster: kubernetes, user: nobody}\n"),
	}
	theirs, err := (&clientcmd.ClientConfigLoadingRules{Precedence: files}).Load()
	must(t, err)
	for _, c := range merging(t, files...).List() {
		for _, part := range c.Parts() {
			want := ""
			switch part.Kind {
			case "context":
				want = fileOf(theirs.Contexts[part.Name])
			case "cluster":
				want = fileOf(theirs.Clusters[part.Name])
			case "user":
				want = fileOf(theirs.AuthInfos[part.Name])
			}
			if part.File != want {
				t.Errorf("%s: the %s %s is from %q, for client-go from %q", c.Name(), part.Kind, part.Name, part.File, want)
			}
		}
	}
}

// A change that only leaves something else out is said, and ends no login.
func TestPartsFollowTheFiles(t *testing.T) {
	one := writeText(t, named("a", "first", "t1"))
	second := filepath.Join(t.TempDir(), "later")
	r := merging(t, one, second)
	c, _ := r.Get("a")
	if parts := c.Parts(); len(parts) != 3 || parts[1].LeftOut != nil {
		t.Errorf("%v", parts)
	}
	must(t, os.WriteFile(second, []byte(named("a", "second", "t1")), 0o600))
	r.Look()
	r.Look()
	if now, _ := r.Get("a"); now != c || len(c.Parts()[0].LeftOut) != 1 || c.Parts()[1].LeftOut[0] != (LeftOut{second, false}) {
		t.Errorf("%v", c.Parts())
	}
}

func TestPartsWithoutEntries(t *testing.T) {
	r := merging(t, writeText(t, "contexts:\n- name: x\n- name: z\n  context: {cluster: gone}\n"), writeText(t, "contexts:\n- name: x\n  context: {cluster: gone}\n"))
	for _, c := range r.List() {
		t.Log(c.Name(), c.Parts())
		if parts := c.Parts(); len(parts) == 0 || parts[len(parts)-1].Kind == "cluster" && parts[1].File != "" {
			t.Errorf("%s: %v", c.Name(), parts)
		}
	}
	if of := (&Cluster{origin: FromPractice}).Parts(); of != nil {
		t.Errorf("a cluster that is none of the reader's has %v", of)
	}
}
