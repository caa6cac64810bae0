package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
)

func noEnv(string) string { return "" }

func TestDefaults(t *testing.T) {
	c, err := parseFlags(nil, noEnv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	c.env = nil
	want := Config{Listen: "127.0.0.1:8080", Practice: "auto", LogLevel: slog.LevelInfo, LogFormat: "text"}
	if got := withoutEnv(c); got != withoutEnv(want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// plainConfig is a Config that can be compared.
type plainConfig struct {
	listen, kubeconfig, practice, practiceVersion, practiceDir, token, kubeconfigOut, logFormat string
	readOnly, workloadProxy, dev, version                                                       bool
	level                                                                                       slog.Level
}

func withoutEnv(c Config) plainConfig {
	return plainConfig{
		c.Listen, c.Kubeconfig, c.Practice, c.PracticeVersions.String(), c.PracticeDir, c.Token, c.KubeconfigOut, c.LogFormat,
		c.ReadOnly, c.WorkloadProxy, c.Dev, c.Version, c.LogLevel,
	}
}

func TestEachFlagIsHeeded(t *testing.T) {
	for args, change := range map[string]func(*Config){
		"--listen=127.0.0.1:0":             func(c *Config) { c.Listen = "127.0.0.1:0" },
		"--kubeconfig=/x/config":           func(c *Config) { c.Kubeconfig = "/x/config" },
		"--practice=on":                    func(c *Config) { c.Practice = "on" },
		"--practice=off":                   func(c *Config) { c.Practice = "off" },
		"--practice-version=1.33":          func(c *Config) { c.PracticeVersions = versionList{"1.33"} },
		"--practice-version v1.37,1.31":    func(c *Config) { c.PracticeVersions = versionList{"1.37", "1.31"} },
		"--practice-dir=/x/data":           func(c *Config) { c.PracticeDir = "/x/data" },
		"--token=" + testToken:             func(c *Config) { c.Token = testToken },
		"--read-only":                      func(c *Config) { c.ReadOnly = true },
		"--allow-other-users":              func(c *Config) { c.OtherUsers = true },
		"--allow-workload-proxy":           func(c *Config) { c.WorkloadProxy = true },
		"--kubeconfig-out=/x/out":          func(c *Config) { c.KubeconfigOut = "/x/out" },
		"--log-level=debug":                func(c *Config) { c.LogLevel = slog.LevelDebug },
		"--log-level=WARN":                 func(c *Config) { c.LogLevel = slog.LevelWarn },
		"--log-format=json":                func(c *Config) { c.LogFormat = "json" },
		"--dev":                            func(c *Config) { c.Dev = true },
		"--version":                        func(c *Config) { c.Version = true },
		"-read-only":                       func(c *Config) { c.ReadOnly = true },
		"--practice on --listen 1.2.3.4:5": func(c *Config) { c.Practice, c.Listen = "on", "1.2.3.4:5" },
	} {
		want, _ := parseFlags(nil, noEnv, io.Discard)
		change(&want)
		got, err := parseFlags(strings.Fields(args), noEnv, io.Discard)
		if err != nil || withoutEnv(got) != withoutEnv(want) {
			t.Errorf("%s: %+v (%v)", args, got, err)
		}
	}
}

func TestTokenFromTheEnvironmentGivesWayToTheFlag(t *testing.T) {
	env := func(name string) string { return map[string]string{"FIELDMARK_TOKEN": testToken}[name] }
	for args, want := range map[string]string{"": testToken, "--token another-token-of-length": "another-token-of-length"} {
		if c, err := parseFlags(strings.Fields(args), env, io.Discard); err != nil || c.Token != want {
			t.Errorf("%q: %q (%v)", args, c.Token, err)
		}
	}
}

func TestWrongCallsAreOneLineAndExitCodeTwo(t *testing.T) {
	for args, words := range map[string]string{
		"--nope":                                 "--help",
		"--lisen 127.0.0.1:0":                    "Did you mean --listen? See fieldmark --help",
		"extra":                                  `"extra"`,
		"--practice maybe":                       "auto, on or off",
		"--practice on off":                      `"off"`,
		"--log-format xml":                       "text or json",
		"--log-level loud":                       "log-level",
		"--read-only=perhaps":                    "read-only",
		"--listen":                               "listen",
		"--practice off --practice-dir x":        "--practice-dir needs the practice cluster",
		"--practice off --practice-version 1.33": "--practice-version needs the practice cluster",
		"--practice-version newest":              `"newest" is no minor version`,
		"--practice-version 1.33.13":             `"1.33.13" is no minor version`,
		"--practice-version 1.33,":               `"" is no minor version`,
		"--practice-version 1.33,v1.33":          "1.33 is named twice",
		"--token short":                          "at least 16 characters",
		"--version extra":                        `"extra"`,
	} {
		t.Run(args, func(t *testing.T) { runToEnd(t, nil, strings.Fields(args)...).oneLine(t, 2, words) })
	}
	runToEnd(t, map[string]string{"FIELDMARK_TOKEN": "short"}).oneLine(t, 2, "FIELDMARK_TOKEN")
	runToEnd(t, nil, "--practice", "a\nb\x1b[31m").oneLine(t, 2, `\n`)
}

func TestHelpNamesEveryFlagAndNoSecret(t *testing.T) {
	for _, flag := range []string{"--help", "-h"} {
		got := runToEnd(t, map[string]string{"FIELDMARK_TOKEN": testToken}, flag)
		if got.code != 0 || got.stdout != "" {
			t.Errorf("exit code %d, stdout %q", got.code, got.stdout)
		}
		for _, name := range []string{
			"listen", "kubeconfig", "practice", "practice-version", "practice-dir", "token", "read-only", "allow-workload-proxy",
			"kubeconfig-out", "log-level", "log-format", "dev", "version",
		} {
			if !strings.Contains(got.stderr, "--"+name+" ") {
				t.Errorf("--%s is not told", name)
			}
		}
		if strings.Contains(got.stderr, testToken) || !strings.Contains(got.stderr, "(default 127.0.0.1:8080)") {
			t.Errorf("%s", got.stderr)
		}
	}
	if _, err := parseFlags([]string{"--help"}, noEnv, io.Discard); !errors.Is(err, errHelp) {
		t.Errorf("%v", err)
	}
}

func TestVersionIsOneLineOnStdout(t *testing.T) {
	if got := runToEnd(t, nil, "--version"); got != (ended{0, "fieldmark v1\n", ""}) {
		t.Errorf("%+v", got)
	}
}

func TestLogFormatAndLevel(t *testing.T) {
	for format, isJSON := range map[string]bool{"text": false, "json": true} {
		var b bytes.Buffer
		log := Config{LogFormat: format, LogLevel: slog.LevelWarn}.logger(&b)
		log.Info("not told")
		log.Warn("told")
		if strings.Count(b.String(), "\n") != 1 || !strings.Contains(b.String(), "told") || json.Valid(b.Bytes()) != isJSON {
			t.Errorf("%s: %q", format, b.String())
		}
	}
}
