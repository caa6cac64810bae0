package lsp

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/fieldmark/fieldmark/cli/ask"
)

// aimAt is an aim with a kubeconfig. write writes the kubeconfig again, with another server and user.
func aimAt(t *testing.T, o options) (a *aim, write func(server, user string), later func(time.Duration)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "kubeconfig")
	write = func(server, user string) {
		text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"one","clusters":[{"name":"c","cluster":{"server":%q}}],"users":[{"name":%q}],"contexts":[{"name":"one","context":{"cluster":"c","user":%q}},{"name":"two","context":{"cluster":"c","user":%q}}]}`, server, user, user, user)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("https://first.example", "anna")
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig = &file
	a = newSession(t.Context(), ask.New(flags), o, "").aim
	now := time.Now()
	a.now = func() time.Time { return now }
	return a, write, func(d time.Duration) { now = now.Add(d) }
}

func TestConsentIsForOneFolderAndOneCluster(t *testing.T) {
	a, write, later := aimAt(t, options{})
	id, err := a.offer()
	if want := (ask.Identity{Context: "one", Server: "https://first.example", User: "anna"}); err != nil || id != want {
		t.Fatalf("%+v %v, want %+v", id, err, want)
	}
	if given, _ := a.consent("/shop"); given {
		t.Error("nobody has consented")
	}
	a.agree("/shop", id)
	for of, want := range map[string]bool{"/shop": true, "/shop/own": false, "/other": false, "/": false} {
		if given, asked := a.consent(of); given != want || asked != want {
			t.Errorf("%s: %v %v", of, given, asked)
		}
	}
	if _, err := a.cluster("/shop"); err != nil {
		t.Error(err)
	}
	later(remembered + time.Second)
	if _, err := a.cluster("/shop"); err != nil {
		t.Errorf("the kubeconfig is the same: %v", err)
	}
	write("https://second.example", "anna")
	later(remembered + time.Second)
	if _, err := a.cluster("/shop"); err == nil || !strings.Contains(err.Error(), "https://second.example") {
		t.Errorf("another server: %v", err)
	}
	if given, _ := a.consent("/shop"); given {
		t.Error("the consent was for another server")
	}
	id, err = a.offer()
	if err != nil || id.Server != "https://second.example" {
		t.Fatalf("%+v %v", id, err)
	}
	a.agree("/shop", id)
	write("https://second.example", "root")
	a.forget()
	if _, err := a.cluster("/shop"); err == nil || !strings.Contains(err.Error(), "as root") {
		t.Errorf("another user: %v", err)
	}
}

func TestFoldersOfTheCommandLine(t *testing.T) {
	a, _, _ := aimAt(t, options{context: "two", dryRuns: []string{"/work/shop"}})
	for of, want := range map[string]bool{"/work/shop": true, "/work/shop/base": true, "/work": false, "/work/shop2": false, "/clone": false} {
		if given, asked := a.consent(of); given != want || asked {
			t.Errorf("%s: %v %v", of, given, asked)
		}
	}
	if id, err := a.offer(); err != nil || id.Context != "two" {
		t.Errorf("%+v %v", id, err)
	}
}

func TestARelativeKubeconfigIsRefused(t *testing.T) {
	a, _, _ := aimAt(t, options{})
	for list, refused := range map[string]bool{"kubeconfig": true, "/etc/a" + string(filepath.ListSeparator) + "./b": true, "/etc/a": false, "": false} {
		a.kubeconfig = list
		_, err := a.offer()
		_, of := a.cluster("/shop")
		if errors.Is(err, errRelative) != refused || errors.Is(of, errRelative) != refused {
			t.Errorf("%q: %v, %v", list, err, of)
		}
		a.forget()
	}
}

func TestFlags(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip("there is no home folder")
	}
	for what, c := range map[string]struct {
		o          options
		kubeconfig string
		says       string
	}{
		"nothing":               {options{}, "", ""},
		"folders":               {options{context: "a", dryRuns: []string{"/none/x/../y", "~/none"}}, "", ""},
		"no context":            {options{dryRuns: []string{"/x"}}, "", "--dry-runs needs --context"},
		"a relative folder":     {options{context: "a", dryRuns: []string{"x"}}, "", "must be absolute"},
		"a relative kubeconfig": {options{}, "config", "must be an absolute path"},
		"a manager":             {options{manager: "a\x00"}, "", "--manager"},
		"a pause":               {options{pause: -1}, "", "--pause"},
	} {
		err := c.o.check(c.kubeconfig)
		if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
		if what == "folders" && (c.o.dryRuns[0] != "/none/y" || c.o.dryRuns[1] != filepath.Join(home, "none")) {
			t.Errorf("%q", c.o.dryRuns)
		}
	}
}
