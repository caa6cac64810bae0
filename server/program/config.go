package program

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/fieldmark/fieldmark/cli"
	"github.com/fieldmark/fieldmark/kube/typed"
)

// Config is everything that can be chosen at the start.
type Config struct {
	Listen        string
	Kubeconfig    string
	Practice      string // auto, on, off
	PracticeDir   string
	PracticeBuild string // empty: the program exists
	release       string // of this program
	// PracticeVersions are minor versions of Kubernetes, one for each practice cluster; empty: one cluster, of the program's own version.
	PracticeVersions versionList
	Token            string // empty: a random one
	OtherUsers       bool   // may other users of this machine connect
	ReadOnly         bool
	WorkloadProxy    bool
	KubeconfigOut    string // empty: none is written
	LogLevel         slog.Level
	LogFormat        string // text, json
	NoRecord         bool
	NoProgress       bool
	Dev              bool
	Version          bool
	Shared           SharedConfig

	env func(string) string
}

// errHelp means that the user asked for help and got it.
var errHelp = errors.New("help was shown")

// parseFlags reads the command line. Errors are one line and say what to do.
func parseFlags(args []string, env func(string) string, usage io.Writer) (Config, error) {
	c := Config{env: env}
	f := c.flags()
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		help(usage, f)
		return c, errHelp
	case err != nil:
		return c, fmt.Errorf("%w.%s See fieldmark --help", err, meantFlag(f, err))
	}
	var given []string
	f.Visit(func(f *flag.Flag) { given = append(given, f.Name) })
	if err := c.checkMode(given); err != nil {
		return c, err
	}
	return c, c.check(f.Args())
}

// meantFlag asks whether another flag was meant, if a flag doesn't exist.
func meantFlag(f *flag.FlagSet, err error) string {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return ""
	}
	var names []string
	f.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	return typed.DidYouMean("--"+name, names)
}

// flags are the flags of the server. Parsing them fills in c.
func (c *Config) flags() *flag.FlagSet {
	f := flag.NewFlagSet("fieldmark", flag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.StringVar(&c.Listen, "listen", "127.0.0.1:8080", "`address` to listen on. Port 0 chooses a free port")
	f.StringVar(&c.Kubeconfig, "kubeconfig", "", "kubeconfig `file`. If not set: $KUBECONFIG, then ~/.kube/config")
	f.StringVar(&c.Practice, "practice", "auto", "the practice cluster: auto (only if no context can be used), on or off")
	f.Var(&c.PracticeVersions, "practice-version", "`versions` of Kubernetes for practice clusters, such as 1.33, or 1.37,1.31 for two clusters beside each other. make controlplanes builds other versions than the newest")
	f.StringVar(&c.PracticeDir, "practice-dir", "", "`folder` for the data of the practice cluster. If not set: a private folder that Fieldmark deletes when it stops")
	f.StringVar(&c.PracticeBuild, "practice-build", "", "`program` that builds the practice cluster while Fieldmark runs. make run uses practice/build.sh")
	f.StringVar(&c.Token, "token", c.env("FIELDMARK_TOKEN"), "launch `token` for programs and the sign-in form, at least 16 random characters. If not set: $FIELDMARK_TOKEN, then a random token")
	f.BoolVar(&c.OtherUsers, "allow-other-users", false, "allow other users of this machine to connect. On Linux, by default only your programs and those of root can connect")
	f.BoolVar(&c.ReadOnly, "read-only", false, "allow only get, list, watch and dry runs")
	f.BoolVar(&c.WorkloadProxy, "allow-workload-proxy", false, "allow requests to the proxy subresource of pods, services and nodes")
	f.StringVar(&c.KubeconfigOut, "kubeconfig-out", "", "write a kubeconfig for kubectl through Fieldmark to this `file`. It contains the launch token. Fieldmark deletes it when it stops")
	f.TextVar(&c.LogLevel, "log-level", slog.LevelInfo, "log `level`: debug, info, warn or error")
	f.StringVar(&c.LogFormat, "log-format", "text", "log format: text or json")
	f.BoolVar(&c.NoRecord, "no-record", false, "don't record requests. The wire log stays empty")
	f.BoolVar(&c.NoProgress, "no-progress", false, "don't keep the progress in the field guide in a file. Each browser keeps its own")
	f.BoolVar(&c.Dev, "dev", false, "for developers of Fieldmark: serve /-/components too, which shows every component in its states")
	f.BoolVar(&c.Version, "version", false, "print the version and stop")
	c.Shared.flags(f)
	return f
}

func (c Config) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return cli.NoVerb(rest[0])
	case !slices.Contains([]string{"auto", "on", "off"}, c.Practice):
		return fmt.Errorf("--practice must be auto, on or off, not %q", c.Practice)
	case !slices.Contains([]string{"text", "json"}, c.LogFormat):
		return fmt.Errorf("--log-format must be text or json, not %q", c.LogFormat)
	case c.Token != "" && len(c.Token) < 16:
		return errors.New("the launch token of --token or $FIELDMARK_TOKEN is too short: it needs at least 16 characters")
	case len(c.PracticeVersions) > 0 && c.Practice == "off":
		return errors.New("--practice-version needs the practice cluster, which --practice off switches off")
	case c.PracticeDir != "" && c.Practice == "off":
		return errors.New("--practice-dir needs the practice cluster, which --practice off switches off")
	}
	return nil
}

func help(w io.Writer, f *flag.FlagSet) {
	_, _ = fmt.Fprint(w, "Fieldmark, a field guide to the Kubernetes API in the browser.\n\nUsage: fieldmark [serve] [flags]\n"+
		"       fieldmark blame TYPE/NAME    who owns each line of an object, in the terminal; see fieldmark blame --help\n"+
		"       fieldmark check -f FILE      what would happen if manifests were applied; see fieldmark check --help\n"+
		"       fieldmark explain [TEXT]     why a request was refused, and what to do; see fieldmark explain --help\n\n")
	f.VisitAll(func(fl *flag.Flag) {
		name, words := flag.UnquoteUsage(fl)
		if fl.DefValue != "" && fl.DefValue != "false" && fl.Name != "token" {
			words += " (default " + strings.ToLower(fl.DefValue) + ")"
		}
		_, _ = fmt.Fprintf(w, "  --%s %s\n        %s\n", fl.Name, name, words)
	})
}

// versionList is the value of --practice-version.
type versionList []string

var minorVersion = regexp.MustCompile(`^1\.\d{1,3}$`)

func (l *versionList) String() string { return strings.Join(*l, ",") }

// Set reads the value. Which versions there are is known to the practice cluster's program only.
func (l *versionList) Set(text string) error {
	*l = nil
	for one := range strings.SplitSeq(text, ",") {
		one = strings.TrimPrefix(strings.TrimSpace(one), "v")
		if !minorVersion.MatchString(one) {
			return fmt.Errorf("%q is no minor version of Kubernetes, such as 1.33", one)
		}
		if slices.Contains(*l, one) {
			return fmt.Errorf("%s is named twice", one)
		}
		*l = append(*l, one)
	}
	return nil
}

// logger writes to stderr: stdout is for the one line that says where Fieldmark is.
func (c Config) logger(stderr io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(stderr, options))
	}
	return slog.New(slog.NewTextHandler(stderr, options))
}
