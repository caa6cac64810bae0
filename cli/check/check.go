// Package check is the verb check: it predicts what an apply of manifests would do.
//
//	files ──▶ documents ──▶ for each: type ──▶ kube/check: requests, findings ──▶ rules ──▶ text, Markdown, JSON
//
// All requests are reads and dry runs. If a document can't be judged, the others still are.
package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/choice"
	"github.com/fieldmark/fieldmark/cli/terminal"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
	"github.com/fieldmark/fieldmark/kube/source"
)

const long = `Predict what a server-side apply of manifests would do. Findings say which managers the apply conflicts with, and what it
changes or removes. They also name fields that stay although no manifest has them, and fields that others added. Each finding names the
field, its line in the manifest and its owners. --ways adds ways out of each finding, as text to paste.

check reads each object and sends dry runs of its apply to the cluster. Nothing is stored.

Files are read as kubectl reads them: YAML, JSON and Lists, in UTF-8, or in UTF-16 with a byte order mark. check says which part kubectl
refuses or ignores, and which part of a long text it doesn't read itself. Then the exit code isn't 0.

List expected findings in a file fieldmark.yaml beside the manifests. --rules shows the built-in rules, which apply to all manifests.

With --baseline, findings that an earlier check had are expected: only what is new fails the check. A conflict with another manager is new.

With --diff BASE..HEAD, only documents that differ between two revisions of git are checked, wherever they are in their files. Lines are those of
HEAD. BASE...HEAD compares HEAD with the commit at which it left BASE, and BASE alone is compared with the files on your disk. Nothing in your
work tree changes.

With --comment, a pipeline keeps one comment of its pull request (GitHub) or merge request (GitLab) up to date. In a run without the right to
comment, as for a fork, the summary of the job says the same. A comment that can't be written is a warning, and never changes the exit code.

With --contexts, check does this in several contexts at the same time. Findings that not all contexts have come first. Then a table says what
the check found in each context. A context that doesn't respond has a line there, and the exit code is 2.

The exit code is 0 if no finding fails the check (see --fail-on), 1 if one does, and 2 if the check could not be done. After Ctrl-C, it is
130, and no findings are shown, because they would be incomplete.`

const examples = `  # What would helm upgrade do?
  helm template web ./chart | %[1]s check -f - --manager helm

  # A folder with its subfolders
  %[1]s check -R -f manifests/

  # With force: which fields would change their owner
  %[1]s check -f deployment.yaml --force-conflicts

  # The same manifests in all production clusters
  %[1]s check -R -f manifests/ --contexts 'prod-*'

  # As Markdown, and as a comment on the pull request of a pipeline
  %[1]s check -k overlays/production -o markdown
  %[1]s check -k overlays/production --comment production

  # Only what is new since a stored check
  %[1]s check -R -f manifests/ -o json > baseline.json
  %[1]s check -R -f manifests/ --baseline baseline.json

  # Only what a branch changes
  %[1]s check -R -f manifests/ --diff origin/main...HEAD

  # For code scanning
  %[1]s check -R -f manifests/ -o sarif > check.sarif`

// ErrFindings says that at least one finding fails the check.
var ErrFindings = errors.New("findings fail the check")

// options are the values of the flags.
type options struct {
	which   ask.Which
	manager string
	force   bool
	output  string
	failOn  []string
	rules   bool
	all     bool
	ways    bool
	version string
	loud    bool // requests are logged
	// baseline is a file with the JSON of an earlier check; empty: none.
	baseline string
	before   baseline // its content
	// diff names two revisions; empty: all documents are checked.
	diff    string
	changed *diff  // what it changes
	sarif   string // a file for the findings as SARIF, beside the output; empty: none
	comment string // the name of the check in the comment of a pull request; empty: there is none
	// contexts are names and patterns of contexts; empty: the one context that kubectl would use.
	contexts []string
}

// formats are the values of --output.
var formats = []string{"text", "json", "yaml", "markdown", "sarif"}

// New makes the command. Its examples call the program by the name called.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "check (-f FILE | -k FOLDER)",
		Short:             "Predict what an apply of manifests would do",
		Long:              long,
		Example:           fmt.Sprintf(examples, called),
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.rules {
				_, text := check.BuiltIn()
				_, err := io.WriteString(streams.Out, text)
				return err
			}
			kinds, err := o.check()
			if err != nil {
				return err
			}
			end, err := o.begin(c.Context())
			defer end()
			if err != nil {
				return err
			}
			o.version, o.loud = c.Root().Version, c.Flags().Changed("v")
			if len(o.contexts) > 0 {
				return o.checkContexts(c.Context(), cluster, streams, kinds)
			}
			return o.checkManifests(c.Context(), cluster, streams, kinds)
		},
	}
	f := c.Flags()
	o.which.AddFileFlags(f, "a file or folder with manifests; - is the standard input")
	cluster.AddContextsFlag(c, &o.contexts)
	f.StringVar(&o.manager, "manager", "", "the field manager to apply as; by default, the manager that owns most of the manifests' fields")
	f.BoolVar(&o.force, "force-conflicts", false, "predict an apply with force")
	choice.Output(c, &o.output, formats)
	choice.FailOn(c, &o.failOn, "the check", check.FailOn(), check.Kinds())
	f.BoolVar(&o.rules, "rules", false, "show the built-in rules for expected findings, and stop")
	f.BoolVar(&o.ways, "ways", false, "show ways out of each finding, as text to paste")
	f.StringVar(&o.baseline, "baseline", "", "the JSON `file` of an earlier check (-o json). Findings that it has, too, are expected")
	f.StringVar(&o.diff, "diff", "", "check only documents that differ between two `revisions` of git: BASE..HEAD, BASE...HEAD or BASE")
	f.StringVar(&o.sarif, "sarif", "", "also write the findings as SARIF to this `file`")
	f.StringVar(&o.comment, "comment", "", "keep a comment of the pull request up to date, under this `name` of the check (in a pipeline of GitHub or GitLab)")
	f.BoolVar(&o.all, "show-expected", false, "also show findings that a rule expects")
	return c
}

func (o options) check() ([]check.Kind, error) {
	if err := choice.WrongOutput(o.output, formats); err != nil {
		return nil, err
	}
	switch {
	case !o.which.FromFiles():
		return nil, errors.New("no manifests are named; name a file or a folder with -f, or a kustomization with -k")
	case o.diff != "" && slices.Contains(o.which.Files.Filenames, "-"):
		return nil, errors.New("--diff compares files in git, and git doesn't have the standard input; name files with -f, or leave out --diff")
	case len(o.contexts) > 0 && (o.output == "sarif" || o.sarif != ""):
		return nil, errors.New("SARIF is about one cluster, so it can't be combined with --contexts; use -o json")
	}
	if err := manager.Valid(o.manager); err != nil && o.manager != "" {
		return nil, fmt.Errorf("--manager: %w", err)
	}
	if err := o.wrongComment(); err != nil {
		return nil, err
	}
	return choice.Kinds(o.failOn, check.Kinds())
}

func (o options) checkManifests(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, failOn []check.Kind) error {
	r, err := o.judged(ctx, cluster, streams, failOn, "")
	if err != nil {
		if ctx.Err() == nil {
			o.tellPull(ctx, streams.ErrOut, o.undone())
		}
		return err
	}
	o.tellPull(ctx, streams.ErrOut, r.commentText(o.comment))
	if err := o.writeSARIF(r); err != nil {
		return err
	}
	if err := outputs[o.output](streams.Out, r); err != nil {
		return fmt.Errorf("printing: %w", err)
	}
	if r.wrong != nil {
		return r.wrong
	}
	if r.Fails(failOn) {
		return ErrFindings
	}
	return nil
}

// writeSARIF writes the findings into the file that is named for them.
func (o options) writeSARIF(r result) error {
	if o.sarif == "" {
		return nil
	}
	var b bytes.Buffer
	if err := asSARIF(&b, r); err != nil {
		return err
	}
	if err := os.WriteFile(o.sarif, b.Bytes(), 0o600); err != nil {
		return fmt.Errorf("--sarif: %w", err)
	}
	return nil
}

// judged is the result of the check in one cluster. An error means that there is none. Without --contexts, name is empty.
func (o options) judged(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, failOn []check.Kind, name string) (result, error) {
	requests, err := cluster.Requests()
	if err != nil {
		return result{}, err
	}
	namespace, only, err := cluster.Namespace()
	if err != nil {
		return result{}, err
	}
	var wrong []error
	in := input{cluster: cluster, requests: requests, namespace: namespace, only: only, changes: o.changed.changes(namespace), plan: &check.Plan{Manager: o.manager, Force: o.force, Body: source.Document.JSON}}
	if terminal.IsTerminal(streams.ErrOut) && !o.loud {
		in.watched = streams.ErrOut
	}
	switch err := in.readManifests(ctx, &o.which, streams.In); {
	case errors.Is(err, errTooLong), in.documents == 0 && err != nil && in.changes == nil:
		return result{}, err
	case in.documents == 0 && in.changes == nil:
		return result{}, errors.New("the files have no manifest; name a file with at least one")
	default:
		wrong = append(wrong, err)
	}
	rules, err := rulesBeside(in.files, o.which.Place)
	if err != nil {
		return result{}, err
	}
	wrong = append(wrong, in.judge(ctx))
	if err := ctx.Err(); err != nil {
		return result{}, err
	}
	check.Sort(in.findings)
	idle := check.Expect(in.findings, rules, time.Now())
	gone := o.before.expect(name, in.findings)
	r := result{
		width:  terminal.Width(streams.Out),
		Report: Report{Report: check.ReportOf(in.plan.Manager, in.documents, in.findings)}, idle: idle, gone: gone, choice: in.choice, all: o.all, ways: o.ways,
		failOn: failOn, version: o.version, wrong: errors.Join(wrong...),
	}
	r.Unjudged = in.unjudged
	if r.Diff = in.changes.result(); r.Diff != nil {
		r.idle, r.gone = nil, 0 // they are about documents that are not checked
	}
	return r, nil
}

// maxBaseline bounds the file of an earlier check, in bytes.
const maxBaseline = 256 << 20

// readBaseline reads the earlier check; nil: there is none.
func (o options) readBaseline() (baseline, error) {
	if o.baseline == "" {
		return nil, nil
	}
	text, err := readBounded(o.baseline, maxBaseline)
	if err != nil {
		return nil, fmt.Errorf("--baseline: %w", err)
	}
	before, err := parseBaseline(text)
	switch several := len(o.contexts) > 0; {
	case err != nil:
		return nil, fmt.Errorf("--baseline %s: %w", o.baseline, err)
	case !before.covers(several) && several:
		return nil, fmt.Errorf("--baseline %s: this is a check of one context. Make the baseline with the same --contexts", o.baseline)
	case !before.covers(several):
		return nil, fmt.Errorf("--baseline %s: this is a check of several contexts. Name them with --contexts", o.baseline)
	}
	return before, nil
}

func readBounded(file string, most int64) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("reading the earlier check: %w", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading the earlier check: %w", err)
	case int64(len(text)) > most:
		return nil, fmt.Errorf("%s is longer than %d MB", file, most>>20)
	}
	return text, nil
}

// rulesBeside reads the built-in rules, and those in the folders of the manifests. Place says where files are on this disk; nil: where their names say.
func rulesBeside(files []string, place func(string) string) ([]check.Rule, error) {
	if place == nil {
		place = func(name string) string { return name }
	}
	rules, _ := check.BuiltIn()
	var seen []string
	for _, given := range files {
		folder := filepath.Dir(given)
		if info, err := os.Stat(place(given)); err == nil && info.IsDir() {
			folder = given
		}
		file := filepath.Join(folder, check.RulesFile)
		if slices.Contains(seen, file) {
			continue
		}
		seen = append(seen, file)
		text, err := os.ReadFile(place(file))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("reading the rules: %w", err)
		}
		more, err := check.ParseRules(file, string(text))
		if err != nil {
			return nil, err
		}
		rules = append(rules, more...)
	}
	return rules, nil
}
