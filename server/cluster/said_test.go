package cluster

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Threat: kubeconfig credentials. Of what a plugin prints on stderr, only a short, printable line without credentials is shown.
func TestKubeconfigCredentials_WhatAPluginSays(t *testing.T) {
	for line, want := range map[string]string{
		"To sign in, open https://login.example/device and enter the code ABCD1234.":      "To sign in, open https://login.example/device and enter the code ABCD1234.",
		"\x1b[33mTouch your\x1b[0m \x1b]8;;https://evil.example\x07key\x1b]8;;\x07\t now": "Touch your key now",
		"Wait\u200b for\u202e it\xff\x00":                                                 "Wait for it",
		"the token: hunter2":                                                              "the token: [redacted]",
		"Authorization: Bearer abcdefghijklmnop and password=x":                           "Authorization: [redacted]",
		"hunter2": "", // it may be a bare password
		"":        "",
		"hunter2 " + strings.Repeat("x", maxLine): "",
		"a " + strings.Repeat("é ", 400):          "a " + strings.Repeat("é ", 148) + "é…",
	} {
		if got := shown([]byte(line)); got != want {
			t.Errorf("%.60q: %q, want %q", line, got, want)
		}
	}
}

// A line that is still being printed isn't shown: its end could change what is a credential. The file is the user's own, and is removed.
func TestAPluginsLastWholeLineIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "says")
	s := newSaying(path)
	for _, part := range []string{"first line\nsecond ", "line\n", "third without its end"} {
		_, err := s.Write([]byte(part))
		must(t, err)
	}
	text, err := os.ReadFile(path)
	must(t, err)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || string(text) != "second line" {
		t.Errorf("%q, %v", text, info.Mode())
	}
	if other := newSaying(path); other.file != nil {
		t.Error("a file that somebody else made is used")
	}
	s.close()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
}

// A plugin prints a line and waits. The state has the line while it waits, and what comes of it afterwards.
func TestStateSaysWhatAPluginWaitsFor(t *testing.T) {
	ca := newPKI(t)
	server := ca.serve(time.Now().Add(time.Hour), http.HandlerFunc(answers))
	done := filepath.Join(t.TempDir(), "done")
	c := load(t, withPlugin(t, server.URL, ca.pem, `echo "Open https://login.example and wait, token: hunter2" >&2; while [ ! -e `+done+` ]; do sleep 0.05; done; `+credential(`{"token":"from-plugin"}`)),
		Options{PluginTimeout: patient, ProbeTimeout: patient})
	if got := c.patience(); got > pluginPatience {
		t.Errorf("State waits for %s", got)
	}
	s := c.State(t.Context(), nil)
	for deadline := time.Now().Add(patient); !strings.Contains(s.Text, "it says"); s = c.State(t.Context(), nil) {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", s)
		}
	}
	if !s.Waits || s.Text != `the credentials plugin "plugin" has not responded yet; it says: “Open https://login.example and wait, token: [redacted]”` {
		t.Errorf("%+v", s)
	}
	if p := c.Waits(t.Context(), nil); p == nil || !p.Pending || p.Text != s.Text {
		t.Errorf("%+v", p)
	}
	must(t, os.WriteFile(done, nil, 0o600))
	for deadline := time.Now().Add(patient); s.Phase != Ready; s = c.State(t.Context(), nil) {
		if time.Now().After(deadline) {
			t.Fatalf("%+v", s)
		}
	}
	if left := c.said(); left != "" || s.Waits || c.Waits(t.Context(), nil) != nil {
		t.Errorf("after its end, the plugin still says %q", left)
	}
	path := c.saying.Load()
	if _, err := os.Stat(*path); !os.IsNotExist(err) {
		t.Errorf("the file of what it said is still there: %v", err)
	}
}
