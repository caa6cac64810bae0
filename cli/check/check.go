// Package check is the verb check: what would happen if manifests were applied, before they are.
//
//	files ──▶ documents ──▶ for each: type, live object, dry run, forced dry run ──▶ kube/check: findings ──▶ rules ──▶ text, Markdown, JSON
//
// All requests are reads and dry runs. A document that can't be judged doesn't keep the others.
package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/fieldmark/fieldmark/cli/ask"
	"github.com/fieldmark/fieldmark/cli/plain"
	"github.com/fieldmark/fieldmark/kube/check"
	"github.com/fieldmark/fieldmark/kube/manager"
)

const long = `Say what would happen if manifests were applied (server-side apply), before they are: with whom they conflict, what they
change, what would be removed, what stays although no manifest states it, and what others have put there. Each finding names the field,
its line in the manifest and its owners; --ways adds the ways out as text to paste.

The cluster is asked for each object and for dry runs of its apply. Nothing is written.

Findings that are meant are listed in a file fieldmark.yaml beside the manifests; --rules shows those that hold for everybody.

The exit code is 0 if nothing is found that fails the check, 1 if something is (--fail-on), and 2 if it could not be
done. Ctrl-C ends it with 130 and shows nothing, because what was found until then is not all.`

const examples = `  # What would helm upgrade do?
  helm template web ./chart | %[1]s check -f - --manager helm

  # A folder, and the folders in it
  %[1]s check -R -f manifests/

  # With force: what would be taken, and from whom
  %[1]s check -f deployment.yaml --force-conflicts

  # For a comment on a pull request
  %[1]s check -k overlays/production -o markdown

  # For code scanning
  %[1]s check -R -f manifests/ -o sarif > check.sarif`

// ErrFindings says that something was found that fails the check.
var ErrFindings = errors.New("findings fail the check")

// options are what the flags say.
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
}

// New makes the command. The program is called as its examples have it.
func New(called string, cluster *ask.Cluster, streams genericiooptions.IOStreams) *cobra.Command {
	var o options
	c := &cobra.Command{
		Use:               "check (-f FILE | -k FOLDER)",
		Short:             "Say what would happen if manifests were applied",
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
			o.version, o.loud = c.Root().Version, c.Flags().Changed("v")
			return o.run(c.Context(), cluster, streams, kinds)
		},
	}
	f := c.Flags()
	o.which.AddFileFlags(f, "a file or folder with manifests; - is the standard input")
	f.StringVar(&o.manager, "manager", "", "the field manager to apply as; otherwise the one that owns most of what the manifests have")
	f.BoolVar(&o.force, "force-conflicts", false, "judge an apply with force")
	f.StringVarP(&o.output, "output", "o", "text", "text, json, yaml, markdown or sarif")
	f.StringSliceVar(&o.failOn, "fail-on", namesOf(check.FailOn()), "findings that make the exit code 1: "+strings.Join(namesOf(check.Kinds()), ", "))
	f.BoolVar(&o.rules, "rules", false, "show the rules for expected findings that hold for everybody, and stop")
	f.BoolVar(&o.ways, "ways", false, "show the ways out of each finding, as text to paste")
	f.BoolVar(&o.all, "show-expected", false, "show findings that a rule expects, too")
	_ = c.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"text", "json", "yaml", "markdown", "sarif"}, cobra.ShellCompDirectiveNoFileComp)) // the flags are there
	_ = c.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions(namesOf(check.Kinds()), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func namesOf(kinds []check.Kind) []string {
	all := make([]string, 0, len(kinds))
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return all
}

func (o options) check() ([]check.Kind, error) {
	switch {
	case !o.which.FromFiles():
		return nil, errors.New("which manifests? Give a file or a folder with -f, or a kustomization with -k")
	case outputs[o.output] == nil:
		return nil, fmt.Errorf("--output is text, json, yaml, markdown or sarif, not %q", o.output)
	}
	if err := manager.Valid(o.manager); err != nil && o.manager != "" {
		return nil, fmt.Errorf("--manager: %w", err)
	}
	var kinds []check.Kind
	for _, word := range o.failOn {
		if !slices.Contains(check.Kinds(), check.Kind(word)) {
			return nil, fmt.Errorf("--fail-on takes %s, not %q", strings.Join(namesOf(check.Kinds()), ", "), word)
		}
		kinds = append(kinds, check.Kind(word))
	}
	return kinds, nil
}

func (o options) run(ctx context.Context, cluster *ask.Cluster, streams genericiooptions.IOStreams, failOn []check.Kind) error {
	requests, err := cluster.Requests()
	if err != nil {
		return err
	}
	namespace, err := cluster.Namespace()
	if err != nil {
		return err
	}
	var wrong []error
	in := input{cluster: cluster, requests: requests, namespace: namespace, manager: o.manager, force: o.force}
	if plain.IsTerminal(streams.ErrOut) && !o.loud {
		in.watched = streams.ErrOut
	}
	switch err := in.read(ctx, &o.which, streams.In); {
	case errors.Is(err, errTooLong), errors.Is(err, errRepeats), in.documents == 0 && err != nil:
		return err
	case in.documents == 0:
		return errors.New("there is no manifest in what was given")
	default:
		wrong = append(wrong, err)
	}
	rules, err := rulesBeside(in.files)
	if err != nil {
		return err
	}
	wrong = append(wrong, in.judge(ctx))
	if err := ctx.Err(); err != nil {
		return err
	}
	check.Sort(in.findings)
	idle := check.Expect(in.findings, rules, time.Now())
	r := result{
		Report: check.ReportOf(in.manager, in.documents, in.findings), idle: idle, choice: in.choice, all: o.all, ways: o.ways,
		failOn: failOn, version: o.version, wrong: errors.Join(wrong...),
	}
	r.Unjudged = in.unjudged
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

// rulesBeside reads the rules for everybody, and those in the folders of the manifests.
func rulesBeside(files []string) ([]check.Rule, error) {
	rules, _ := check.BuiltIn()
	var seen []string
	for _, given := range files {
		folder := filepath.Dir(given)
		if info, err := os.Stat(given); err == nil && info.IsDir() {
			folder = given
		}
		file := filepath.Join(folder, check.RulesFile)
		if slices.Contains(seen, file) {
			continue
		}
		seen = append(seen, file)
		text, err := os.ReadFile(file)
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
