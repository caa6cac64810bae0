package ask

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// flagsOf are the flags of a kubeconfig whose contexts lead to these servers.
func flagsOf(t *testing.T, servers map[string]string) *genericclioptions.ConfigFlags {
	t.Helper()
	text := "clusters:\n"
	for name, server := range servers {
		text += "- {name: \"" + name + "\", cluster: {server: \"" + server + "\"}}\n"
	}
	text += "contexts:\n"
	for name := range servers {
		text += "- {name: \"" + name + "\", context: {cluster: \"" + name + "\"}}\n"
	}
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig = &file
	return flags
}

func TestPatternsMeanContexts(t *testing.T) {
	flags := flagsOf(t, map[string]string{"prod-a": "http://x", "prod-b": "http://x", "test": "http://x", "arn:aws:eks:cluster/prod": "http://x", "a+b": "http://x"})
	for pattern, want := range map[string]string{
		"prod-*": "prod-a prod-b", "prod-?": "prod-a prod-b", "test,prod-a": "prod-a test", "*prod": "arn:aws:eks:cluster/prod", "a+b": "a+b", "prod-a,prod-*": "prod-a prod-b",
		"*": "a+b arn:aws:eks:cluster/prod prod-a prod-b test",
	} {
		got, err := New(flags).Matching(t.Context(), strings.Split(pattern, ","))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v", pattern, got, err)
		}
	}
	if _, err := New(flags).Matching(t.Context(), []string{"prod-c"}); err == nil || !strings.Contains(err.Error(), `no context of the kubeconfig is called "prod-c"`) {
		t.Error(err)
	}
	*flags.Context = "test"
	if _, err := New(flags).Matching(t.Context(), []string{"*"}); err == nil || !strings.Contains(err.Error(), "can't be combined") {
		t.Error(err)
	}
}

// A context that refuses has an error, and each of the others is asked.
func TestADeadContextHoldsUpNobody(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"gitVersion":"v1.37.1"}`))
	}))
	defer server.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	dead := "http://" + l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	names := []string{"dead", "one", "two"}
	errs := make([]error, 3)
	New(flagsOf(t, map[string]string{"dead": dead, "one": server.URL, "two": server.URL})).Several(t.Context(), names, func(at int, one *Cluster, err error) {
		errs[at] = err
		if *one.flags.Context != names[at] {
			t.Errorf("%s is %s", names[at], *one.flags.Context)
		}
	})
	if got := slices.IndexFunc(errs, func(err error) bool { return err == nil }); errs[0] == nil || got != 1 || errs[2] != nil {
		t.Errorf("%v", errs)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	New(flagsOf(t, map[string]string{"one": server.URL})).Several(over, names[1:2], func(_ int, _ *Cluster, err error) {
		if err == nil {
			t.Error("asked after the end")
		}
	})
}
